import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Answer, type ReaderStep } from '../../contract/index.ts';
import { createServerBackend } from '../backends/openai-server.ts';
import { ROUNDS_MAX } from '../look.ts';
import type { AskOptions } from '../reader.ts';
import { type Asked, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts';
import { FRIDAY, HOUR, MINUTE, NOW, ZONE } from '../testing/told-days.ts';
import { openToldMemory, type ToldMemory } from '../testing/told-memory.ts';
import { createAgentReader } from './agent-reader.ts';
import { chooseByAgent } from './choose.ts';

let told: ToldMemory;
let server: ScriptedServer | null = null;
beforeAll(async () => {
  told = await openToldMemory();
});
afterAll(() => told.close());
afterEach(async () => {
  await server?.close();
  server = null;
});

const SEARCH = (query: string, anchor: unknown = null) =>
  `TOOL: ${JSON.stringify({ name: 'search_memory', args: { query, time_anchor: anchor } })}`;
/** The number under which the words stand in what the model was shown. */
const shownAs = (asked: Asked, words: string): string => {
  const line = asked.messages
    .at(-1)!
    .content.split('\n')
    .find((one) => one.includes(words));
  return /^\[(E\d+)\]/.exec(line ?? '')?.[1] ?? 'E0';
};

async function ask(
  question: string,
  script: (asked: Asked, turn: number) => string | number,
  options: Partial<AskOptions> = {},
): Promise<Answer> {
  server = await startScriptedServer(script);
  const reader = createAgentReader({
    memory: told.memory,
    backend: createServerBackend({ address: server.address, model: 'scripted' }),
    planner: told.reader,
    video: null,
    entails: null,
  });
  return Answer.parse(await reader.ask(question, { nowMs: NOW, zone: ZONE, ...options }));
}

describe('the agent', () => {
  it('looks, reads and answers with footnotes that point at the second', async () => {
    const steps: ReaderStep[] = [];
    const sentences: string[] = [];
    const answer = await ask(
      'Where do I keep the spare key?',
      (asked, turn) =>
        turn === 1
          ? SEARCH('spare key')
          : `ANSWER: I hang the spare key on the hook behind the cellar door. [${shownAs(asked, 'cellar door')}]`,
      { onStep: (step) => steps.push(step), onText: (sentence) => sentences.push(sentence) },
    );
    expect(answer.answer).toBe('I hang the spare key on the hook behind the cellar door. [1]');
    expect(answer.footnotes).toHaveLength(1);
    expect(answer.footnotes[0]).toMatchObject({
      atMs: FRIDAY + 60 * MINUTE + 4000,
      text: 'I hang the spare key on the hook behind the cellar door.',
    });
    expect(answer.reader).toContain('footnote-agent/1 (scripted at 127.0.0.1');
    expect(steps).toMatchObject([{ tool: 'search_memory', args: { query: 'spare key' } }]);
    expect(sentences).toEqual([answer.answer]);
  });

  it('drops sentences without evidence, with a number never shown, and with names or numbers the evidence lacks', async () => {
    const answer = await ask('Where do I keep the spare key?', (asked, turn) => {
      if (turn === 1) return SEARCH('spare key');
      const e = shownAs(asked, 'cellar door');
      return [
        `ANSWER: I hang the spare key on the hook behind the cellar door. [${e}]`,
        'It is made of brass.',
        'Nora borrowed the spare key. [E99]',
        `Zoltan hung the spare key on the hook behind the cellar door. [${e}]`,
        `There are 17 spare keys on the hook behind the cellar door. [${e}]`,
        `The helicopter landed on the roof garden of the opera. [${e}]`,
      ].join(' ');
    });
    expect(answer.answer).toBe('I hang the spare key on the hook behind the cellar door. [1]');
  });

  it('gives way to the planner when nothing it says stands, and says so', async () => {
    const answer = await ask('When does the workshop take place?', (_, turn) =>
      turn === 1 ? SEARCH('workshop') : 'ANSWER: The workshop was cancelled by the mayor. [E1]',
    );
    expect(answer.answer).toContain('“The workshop moves to Thursday at half past two.” [1]');
    expect(answer.reader).toContain('said nothing its evidence supports');
    expect(answer.steps.length).toBeGreaterThan(1);
  });

  it('forgives one mistake and tells what it was; after the second the planner answers', async () => {
    const mended = await ask('Where do I keep the spare key?', (asked, turn) => {
      if (turn === 1) return 'I think I should search.';
      if (turn === 2) return SEARCH('spare key');
      return `ANSWER: The spare key is on the hook behind the cellar door. [${shownAs(asked, 'cellar door')}]`;
    });
    expect(mended.found).toBe(true);
    expect(mended.reader).toContain('footnote-agent');
    expect(server?.asked[1]?.messages.at(-1)?.content).toContain('neither a TOOL line nor an ANSWER line');
    await server?.close();
    const never = await ask('Where do I keep the spare key?', () => 'Hm.');
    expect(never.reader).toContain('gave no answer in the agreed form');
    expect(server?.asked).toHaveLength(2);
  });

  it('ends after ten rounds', async () => {
    const answer = await ask('Where do I keep the spare key?', (_, turn) => SEARCH(`spare key ${turn}`));
    expect(server?.asked).toHaveLength(ROUNDS_MAX);
    expect(answer.found).toBe(true);
    expect(answer.reader).toContain('gave no answer');
    expect(server?.asked.at(-1)?.messages.at(-1)?.content).toContain('last turn');
  });

  it('never shows what came after the question’s instant, however it asks', async () => {
    const early = FRIDAY + HOUR + 5 * MINUTE;
    await ask(
      'What happened?',
      (_, turn) => {
        if (turn === 1) return SEARCH('everything', [0, 9_999_999]);
        if (turn === 2)
          return 'TOOL: {"name":"fetch_memory","args":{"time_anchor":["2025-03-14","2026-01-01"]}}';
        return 'ANSWER: NOTHING';
      },
      { nowMs: early },
    );
    const shown = server!.asked.flatMap(({ messages }) =>
      messages.filter(({ content }) => content.includes('<<evidence')).map(({ content }) => content),
    );
    const times = shown.join('\n').match(/\d{2}:\d{2}:\d{2}(?= \()/g) ?? [];
    expect(times.length).toBeGreaterThan(0);
    // 07:00 in Warsaw plus 65 minutes.
    for (const end of times) expect(end <= '08:05:00').toBe(true);
  });

  it('reads a follow-up with the turns before it', async () => {
    await ask('And the day after?', () => 'ANSWER: NOTHING', {
      thread: [{ question: 'What did I read at the bakery?', answer: 'Rye bread 4.80 [1]' }],
    });
    const sent = server!.asked[0]!.messages.at(-1)!.content;
    expect(sent).toContain('Earlier I asked: What did I read at the bakery?');
    expect(sent).toContain('Rye bread 4.80 (1)');
  });

  it.each([
    [404, 'could not be asked'],
    [500, 'could not be asked'],
    [302, 'could not be asked'],
    ['break', 'could not be asked'],
  ])('answers without it when the server says %s', async (said, why) => {
    const answer = await ask('When does the workshop take place?', () => said);
    expect(answer.found).toBe(true);
    expect(answer.reader).toContain(why);
  });

  it('stops when the person stops it, even while the server is silent', async () => {
    const stop = new AbortController();
    const asked = ask('When does the workshop take place?', () => 'hang', { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('chooses among options by letter, and a reply without one counts as none', async () => {
    server = await startScriptedServer((_, turn) => (turn === 1 ? SEARCH('spare key') : 'ANSWER: B'));
    const backend = createServerBackend({ address: server.address, model: 'scripted' });
    const world = { memory: told.memory, backend, video: null };
    const chosen = await chooseByAgent(world, 'Where is the key?', ['in the car', 'on the hook'], {
      nowMs: NOW,
      zone: ZONE,
    });
    expect(chosen.choice).toBe(1);
    expect(chosen.shown.length).toBeGreaterThan(0);
    expect(chosen.run).toMatchObject({ rounds: 2, promptTokens: 200, replyTokens: 20 });
  });
});
