import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../models/store/index.ts';
import { FootnoteError } from '../../contract/errors.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import { createModelCare } from '../../engine/model-care.ts';
import { spawnNodeProcess } from '../../engine/processes.ts';
import { openTextModels } from '../../engine/text-models.ts';
import { searchText } from '../../writing/search-text.ts';
import type { Bench, Figures } from './bench.ts';
import { makeEpisode, makeQuestion, numbers, percentile, SEGMENT_MS, START_MS } from './generated.ts';

const DEFAULT_EPISODES = 300;
const IDLE_SEARCHES = 100;

export const textModelBench: Bench = {
  name: 'text-model',
  summary:
    'another text embedding under a library that is searched all the time: episodes a second, search latency against idle',
  usage: `text-model --models=FOLDER [EPISODES] [--model=minilm-l6-int8] (default ${DEFAULT_EPISODES})`,
  async run(args, { models: folder, model = 'minilm-l6-int8' }) {
    const episodes = Number(args[0] ?? DEFAULT_EPISODES);
    if (
      !Number.isInteger(episodes) ||
      episodes < 1 ||
      typeof folder !== 'string' ||
      typeof model !== 'string'
    )
      throw new FootnoteError('BAD_REQUEST', 'Give a whole number of episodes, and --models=FOLDER.');
    const library = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
    let engine: Engine | null = null;
    try {
      const store = openStore({ dir: join(library, 'models'), folders: [folder] });
      engine = await createEngine({ library, spawn: spawnNodeProcess, zone: 'UTC', models: store });
      await engine.close();
      await fill(library, episodes);
      engine = await createEngine({ library, spawn: spawnNodeProcess, zone: 'UTC', models: store });
      await engine.textModels.settled();
      const random = numbers(11);
      const nowMs = START_MS + episodes * SEGMENT_MS;
      let failed = 0;
      let withMeaning = 0;
      const search = async (): Promise<number> => {
        const started = performance.now();
        const found = await engine!.client.memory.search({ query: makeQuestion(random), nowMs });
        if (found.length === 0) failed += 1;
        if (found.some(({ cosine }) => cosine !== null)) withMeaning += 1;
        return performance.now() - started;
      };
      for (let n = 0; n < 5; n++) await search();
      const idle = await timed(search, () => false, IDLE_SEARCHES);
      failed = 0;
      withMeaning = 0;
      await store.get(model);
      const toModel = await takeUp(engine, store, model, search);
      const idleWith = await timed(search, () => false, IDLE_SEARCHES);
      const back = await takeUp(engine, store, 'footnote-static-1', search);
      const idleP50 = percentile(idle, 0.5);
      return {
        episodes,
        idleSearchP50Ms: idleP50,
        idleSearchP95Ms: percentile(idle, 0.95),
        toModelSeconds: toModel.seconds,
        toModelEpisodesPerSecond: Number((episodes / toModel.seconds).toFixed(1)),
        toModelSearches: toModel.taken.length,
        toModelSearchP50Ms: percentile(toModel.taken, 0.5),
        toModelSearchP95Ms: percentile(toModel.taken, 0.95),
        toModelRatio: Number((percentile(toModel.taken, 0.5) / idleP50).toFixed(2)),
        limitToModelRatio: 2,
        backSeconds: back.seconds,
        idleWithModelP50Ms: percentile(idleWith, 0.5),
        backSearchP50Ms: percentile(back.taken, 0.5),
        backRatio: Number((percentile(back.taken, 0.5) / percentile(idleWith, 0.5)).toFixed(2)),
        searchesWithoutResult: failed,
        limitSearchesWithoutResult: 0,
        searchesWithoutMeaning: toModel.taken.length + idleWith.length + back.taken.length - withMeaning,
      } satisfies Figures;
    } finally {
      await engine?.close();
      await rm(library, { recursive: true, force: true });
    }
  },
};

/** Generated episodes with the built-in vectors. */
async function fill(library: string, episodes: number): Promise<void> {
  const store = openStore({ dir: join(library, 'models'), folders: [] });
  const models = await openTextModels({
    store,
    care: createModelCare(store, new AbortController().signal),
    spawn: spawnNodeProcess,
    memoryDir: join(library, 'memory'),
    searchText,
    readOnly: false,
    follow: false,
  });
  const random = numbers(7);
  await models.memory.putEpisodes(Array.from({ length: episodes }, (_, n) => makeEpisode(n, random)));
  await models.memory.maintain();
  await models.close();
}

/** Chooses a model and searches without a pause until its vectors are all there. Times ascending, ms. */
async function takeUp(
  engine: Engine,
  store: ReturnType<typeof openStore>,
  id: string,
  search: () => Promise<number>,
): Promise<{ seconds: number; taken: number[] }> {
  const started = performance.now();
  await store.use('text-embedding', id);
  await engine.textModels.takeUpTextModel();
  let ended = false;
  const settled = engine.textModels.settled().then((trouble) => {
    ended = true;
    return trouble;
  });
  const taken = await timed(search, () => ended);
  const trouble = await settled;
  if (trouble !== null) throw new FootnoteError('MODEL_FAILED', trouble);
  return { seconds: Number(((performance.now() - started) / 1000).toFixed(1)), taken };
}

async function timed(
  act: () => Promise<number>,
  ended: () => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < most && !ended()) taken.push(await act());
  return taken.sort((a, b) => a - b);
}
