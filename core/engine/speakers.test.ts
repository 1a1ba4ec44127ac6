import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Recording, SearchQuery, type SpeechLine } from '../contract/index.ts';
import type { Memory } from '../memory/memory.ts';
import { createExtractiveReader } from '../reading/extractive-reader.ts';
import { openEmptyMemory } from '../reading/testing/told-memory.ts';
import { createMeasuredWriter } from '../writing/measured-writer.ts';
import { MORNING, observed } from '../writing/testing/observed.ts';
import { listSpeakers, nameSpeaker } from './speakers.ts';

const ID = 'r00000000000000000000abcd';
const RECORDING: Recording = {
  id: ID,
  name: 'GX010042',
  family: 'gopro',
  camera: null,
  takeKey: 'GX0042',
  startMs: MORNING,
  endMs: MORNING + 60_000,
  clock: { startMs: MORNING, zone: 'UTC', basis: 'gps', uncertain: false, note: '' },
  chapters: [],
  hasSound: true,
  notes: [],
  importedAtMs: MORNING,
};
let memory: Memory;
let close: () => Promise<void>;

function heard(voice: string, at: number, text: string): SpeechLine {
  const startMs = MORNING + at * 1000;
  const endMs = startMs + 2_000;
  return { startMs, endMs, speaker: voice, voice, text, source: 'speech-recognised', confidence: 0.9 };
}

beforeAll(async () => {
  ({ memory, close } = await openEmptyMemory());
  await memory.putRecording(RECORDING);
  const writer = createMeasuredWriter();
  const segments = [
    [heard('A', 1, 'Did you water the tomatoes?'), heard('B', 5, 'Yes, and I mended the greenhouse door.')],
    [heard('B', 40, 'The ladder goes back to the neighbours.')],
  ];
  const episodes = segments.map((speech, index) =>
    writer.write(
      observed({
        episodeId: `f00000000000000000000abcd-000${index}`,
        index,
        startMs: MORNING + index * 30_000,
        endMs: MORNING + (index + 1) * 30_000,
        speech,
      }),
      RECORDING,
    ),
  );
  await memory.putEpisodes(await Promise.all(episodes));
});
afterAll(() => close?.());

describe('the voices of a recording', () => {
  it('are listed by letter, each with something to know it by', async () => {
    expect(await listSpeakers(memory, ID)).toEqual([
      {
        voice: 'A',
        name: null,
        lines: 1,
        seconds: 2,
        firstMs: MORNING + 1_000,
        example: 'Did you water the tomatoes?',
      },
      {
        voice: 'B',
        name: null,
        lines: 2,
        seconds: 4,
        firstMs: MORNING + 5_000,
        example: 'The ladder goes back to the neighbours.',
      },
    ]);
  });

  it('are nobody in answers until they are named, then answer by name', async () => {
    const reader = createExtractiveReader(memory);
    const asker = { nowMs: MORNING + 3_600_000, zone: 'UTC' };
    expect((await reader.ask('What was said about the ladder?', asker)).answer).toMatch(
      /voice B said: “The ladder/i,
    );
    const named = await nameSpeaker(memory, { id: ID, voice: 'B', name: 'Walburga' });
    expect(named.map(({ voice, name }) => [voice, name])).toEqual([
      ['A', null],
      ['B', 'Walburga'],
    ]);
    const found = await memory.search(SearchQuery.parse({ query: 'Walburga', nowMs: asker.nowMs }));
    expect(found.map(({ episode }) => episode.index).sort()).toEqual([0, 1]);
    expect(found[0]!.episode.text).toMatch(/Walburga said:/);
    expect((await reader.ask('What did Walburga say about the ladder?', asker)).answer).toMatch(
      /Walburga said: “The ladder/,
    );
    await nameSpeaker(memory, { id: ID, voice: 'B', name: null });
    expect((await listSpeakers(memory, ID))[1]!.name).toBeNull();
  });

  it('refuses what is no voice, no name or another voice', async () => {
    const wrong = { code: 'BAD_REQUEST' };
    const name = (voice: string, name: string) => nameSpeaker(memory, { id: ID, voice, name });
    await expect(name('C', 'Anna')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no voice C in this recording. Its voices are A, B.',
    });
    await expect(name('A', '<>')).rejects.toMatchObject(wrong);
    await expect(name('A', 'B')).rejects.toMatchObject(wrong);
    await expect(nameSpeaker(memory, { id: 'r000', voice: 'A', name: 'Anna' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
