import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelClient } from '../../../models/client.ts';
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';
import { FootnoteError } from '../../contract/errors.ts';
import { createEngine } from '../../engine/engine.ts';
import { spawnNodeProcess } from '../../engine/processes.ts';
import { folderSize } from '../../library/files.ts';
import { openLibrary } from '../../library/library.ts';
import { type LanceMemory, openMemory } from '../../memory/lance-memory.ts';
import { vectorAgreement } from '../../memory/testing/vector-agreement.ts';
import { createExtractiveReader } from '../../reading/extractive-reader.ts';
import { searchText } from '../../writing/search-text.ts';
import type { Bench, Figures } from './bench.ts';
import { numbers, percentile, SEGMENTS_PER_HOUR } from './generated.ts';
import { watchMemory } from './memory-use.ts';
import {
  EPISODES_A_DAY,
  type LifeWords,
  liveBatches,
  liveQuestion,
  ownWords,
  startOf,
  wordsOf,
} from './year-life.ts';

const DEFAULT_EPISODES = 350_000;
/** Episodes stored at once while the year is made. */
const BATCH = 3 * EPISODES_A_DAY;
/** What an import stores at once. */
const IMPORT_BATCH = 10;
const SEARCHES = 240;
const FETCHES = 200;
const ANSWERS = 48;
const AGREEMENT_QUESTIONS = 100;
const TOP = 32;
const DAY_MS = 86_400_000;
const TABLES = ['episodes', 'recordings', 'views', 'mentions', 'facts'];

/** The stated limits, by figure; agreement is a least, all others a most. */
const LIMITS: Record<string, number> = {
  searchP50Ms: 20,
  searchP95Ms: 50,
  fetchP50Ms: 10,
  answerP50Ms: 300,
  answerP95Ms: 300,
  dayRatio: 2,
  memoryMBPerHour: 0.6,
  openMs: 1_500,
};
const LEAST: Record<string, number> = { exactTop32Share: 0.99 };

async function timed(count: number, act: (n: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < count; n++) {
    const started = performance.now();
    await act(n);
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b);
}

async function seconds(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return Number(((performance.now() - started) / 1000).toFixed(1));
}

const say = (words: string): void => {
  process.stderr.write(`${words}\n`);
};

/** Every third question is about a week, every third about one wearer: what a filter costs is part of the figure. */
function searchOf(n: number, episodes: number, words: LifeWords, random: Generator<number, never>) {
  const nowMs = startOf(episodes) + DAY_MS;
  const from = startOf(Math.floor(random.next().value * episodes));
  return {
    query: liveQuestion(n, words, random),
    timeAnchor: n % 3 === 1 ? { startMs: from, endMs: from + 7 * DAY_MS } : null,
    topK: TOP,
    nowMs,
    ...(n % 3 === 2 && { wearer: 'me' }),
  };
}

async function fill(memory: LanceMemory, episodes: number, words: LifeWords): Promise<Figures> {
  const writing = await seconds(async () => {
    let done = 0;
    for (const batch of liveBatches(0, episodes, BATCH, words)) {
      await memory.putEpisodes(batch);
      done += batch.length;
      if (done % (10 * BATCH) === 0) say(`${done} of ${episodes} stored`);
    }
  });
  return { storeEpisodesPerSecond: Math.round(episodes / writing), storeSeconds: writing };
}

/** Seconds that eight hours of footage cost, stored as an import does, and what folding them in costs after. */
async function addDay(memory: LanceMemory, from: number, words: LifeWords): Promise<[number, number]> {
  const storing = await seconds(async () => {
    for (const batch of liveBatches(from, from + EPISODES_A_DAY, IMPORT_BATCH, words))
      await memory.putEpisodes(batch);
  });
  return [storing, await seconds(() => memory.maintain())];
}

async function asked(memory: LanceMemory, episodes: number, words: LifeWords): Promise<Figures> {
  const random = numbers(11);
  const search = (n: number) => memory.search(searchOf(n, episodes, words, random));
  await timed(6, search);
  const all = new Map<number, number[]>([0, 1, 2].map((kind) => [kind, []]));
  const searches = await timed(SEARCHES, async (n) => {
    const started = performance.now();
    await search(n);
    all.get(n % 3)!.push(performance.now() - started);
  });
  const [plain, anchored, worn] = [0, 1, 2].map((kind) => all.get(kind)!.sort((a, b) => a - b));
  const pastAt = startOf(Math.floor(episodes / 2));
  const past = await timed(40, (n) =>
    memory.search({ ...searchOf(3 * n, episodes, words, random), nowMs: pastAt }),
  );
  const nowMs = startOf(episodes) + DAY_MS;
  const fetches = await timed(FETCHES, () => {
    const startMs = startOf(Math.floor(random.next().value * episodes));
    return memory.fetch({ timeAnchor: { startMs, endMs: startMs + 32 * 60_000 }, limit: 64, nowMs });
  });
  const page = await timed(20, () => {
    const at = startOf(Math.floor(random.next().value * episodes));
    return memory.episodesOfDay(new Date(at).toISOString().slice(0, 10), null, 200);
  });
  const reader = createExtractiveReader(memory);
  await reader.warm?.();
  const slowest = { question: '', ms: 0 };
  let found = 0;
  const answers = await timed(ANSWERS, async (n) => {
    const question = liveQuestion(n, words, random);
    const started = performance.now();
    const answer = await reader.ask(question, { nowMs: startOf(episodes) - DAY_MS / 2, zone: 'UTC' });
    const ms = performance.now() - started;
    if (answer.found) found += 1;
    if (ms > slowest.ms) Object.assign(slowest, { question, ms });
  });
  const cells = await timed(20, (n) =>
    memory.cells.retrieve({ question: liveQuestion(n, words, random), nowMs }),
  );
  return {
    searchP50Ms: percentile(searches, 0.5),
    searchP95Ms: percentile(searches, 0.95),
    searchPlainP50Ms: percentile(plain!, 0.5),
    searchAnchoredP50Ms: percentile(anchored!, 0.5),
    searchWearerP50Ms: percentile(worn!, 0.5),
    searchMidYearP50Ms: percentile(past, 0.5),
    fetchP50Ms: percentile(fetches, 0.5),
    fetchP95Ms: percentile(fetches, 0.95),
    dayPageP50Ms: percentile(page, 0.5),
    answerP50Ms: percentile(answers, 0.5),
    answerP95Ms: percentile(answers, 0.95),
    answersFound: `${found} of ${ANSWERS}`,
    slowestQuestion: `${slowest.question} (${slowest.ms.toFixed(0)} ms)`,
    cellsP50Ms: percentile(cells, 0.5),
    cellsP95Ms: percentile(cells, 0.95),
  };
}

async function agreement(dir: string, embedder: TextEmbedder, words: LifeWords): Promise<number | null> {
  const random = numbers(13);
  const questions = Array.from({ length: AGREEMENT_QUESTIONS }, (_, n) => liveQuestion(n, words, random));
  const share = await vectorAgreement(dir, await embedder.embed(questions, 'query'), TOP);
  return share === null ? null : Number(share.toFixed(4));
}

async function sizes(dir: string, episodes: number): Promise<Figures> {
  const hours = episodes / SEGMENTS_PER_HOUR;
  const figures: Figures = {
    memoryMBPerHour: Number(((await folderSize(dir)).bytes / 1e6 / hours).toFixed(4)),
  };
  for (const table of TABLES) {
    const names = [`${table}.lance`, `${table}_1.lance`]
      .map((name) => join(dir, name))
      .filter((at) => existsSync(at));
    const bytes = await Promise.all(names.map(async (name) => (await folderSize(name)).bytes));
    figures[`${table}MBPerHour`] = Number(
      (bytes.reduce((sum, one) => sum + one, 0) / 1e6 / hours).toFixed(4),
    );
  }
  return figures;
}

/** From nothing to the state of the library and its days on the screen. */
async function open(library: string): Promise<number> {
  const started = performance.now();
  const engine = await createEngine({ library, spawn: spawnNodeProcess, zone: 'UTC' });
  try {
    await engine.client.status();
    await engine.client.timeline.days();
    return Number((performance.now() - started).toFixed(0));
  } finally {
    await engine.close();
  }
}

function judged(figures: Figures): Figures {
  const out: Figures = {};
  for (const [name, value] of Object.entries(figures)) {
    out[name] = value;
    const most = LIMITS[name];
    const least = LEAST[name];
    if (typeof value !== 'number' || (most === undefined && least === undefined)) continue;
    const ok = most === undefined ? value >= least! : value <= most;
    out[`  ${name} limit`] = `${most === undefined ? '≥' : '≤'} ${most ?? least} ${ok ? 'ok' : 'over'}`;
  }
  return out;
}

export const yearBench: Bench = {
  name: 'year',
  summary:
    'a year of footage in one library: what search, fetch, answers, adding a day and opening cost, and bytes an hour',
  usage: `year [EPISODES] [--narrations=EPISODES.jsonl] [--library=DIR] (default ${DEFAULT_EPISODES}; a library given is kept, and reused when it holds that many)`,
  async run(args, options) {
    const episodes = args[0] ? Number(args[0]) : DEFAULT_EPISODES;
    if (!Number.isInteger(episodes) || episodes < EPISODES_A_DAY)
      throw new FootnoteError('BAD_REQUEST', `Give a whole number of episodes, ${EPISODES_A_DAY} or more.`);
    const words = typeof options.narrations === 'string' ? await wordsOf(options.narrations) : ownWords();
    const kept = typeof options.library === 'string' ? options.library : null;
    const dir = kept ?? (await mkdtemp(join(tmpdir(), 'footnote-bench-')));
    const embedding = createModelClient(spawnNodeProcess);
    const embedder = embedding.textEmbedder();
    const stopWatching = watchMemory();
    const figures: Figures = { episodes, words: options.narrations ? 'from a file' : 'own' };
    // A year takes long: what is known is told as it comes.
    const tell = (part: Figures): void => {
      Object.assign(figures, part);
      for (const [name, value] of Object.entries(part)) say(`${name} ${value}`);
    };
    let memory: LanceMemory | null = null;
    try {
      const library = await openLibrary(join(dir, 'year'));
      const at = library.memoryDir;
      memory = await openMemory({ dir: at, embedder, searchText });
      if ((await memory.count()).episodes < episodes) {
        const sample = [...liveBatches(0, BATCH, BATCH, words)].flat().map(searchText);
        const took = await seconds(() => embedder.embed(sample, 'passage'));
        figures.embedEpisodesPerSecond = Math.round(sample.length / Math.max(0.1, took));
        tell(await fill(memory, episodes, words));
      }
      tell({ maintainSeconds: await seconds(() => memory!.maintain()) });
      tell(await sizes(at, (await memory.count()).episodes));
      tell({
        daysFirstMs: percentile(await timed(1, () => memory!.days()), 0),
        daysAgainMs: percentile(await timed(20, () => memory!.days()), 0.5),
      });
      tell(await asked(memory, episodes, words));
      tell({ exactTop32Share: await agreement(at, embedder, words) });
      const empty = await openMemory({ dir: join(dir, `empty-${process.pid}`), embedder, searchText });
      const [first, firstFold] = await addDay(empty, 0, words);
      await empty.close();
      const [later, laterFold] = await addDay(memory, (await memory.count()).episodes, words);
      tell({
        dayInEmptySeconds: first,
        dayInYearSeconds: later,
        dayRatio: Number((later / first).toFixed(2)),
        foldInEmptySeconds: firstFold,
        foldInYearSeconds: laterFold,
      });
      await memory.close();
      memory = null;
      await library.release();
      tell({ openMs: await open(join(dir, 'year')) });
      const peak = stopWatching();
      figures.peakMB = peak && Math.round(peak.peakBytes / 1e6);
      return judged(figures);
    } finally {
      stopWatching();
      await memory?.close();
      embedding.close();
      await rm(kept ? join(dir, `empty-${process.pid}`) : dir, { recursive: true, force: true });
    }
  },
};
