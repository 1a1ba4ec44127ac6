import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelClient } from '../../../models/client.ts';
import { FootnoteError } from '../../contract/errors.ts';
import { spawnNodeProcess } from '../../engine/processes.ts';
import { folderSize } from '../../library/files.ts';
import { openMemory } from '../../memory/lance-memory.ts';
import { searchText } from '../../writing/search-text.ts';
import type { Bench, Figures } from './bench.ts';
import {
  makeEpisode,
  makeQuestion,
  numbers,
  percentile,
  SEGMENT_MS,
  SEGMENTS_PER_HOUR,
  START_MS,
} from './generated.ts';

const DEFAULT_EPISODES = 20_000;
const BATCH = 2_000;
const QUERIES = 200;
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
      const question = () => makeQuestion(ask);
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
