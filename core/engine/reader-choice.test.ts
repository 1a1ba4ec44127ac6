import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../contract/index.ts';
import { startScriptedServer } from '../reading/testing/scripted-server.ts';
import { NOW, ZONE } from '../reading/testing/told-days.ts';
import { createEngine, type Engine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';
import { tinyWriterStore } from './testing/tiny-writer.ts';
import { makeToldLibrary } from './testing/told-library.ts';

let dir: string;
let engine: Engine;

async function ask(question: string, withoutModel = false): Promise<Answer> {
  for await (const event of await engine.client.ask({ question, atMs: NOW, zone: ZONE, withoutModel }))
    if (event.type === 'answer') return event.answer;
  throw new Error('the stream ended without an answer');
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-readers-'));
  await makeToldLibrary(dir);
  const models = await tinyWriterStore(dir);
  engine = await createEngine({ library: dir, spawn: spawnNodeProcess, models });
}, 60_000);
afterAll(async () => {
  await engine?.close();
  await rm(dir, { recursive: true, force: true });
});

describe('who answers', { timeout: 60_000 }, () => {
  it('is the planner until the person chooses', async () => {
    const { choice, offers } = await engine.client.readers.list();
    expect(choice).toEqual({ kind: 'planner' });
    expect(offers.slice(0, 2)).toMatchObject([
      { choice: { kind: 'planner' }, ready: true },
      { choice: { kind: 'model' }, name: 'tiny-smolvlm', ready: true },
    ]);
    expect((await ask('Where is the spare key?')).reader).toBe('footnote-extractive/1');
  });

  it('is the model of this computer once chosen; what it cannot put into the agreed form the planner answers', async () => {
    await engine.client.readers.use({ kind: 'model' });
    const answer = await ask('Where is the spare key?');
    expect(answer.found).toBe(true);
    expect(answer.answer).toContain('drawer under the microwave');
    expect(answer.reader).toMatch(/^footnote-extractive\/1 \(tiny-smolvlm .+\)$/);
    expect((await ask('Where is the spare key?', true)).reader).toBe('footnote-extractive/1');
  });

  it('is a server of this computer, and the planner again when that is gone', async () => {
    const server = await startScriptedServer((asked, turn) =>
      turn === 1
        ? 'TOOL: {"name":"search_memory","args":{"query":"spare key"}}'
        : `ANSWER: The spare key is in the drawer under the microwave. [${/\[(E\d+)\][^\n]*microwave/.exec(asked.messages.at(-1)!.content)?.[1]}]`,
    );
    const choice = { kind: 'server', address: server.address, model: 'scripted' } as const;
    const { offers } = await engine.client.readers.use(choice);
    expect(offers.at(-1)).toMatchObject({ ready: true, choice });
    expect((await ask('Where is the spare key?')).reader).toContain('footnote-agent/1 (scripted at');
    await server.close();
    const later = await ask('Where is the spare key?');
    expect(later.found).toBe(true);
    expect(later.reader).toContain('could not be asked');
    expect((await engine.client.readers.list()).offers.at(-1)).toMatchObject({ ready: false });
  });

  it('is never a server elsewhere without a yes, and a damaged note of the choice costs nothing', async () => {
    await expect(
      engine.client.readers.use({ kind: 'server', address: 'http://example.org/v1', model: 'm' }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await writeFile(join(dir, 'reader.json'), '{"kind": "ser');
    expect((await ask('Where is the spare key?')).reader).toBe('footnote-extractive/1');
  });
});
