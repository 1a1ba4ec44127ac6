import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';
import { openEmbedder, rememberingPassages } from '../embedders.ts';
import { loadSet } from '../loaders/load.ts';
import { asked, type EvalEpisode, type EvalSet, streamsOf } from '../set.ts';
import { testFolder, writeSmallSet } from '../testing/small-set.ts';
import { channelsOf, fuseRanks } from './flat.ts';
import { createSystems, SYSTEM_NAMES } from './registry.ts';
import type { Indexed } from './system.ts';

let folder: string;
let set: EvalSet;
let embedder: TextEmbedder;
const indexes = new Map<string, Indexed>();

beforeAll(async () => {
  folder = testFolder();
  set = loadSet(writeSmallSet(folder));
  embedder = rememberingPassages(await openEmbedder('static', []));
  for (const system of createSystems(null, { embedder, seed: 1 }))
    indexes.set(system.name, await system.index(set.streams[0]!));
});
afterAll(async () => {
  for (const index of indexes.values()) await index.close?.();
  rmSync(folder, { recursive: true, force: true });
});

const episodes = (): EvalEpisode[] => set.streams[0]!.episodes;

describe.each(SYSTEM_NAMES)('%s', (name) => {
  it('ranks what holds the answer before all else', async () => {
    for (const question of set.questions.filter(({ unanswerable }) => !unanswerable)) {
      const { ranked, tokens } = await indexes.get(name)!.retrieve(asked(question));
      expect(ranked[0]?.episodeId).toBe(question.evidence[0]);
      expect(tokens).toBeGreaterThan(question.question.length / 4);
      expect(new Set(ranked.map(({ episodeId }) => episodeId)).size).toBe(ranked.length);
    }
  });

  it('returns nothing that ended after the question, at any instant', async () => {
    const first = episodes()[0]!.startMs;
    const last = episodes().at(-1)!.endMs;
    const ends = new Map(episodes().map(({ id, endMs }) => [id, endMs]));
    const questions = [
      'Where did I repair the bicycle?',
      'When was the last time I opened the fridge?',
      'What did I do after I fed the cat?',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: first - 60_000, max: last + 60_000 }), fc.constantFrom(...ends.values())),
        fc.constantFrom(...questions),
        async (nowMs, question) => {
          const { ranked } = await indexes
            .get(name)!
            .retrieve({ question, choices: [], multiple: false, nowMs });
          for (const { episodeId } of ranked) expect(ends.get(episodeId)).toBeLessThanOrEqual(nowMs);
        },
      ),
      { numRuns: 12, seed: 5 },
    );
  });

  it('gives the same ranking again, and tells what it stores', async () => {
    const question = asked(set.questions[0]!);
    const index = indexes.get(name)!;
    expect(await index.retrieve(question)).toEqual(await index.retrieve(question));
    expect(await index.storedBytes()).toBeGreaterThan(0);
  });
});

it('what is recorded later does not change a ranking that looks at earlier things', async () => {
  const nowMs = Date.parse('2024-03-01T10:00:00Z');
  const cut = streamsOf(episodes().filter(({ endMs }) => endMs <= nowMs));
  // BM25 and the memory weigh words by how rare they are in the whole index; the others must not see it at all.
  for (const system of createSystems(['flat', 'rrf-4', 'aligned-30s'], { embedder, seed: 1 })) {
    const alone = await system.index(cut[0]!);
    const question = { question: 'Where did I put the milk?', choices: [], multiple: false, nowMs };
    expect((await indexes.get(system.name)!.retrieve(question)).ranked).toEqual(
      (await alone.retrieve(question)).ranked,
    );
  }
});

it('an unknown system is named with those there are', () => {
  expect(() => createSystems(['flat', 'oracle'], { embedder, seed: 1 })).toThrow(
    /no system "oracle".*ours, memlife, em2mem, flat.*variants: ours-no-time/,
  );
});

it('four channels part what was said, shown and labelled', () => {
  const [episode] = episodes();
  const channels = channelsOf({
    ...episode!,
    caption: '',
    transcript: [{ speaker: 'Anna', text: 'Look at my dog.' }],
    visual: ['a photo of a dog'],
    structured: ['dog: asleep'],
  });
  expect(channels).toMatchObject({
    caption: '',
    transcript: 'Anna: Look at my dog.',
    visual: 'a photo of a dog',
  });
  expect(channels.structured).toMatch(/^dog: asleep\n/);
});

it('ranks are fused by 1/(60 + rank)', () => {
  // b: 1/62 + 1/61, a: 1/61 + 1/63, c: 1/62.
  expect(
    fuseRanks([
      ['a', 'b'],
      ['b', 'c', 'a'],
    ]),
  ).toEqual(['b', 'a', 'c']);
});
