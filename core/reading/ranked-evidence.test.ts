import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedder } from '../evaluation/embedders.ts';
import type { EvalEpisode } from '../evaluation/set.ts';
import { temporaryFolder } from '../evaluation/systems/temporary.ts';
import { toEpisode } from '../evaluation/to-episode.ts';
import { type LanceMemory, openMemory } from '../memory/lance-memory.ts';
import { searchText } from '../writing/search-text.ts';
import { rankEvidence } from './ranked-evidence.ts';

/** Two mornings, a minute apart from one to the next. */
const TOLD: [string, string][] = [
  ['2026-03-02T09:00:00Z', 'I open the bin. I wash the cup.'],
  ['2026-03-02T09:00:30Z', 'I close the window. I put the bowl on the shelf.'],
  ['2026-03-02T09:01:00Z', 'I feed the cat.'],
  ['2026-03-03T09:00:00Z', 'I wash the cup. I dry the cup.'],
  ['2026-03-03T09:01:00Z', 'A bowl stands on the table near the flowers.'],
  ['2026-03-03T09:02:00Z', 'I water the flowers. The bowl is empty.'],
];
const NOW = Date.parse('2026-03-03T18:00:00Z');
const folder = temporaryFolder('ranked-evidence');
let memory: LanceMemory;
let textOf: Map<string, string>;

beforeAll(async () => {
  memory = await openMemory({ dir: folder.path, embedder: await openEmbedder('static', []), searchText });
  const episodes = TOLD.map(([start, text], n) =>
    toEpisode(
      {
        id: `${n}`,
        stream: 's',
        startMs: Date.parse(start),
        endMs: Date.parse(start) + 30_000,
        video: null,
        wearer: null,
        text,
        caption: text,
        transcript: [],
        visual: [],
        structured: [],
        moments: [],
      } satisfies EvalEpisode,
      n,
    ),
  );
  textOf = new Map(episodes.map(({ id, text }) => [id, text]));
  await memory.putEpisodes(episodes);
});
afterAll(async () => {
  await memory.close();
  rmSync(folder.path, { recursive: true, force: true });
});

const ranked = async (question: string, nowMs = NOW): Promise<(string | undefined)[]> =>
  (await rankEvidence(memory, question, { nowMs, zone: 'UTC' })).map(({ id }) => textOf.get(id));

describe('rankEvidence', () => {
  it('puts the last time first, and the first time', async () => {
    expect((await ranked('When was the last time I did this: wash the cup?'))[0]).toBe(TOLD[3]![1]);
    expect((await ranked('When was the first time I did this: wash the cup?'))[0]).toBe(TOLD[0]![1]);
  });

  it('puts the latest sightings first, as many as asked for', async () => {
    const two = await ranked('Between the last two times you saw the bowl, was it handled differently?');
    expect(two.slice(0, 2)).toEqual([TOLD[5]![1], TOLD[4]![1]]);
    const next = await ranked(
      'Earlier, you saw the bowl on the shelf. Where did you see it the next time before now?',
    );
    expect(next[0]).toBe(TOLD[5]![1]);
  });

  it('puts the next episode behind an act that ends its own, and no other', async () => {
    const after = await ranked('What did I do right after I put the bowl on the shelf?');
    expect(after.slice(0, 2)).toEqual([TOLD[1]![1], TOLD[2]![1]]);
    const before = await ranked('What did I do just before I close the window?');
    expect(before.slice(0, 2)).toEqual([TOLD[1]![1], TOLD[0]![1]]);
    const within = await ranked('What did I do right after I open the bin?');
    expect(within[0]).toBe(TOLD[0]![1]);
  });

  it('keeps to the day that the question names, and then goes on elsewhere', async () => {
    const day = await ranked('What was the last thing I did on 2026-03-02?');
    expect(day[0]).toBe(TOLD[2]![1]);
    expect((await ranked('When did I wash the cup on 2026-03-02?'))[0]).toBe(TOLD[0]![1]);
  });

  it('returns each once, nothing from after the question, and nothing from an empty past', async () => {
    const nowMs = Date.parse('2026-03-03T09:00:30Z');
    const all = await ranked('When was the last time I did this: wash the cup?', nowMs);
    expect(all).not.toContain(TOLD[4]![1]);
    expect(new Set(all).size).toBe(all.length);
    expect(await ranked('Where is the bowl?', Date.parse('2026-01-01T00:00:00Z'))).toEqual([]);
  });
});
