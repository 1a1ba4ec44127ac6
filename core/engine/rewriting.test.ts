import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpawnProcess } from '../../models/port.ts';
import type { ModelStore } from '../../models/store/index.ts';
import { drawFrames } from '../../models/writer/testing/scenes.ts';
import type { Episode, RewriteJob } from '../contract/index.ts';
import { runTool } from '../footage/ffmpeg.ts';
import { createEngine, type Engine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';
import { tinyWriterStore } from './testing/tiny-writer.ts';

const CUP = { place: 'table', object: 'cup', colour: 'red', count: 1, seed: 3 } as const;
const SEEN = 'footnote-vision-tiny-smolvlm';
const MEASURED = 'footnote-measured';
const SUBTITLES = '1\n00:00:02,000 --> 00:00:05,000\nRemember zanzibar.\n';

let dir: string;
let library: string;
let models: ModelStore;
let imported: Episode[];

async function open(
  options: { models?: ModelStore; spawn?: SpawnProcess } = {},
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const engine = await createEngine({ library, spawn: spawnNodeProcess, zone: 'UTC', ...options });
  try {
    await use(engine);
  } finally {
    await engine.close();
  }
}

async function episodesIn({ client }: Engine): Promise<Episode[]> {
  const episodes: Episode[] = [];
  for (const { day } of await client.timeline.days())
    episodes.push(...(await client.timeline.day({ day })).episodes);
  return episodes;
}

async function followed({ client }: Engine, id: string): Promise<RewriteJob> {
  let last: RewriteJob | null = null;
  for await (const job of await client.rewrite.watch({ id })) last = job;
  return last!;
}

const ALL = { scope: { what: 'all' } } as const;
const measuredClaims = ({ record }: Episode) =>
  record.claims.filter(({ source }) => source !== 'vision-model').map(({ text }) => text);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-rewrites-'));
  library = join(dir, 'library');
  models = await tinyWriterStore(dir);
  const [frame] = await drawFrames(CUP, 1);
  const { rgb, width, height } = frame!;
  const still = join(dir, 'cup.png');
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(still);
  const film = join(dir, 'GX010078.MP4');
  await writeFile(join(dir, 'GX010078.srt'), SUBTITLES);
  const picture = ['-loop', '1', '-framerate', '10', '-t', '62', '-i', still];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  await runTool('ffmpeg', ['-v', 'error', ...picture, ...coding, film]);
  await open({}, async (engine) => {
    const { id } = await engine.client.imports.start({ paths: [film, join(dir, 'GX010078.srt')] });
    for await (const job of await engine.client.imports.watch({ id })) void job;
    imported = await episodesIn(engine);
  });
  // Nothing but the library is needed from here on.
  await rm(film);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe('rewriting what the measured writer wrote', () => {
  it('is offered where a better writer is here, and not begun by itself', async () => {
    expect(imported.map(({ writer }) => writer.name)).toEqual([MEASURED, MEASURED, MEASURED]);
    await open({ models }, async (engine) => {
      const { checks } = await engine.client.status();
      expect(checks).toContainEqual({
        name: 'episodes to rewrite',
        ok: true,
        detail: expect.stringContaining('3 episodes were written by another writer'),
      });
      expect(await engine.client.rewrite.plan(ALL)).toMatchObject({
        writer: { name: SEEN },
        episodes: 3,
        by: [{ name: MEASURED, version: '1', episodes: 3 }],
        already: 0,
        cannot: 0,
      });
      expect(await engine.client.rewrite.list()).toEqual([]);
      expect(await episodesIn(engine)).toEqual(imported);
    });
    await open({}, async (engine) => {
      const { checks } = await engine.client.status();
      expect(checks.map(({ name }) => name)).not.toContain('episodes to rewrite');
      expect(await engine.client.rewrite.plan(ALL)).toMatchObject({ episodes: 0, already: 3 });
    });
  });

  it('says what is wrong with a writer that is asked for', async () => {
    await open({ models }, async ({ client }) => {
      await expect(client.rewrite.start({ ...ALL, writer: 'nobody' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });
    await open({}, async ({ client }) => {
      const wanted = client.rewrite.start({ ...ALL, writer: 'smolvlm2-256m' });
      await expect(wanted).rejects.toMatchObject({ code: 'MODEL_MISSING' });
    });
  });

  it('writes from what is kept, remembers what was said, and keeps every measured statement', async () => {
    await open({ models }, async (engine) => {
      const before = await engine.client.memory.search({ query: 'red cup' });
      const { id } = await engine.client.rewrite.start(ALL);
      await expect(engine.client.rewrite.start(ALL)).rejects.toMatchObject({ code: 'LIBRARY_BUSY' });
      expect(await followed(engine, id)).toMatchObject({
        state: 'done',
        total: 3,
        done: 3,
        rewritten: 3,
        left: 0,
      });
      const now = await episodesIn(engine);
      for (const [n, episode] of now.entries()) {
        expect(episode.writer.name).toBe(SEEN);
        expect(episode.text).toContain('red cup on a wooden table');
        expect(measuredClaims(episode)).toEqual(measuredClaims(imported[n]!));
        expect(episode.record.transcript).toEqual(imported[n]!.record.transcript);
        expect(episode.history).toHaveLength(1);
        expect(episode.history![0]).toMatchObject({ text: imported[n]!.text, writer: imported[n]!.writer });
      }
      // The second segment shows what the first does, but nothing is said in it: it stands still.
      expect(now.map(({ carriedFrom }) => carriedFrom ?? null)).toEqual([null, now[0]!.id, now[0]!.id]);
      const found = await engine.client.memory.search({ query: 'red cup' });
      const nearest = Math.max(...found.map(({ cosine }) => cosine!));
      expect(nearest).toBeGreaterThan(Math.max(...before.map(({ cosine }) => cosine!)) + 0.1);
      // What is by this writer is passed over.
      expect(await engine.client.rewrite.plan(ALL)).toMatchObject({ episodes: 0, already: 3 });
      expect((await engine.client.status()).checks.map(({ name }) => name)).not.toContain(
        'episodes to rewrite',
      );
    });
  });

  it('gives up no model’s words for measured ones unless asked, and takes the last rewrite back', async () => {
    await open({}, async (engine) => {
      expect(await engine.client.rewrite.plan(ALL)).toMatchObject({ episodes: 0, already: 3 });
      const { id } = await engine.client.rewrite.start({ ...ALL, writer: 'measured' });
      expect(await followed(engine, id)).toMatchObject({ state: 'done', rewritten: 3 });
      const plain = await episodesIn(engine);
      expect(plain.map(({ text }) => text)).toEqual(imported.map(({ text }) => text));
      expect(plain.map(({ history }) => history!.length)).toEqual([2, 2, 2]);
      expect(await engine.client.rewrite.undo(ALL)).toEqual({ episodes: 3 });
      const seen = await episodesIn(engine);
      expect(seen.map(({ writer }) => writer.name)).toEqual([SEEN, SEEN, SEEN]);
      expect(seen[1]!.carriedFrom).toBe(seen[0]!.id);
      await engine.client.rewrite.undo(ALL);
      const first = await episodesIn(engine);
      expect(first.map(({ history, carriedFrom, ...rest }) => rest)).toEqual(imported);
      expect(await engine.client.rewrite.undo(ALL)).toEqual({ episodes: 0 });
    });
  });

  it('leaves episodes as they were when the model fails, and says so', async () => {
    const spawn: SpawnProcess = (entry) => {
      const port = spawnNodeProcess(entry);
      return {
        ...port,
        post: (message) => {
          port.post(message);
          if ((message as { task?: string }).task === 'describe') port.kill();
        },
      };
    };
    await open({ models, spawn }, async (engine) => {
      const { id } = await engine.client.rewrite.start(ALL);
      const job = await followed(engine, id);
      expect(job).toMatchObject({ state: 'failed', rewritten: 0, left: 3, error: { code: 'MODEL_FAILED' } });
      expect((await episodesIn(engine)).map(({ text }) => text)).toEqual(imported.map(({ text }) => text));
    });
  });

  it('can be stopped, and brings nothing back that was forgotten meanwhile', async () => {
    await open({ models }, async (engine) => {
      const { id } = await engine.client.rewrite.start(ALL);
      const { recordingId } = imported[0]!;
      await engine.client.privacy.forget({ what: 'recording', recordingId });
      const job = await followed(engine, id);
      expect(job.state).toBe('done');
      expect(job.rewritten).toBe(0);
      expect(await episodesIn(engine)).toEqual([]);
      const stopped = await engine.client.rewrite.start(ALL);
      expect((await engine.client.rewrite.cancel({ id: stopped.id })).state).toMatch(/cancelled|done/u);
    });
    for (const file of await readdir(join(library, 'memory'), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const bytes = await readFile(join(file.parentPath, file.name));
      expect(bytes.includes('zanzibar'), file.name).toBe(false);
    }
  });
});
