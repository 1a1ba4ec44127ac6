import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeToldLibrary } from '../../engine/testing/told-library.ts';
import { FRIDAY } from '../../reading/testing/told-days.ts';

const COMMAND = fileURLToPath(new URL('../bin/footnote.mjs', import.meta.url));

let dir: string;
let client: Client;
const errors: string[] = [];

interface Said {
  isError?: boolean;
  content: { type: string; text?: string }[];
}
const call = async (name: string, args: Record<string, unknown>): Promise<Said> =>
  (await client.callTool({ name, arguments: args })) as unknown as Said;
const words = ({ content }: Said): string => content.map(({ text }) => text ?? '').join('\n');

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-mcp-'));
  await makeToldLibrary(dir);
  client = new Client({ name: 'test', version: '1' });
  client.onerror = (error) => errors.push(error.message);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, 'mcp', '--library', dir],
      stderr: 'ignore',
    }),
  );
}, 60_000);
afterAll(async () => {
  await client?.close();
  await rm(dir, { recursive: true, force: true });
});

describe('the memory served to another assistant', { timeout: 60_000 }, () => {
  it('offers reading tools only, and says so', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'ask',
      'fetch_memory',
      'search_memory',
      'show_episode',
    ]);
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });

  it('searches, fetches, shows and answers with footnotes', async () => {
    const found = words(await call('search_memory', { query: 'spare key', as_of: '2025-03-16T00:00Z' }));
    expect(found).toContain('f0000');
    const fetched = words(await call('fetch_memory', { from: '2025-03-14T06:00Z', to: '2025-03-14T08:00Z' }));
    expect(fetched.split('\n').length).toBeGreaterThan(2);
    const answer = words(
      await call('ask', { question: 'When does the workshop take place?', as_of: '2025-03-15T18:00Z' }),
    );
    expect(answer).toContain('“The workshop moves to Thursday at half past two.” [1]');
    const id = /\[1\] \S+ \S+ (\S+):/.exec(answer)?.[1];
    const shown = JSON.parse(words(await call('show_episode', { id, pictures: true }))) as {
      said: { words: string }[];
    };
    expect(shown.said.map((line) => line.words)).toContain(
      'The workshop moves to Thursday at half past two.',
    );
  });

  it('tells nothing of what came later than the instant asked about', async () => {
    const as_of = new Date(FRIDAY + 3_700_000).toISOString();
    const early = words(await call('fetch_memory', { from: '2025-01-01', to: '2026-01-01', as_of }));
    expect(early.split('\n').every((line) => Date.parse(line.split(' ')[0]!) < FRIDAY + 3_700_000)).toBe(
      true,
    );
    const answer = words(await call('ask', { question: 'When does the workshop take place?', as_of }));
    expect(answer).not.toContain('Thursday');
    const later = words(
      await call('search_memory', { query: 'workshop Thursday', as_of: '2025-03-16T00:00Z', top_k: 32 }),
    );
    const id = /f\d+-0000/.exec(later.split('\n').at(-1)!)?.[0];
    expect(words(await call('show_episode', { id, as_of }))).toContain('after the instant');
  });

  it('answers wrong input with what is wrong, and goes on', async () => {
    const wrong = await call('search_memory', { query: 'key', from: 'yesterday-ish' });
    expect(wrong.isError).toBe(true);
    expect(words(wrong)).toContain('is not a time');
    expect((await call('show_episode', { id: '../../etc/passwd' })).isError).toBe(true);
    expect((await call('search_memory', { query: '' })).isError).toBe(true);
    expect(words(await call('search_memory', { query: 'spare key' }))).toContain('f0000');
    expect(errors).toEqual([]);
  });

  it('leaves the library as it was', async () => {
    const files = async () => {
      const names = await readdir(join(dir, 'memory'), { recursive: true });
      const found: string[] = [];
      for (const name of names.sort()) {
        const path = join(dir, 'memory', name);
        if ((await stat(path)).isFile()) found.push(`${name} ${(await readFile(path)).length}`);
      }
      return found;
    };
    const before = await files();
    await call('ask', { question: 'Where is the spare key?' });
    expect(await files()).toEqual(before);
  });
});
