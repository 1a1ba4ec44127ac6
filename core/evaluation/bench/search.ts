import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelClient } from '../../../models/client.ts';
import { FootnoteError } from '../../contract/errors.ts';
import type { Episode } from '../../contract/index.ts';
import { spawnNodeProcess } from '../../engine/processes.ts';
import { folderSize } from '../../library/files.ts';
import { openMemory } from '../../memory/lance-memory.ts';
import { searchText } from '../../writing/search-text.ts';
import type { Bench, Figures } from './bench.ts';

const DEFAULT_EPISODES = 20_000;
const BATCH = 2_000;
const QUERIES = 200;
const SEGMENT_MS = 30_000;
const SEGMENTS_PER_HOUR = 120;
const START_MS = Date.UTC(2025, 0, 1, 8);

const ACTIONS = ['open', 'close', 'wash', 'cut', 'put down', 'pick up', 'pour', 'read', 'carry', 'look for'];
const THINGS = [
  'the spare keys',
  'a mug',
  'the fridge',
  'an onion',
  'the phone',
  'a letter',
  'the bicycle',
  'a bag',
  'the kettle',
  'a book',
];
const PLACES = [
  'kitchen',
  'hall',
  'office',
  'garden',
  'train station',
  'shop',
  'living room',
  'street',
  'cellar',
  'café',
];
const PEOPLE = ['Anna', 'Tomasz', 'Maria', 'Jan', 'Zoë', 'Dr. Novak', 'Lena', 'Sam'];

/** The same numbers every run. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  while (true) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

function makeEpisode(n: number, random: Generator<number, never>): Episode {
  const pick = (list: string[]) => list[Math.floor(random.next().value * list.length)]!;
  const [action, thing, place, person] = [pick(ACTIONS), pick(THINGS), pick(PLACES), pick(PEOPLE)];
  const startMs = START_MS + n * SEGMENT_MS;
  const said = `${person} asked whether I could ${pick(ACTIONS)} ${pick(THINGS)} before ${1 + Math.floor(random.next().value * 12)} o'clock.`;
  const text = `I ${action} ${thing} in the ${place}. ${said}`;
  return {
    id: `f${String(n).padStart(24, '0')}-0000`,
    recordingId: `r${String(Math.floor(n / SEGMENTS_PER_HOUR)).padStart(24, '0')}`,
    chapterId: `f${String(n).padStart(24, '0')}`,
    index: 0,
    startMs,
    endMs: startMs + SEGMENT_MS,
    zone: 'UTC',
    text,
    record: {
      caption: `I ${action} ${thing}.`,
      transcript: [
        {
          startMs,
          endMs: startMs + 4_000,
          speaker: person,
          text: said,
          source: 'speech-sidecar',
          confidence: 1,
        },
      ],
      visibleText: [],
      actions: [action],
      objects: [thing],
      topics: [],
      scenes: [place],
      entities: [person],
      claims: [],
      people: 1,
      place: null,
    },
    keyframes: [],
    clip: null,
    writer: { name: 'generated', version: '1' },
  };
}

function percentile(sorted: number[], share: number): number {
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(2));
}

async function timings(count: number, act: (n: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < count; n++) {
    const started = performance.now();
    await act(n);
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b);
}

export const searchBench: Bench = {
  name: 'search',
  summary: 'search_memory and fetch_memory latency, time to store, bytes an episode, over generated episodes',
  usage: `search [EPISODES] (default ${DEFAULT_EPISODES}; a year is 350000)`,
  async run(args) {
    const episodes = args[0] ? Number(args[0]) : DEFAULT_EPISODES;
    if (!Number.isInteger(episodes) || episodes < 1)
      throw new FootnoteError('BAD_REQUEST', 'Give a whole number of episodes.');
    const dir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
    const models = createModelClient(spawnNodeProcess);
    const memory = await openMemory({ dir, embedder: models.textEmbedder(), searchText });
    try {
      const random = numbers(7);
      const storing = performance.now();
      for (let n = 0; n < episodes; n += BATCH) {
        await memory.putEpisodes(
          Array.from({ length: Math.min(BATCH, episodes - n) }, (_, i) => makeEpisode(n + i, random)),
        );
      }
      const stored = performance.now();
      await memory.maintain();
      const maintained = performance.now();
      const nowMs = START_MS + episodes * SEGMENT_MS;
      const ask = numbers(11);
      const pick = (list: string[]) => list[Math.floor(ask.next().value * list.length)]!;
      const question = () => `when did ${pick(PEOPLE)} ask me to ${pick(ACTIONS)} ${pick(THINGS)}`;
      await timings(5, () => memory.search({ query: question(), timeAnchor: null, topK: 32, nowMs }));
      const search = await timings(QUERIES, () =>
        memory.search({ query: question(), timeAnchor: null, topK: 32, nowMs }),
      );
      const fetch = await timings(QUERIES, () => {
        const startMs = START_MS + Math.floor(ask.next().value * episodes) * SEGMENT_MS;
        return memory.fetch({ timeAnchor: { startMs, endMs: startMs + 64 * SEGMENT_MS }, limit: 64, nowMs });
      });
      const { bytes } = await folderSize(dir);
      return {
        episodes,
        searchP50Ms: percentile(search, 0.5),
        limitSearchP50Ms: 20,
        searchP95Ms: percentile(search, 0.95),
        limitSearchP95Ms: 50,
        fetchP50Ms: percentile(fetch, 0.5),
        limitFetchP50Ms: 10,
        storeEpisodesPerSecond: Math.round(episodes / ((stored - storing) / 1000)),
        maintainSeconds: Number(((maintained - stored) / 1000).toFixed(1)),
        bytesPerEpisode: Math.round(bytes / episodes),
        memoryMBPerHour: Number((((bytes / episodes) * SEGMENTS_PER_HOUR) / 1e6).toFixed(3)),
        limitMemoryMBPerHour: 0.6,
      } satisfies Figures;
    } finally {
      await memory.close();
      models.close();
      await rm(dir, { recursive: true, force: true });
    }
  },
};
