import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelClient } from '../../../models/client.ts';
import { FootnoteError } from '../../contract/errors.ts';
import type { ImportJob } from '../../contract/index.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import { spawnNodeProcess } from '../../engine/processes.ts';
import { tinyWriterStore } from '../../engine/testing/tiny-writer.ts';
import { runTool } from '../../footage/ffmpeg.ts';
import { openLibrary } from '../../library/library.ts';
import { openMemory } from '../../memory/lance-memory.ts';
import { searchText } from '../../writing/search-text.ts';
import type { Bench, Figures } from './bench.ts';
import { makeEpisode, makeQuestion, numbers, percentile, SEGMENT_MS, START_MS } from './generated.ts';

const DEFAULT_EPISODES = 5_000;
const DEFAULT_SECONDS = 150;
const BATCH = 1_000;
const QUERIES = 100;
/** Between one question and the next: somebody asks, nobody asks without pause. */
const PAUSE_MS = 40;
/** Questions before any is counted: sessions load, caches fill. */
const WARM_UP = 10;

async function fill(dir: string, count: number): Promise<void> {
  const library = await openLibrary(dir);
  const models = createModelClient(spawnNodeProcess);
  const memory = await openMemory({ dir: library.memoryDir, embedder: models.textEmbedder(), searchText });
  const random = numbers(7);
  for (let n = 0; n < count; n += BATCH) {
    const size = Math.min(BATCH, count - n);
    await memory.putEpisodes(Array.from({ length: size }, (_, i) => makeEpisode(n + i, random)));
  }
  await memory.maintain();
  await memory.close();
  models.close();
  await library.release();
}

/** Full HD, moving all over, so that every segment is looked at. */
async function makeFilm(path: string, seconds: number): Promise<void> {
  const source = ['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=30:d=${seconds}`];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '12M', '-pix_fmt', 'yuv420p'];
  const made = await runTool('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...source, ...coding, path], {
    timeoutMs: 600_000,
  });
  if (made.code !== 0)
    throw new FootnoteError('INTERNAL', `The bench's own film could not be made: ${made.stderr}`);
}

export const askingBench: Bench = {
  name: 'asking',
  summary:
    'search_memory while an import is read and written by a model, over the same when nothing else runs',
  usage: `asking [EPISODES] [SECONDS OF FOOTAGE] (default ${DEFAULT_EPISODES} ${DEFAULT_SECONDS})`,
  async run(args) {
    const episodes = Number(args[0] ?? DEFAULT_EPISODES);
    const seconds = Number(args[1] ?? DEFAULT_SECONDS);
    if (!Number.isInteger(episodes) || episodes < 1 || !(seconds > 0))
      throw new FootnoteError('BAD_REQUEST', 'Give a number of episodes and one of seconds.');
    const dir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
    let engine: Engine | null = null;
    try {
      const library = join(dir, 'library');
      await fill(library, episodes);
      const film = join(dir, 'GX010001.MP4');
      await makeFilm(film, seconds);
      const opened = await createEngine({
        library,
        spawn: spawnNodeProcess,
        zone: 'UTC',
        models: await tinyWriterStore(dir),
      });
      engine = opened;
      const random = numbers(11);
      const nowMs = START_MS + episodes * SEGMENT_MS;
      const ask = async () => {
        const query = makeQuestion(random);
        const started = performance.now();
        await opened.client.memory.search({ query, nowMs });
        const took = performance.now() - started;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        return took;
      };
      const asked = async (count: number) => {
        const taken: number[] = [];
        for (let n = 0; n < count; n += 1) taken.push(await ask());
        return taken;
      };
      await asked(WARM_UP);
      const before = await asked(QUERIES);
      const { id } = await opened.client.imports.start({ paths: [film] });
      const job = { now: null as ImportJob | null, over: false };
      const followed = (async () => {
        for await (const change of await opened.client.imports.watch({ id })) job.now = change;
        job.over = true;
      })();
      const during: number[] = [];
      while (!job.over) during.push(await ask());
      await followed;
      // Idle on both sides of it: whatever else this computer does counts on neither.
      const idle = [...before, ...(await asked(QUERIES))].sort((a, b) => a - b);
      during.sort((a, b) => a - b);
      const ratio = (share: number) =>
        Number((percentile(during, share) / percentile(idle, share)).toFixed(2));
      return {
        episodes,
        footageSeconds: seconds,
        writtenByModel: job.now?.episodes ?? 0,
        questionsIdle: idle.length,
        questionsDuring: during.length,
        idleP50Ms: percentile(idle, 0.5),
        duringP50Ms: percentile(during, 0.5),
        ratioP50: ratio(0.5),
        idleP95Ms: percentile(idle, 0.95),
        duringP95Ms: percentile(during, 0.95),
        ratioP95: ratio(0.95),
        limitRatio: 2,
      } satisfies Figures;
    } finally {
      await engine?.close();
      await rm(dir, { recursive: true, force: true });
    }
  },
};
