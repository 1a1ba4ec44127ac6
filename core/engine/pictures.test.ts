import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  drawJpeg,
  TINY_CLIP,
  TINY_CLIP_FOLDER,
} from '../../models/embedding/image-text/testing/tiny-clip.ts';
import type { SpawnProcess } from '../../models/port.ts';
import { type ModelStore, openStore } from '../../models/store/index.ts';
import type { Answer, Status } from '../contract/index.ts';
import { runTool } from '../footage/ffmpeg.ts';
import { createEngine, type Engine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';

const SCENES = [
  { place: 'table', object: 'cup', colour: 'red', count: 1, seed: 3 },
  { place: 'street', object: 'bicycle', colour: 'blue', count: 1, seed: 11 },
] as const;
/** A whole segment, and a short one. */
const SECONDS = [30, 6];
const LOOKED_AT = /^Tiny CLIP: \d keyframes can be found by what they show \(2 of 2 episodes looked at\)$/;

let dir: string;
let film: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-engine-pictures-'));
  film = join(dir, 'GX010088.MP4');
  const inputs: string[] = [];
  for (const [n, scene] of SCENES.entries()) {
    const png = join(dir, `${n}.png`);
    await writeFile(
      png,
      await sharp(await drawJpeg(scene))
        .png()
        .toBuffer(),
    );
    inputs.push('-loop', '1', '-framerate', '10', '-t', `${SECONDS[n]}`, '-i', png);
  }
  const joined = SCENES.map((_, n) => `[${n}:v]`).join('');
  await runTool(
    'ffmpeg',
    [
      ...['-v', 'error', ...inputs, '-filter_complex', `${joined}concat=n=${SCENES.length},format=yuv420p`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-metadata', 'creation_time=2026-06-01T08:00:00Z', film],
    ],
    {},
  );
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function storeWith(name: string, there: boolean): Promise<ModelStore> {
  const store = openStore({ dir: join(dir, `${name}-models`), catalogue: [TINY_CLIP] });
  if (there) await store.get('tiny-clip', { from: TINY_CLIP_FOLDER });
  return store;
}

async function opened<T>(
  library: string,
  models: ModelStore,
  act: (engine: Engine) => Promise<T>,
  spawn: SpawnProcess = spawnNodeProcess,
): Promise<T> {
  const engine = await createEngine({ library: join(dir, library), spawn, zone: 'UTC', models });
  try {
    return await act(engine);
  } finally {
    await engine.close();
  }
}
async function importFilm(engine: Engine): Promise<string> {
  let job = await engine.client.imports.start({ paths: [film] });
  for await (const change of await engine.client.imports.watch({ id: job.id })) job = change;
  return job.state;
}
async function ask(engine: Engine, question: string): Promise<Answer> {
  for await (const event of await engine.client.ask({ question, withoutModel: true })) {
    if (event.type === 'answer') return event.answer;
  }
  throw new Error('There was no answer.');
}
async function check(engine: Engine): Promise<Status['checks'][number]> {
  return (await engine.client.status()).checks.find(({ name }) => name === 'pictures')!;
}

describe('pictures in a library', () => {
  it('are looked at with the import, and answer a question that no words do', async () => {
    const models = await storeWith('whole', true);
    await opened('whole', models, async (engine) => {
      expect(await importFilm(engine)).toBe('done');
      expect((await check(engine)).detail).toMatch(LOOKED_AT);
      const answer = await ask(engine, 'Where did I see a blue bicycle?');
      expect(answer.answer).toMatch(/looks like “blue bicycle”, though no words say so/);
      const { episodeId, startMs, atMs, keyframe } = answer.footnotes[0]!;
      expect(startMs).toBe(Date.UTC(2026, 5, 1, 8, 0, 30));
      const episode = await engine.client.episodes.get({ id: episodeId });
      expect(episode.keyframes[Number(keyframe!.split('/').at(-1))]!.atMs).toBe(atMs);
      expect((await ask(engine, 'What did Anna say about a blue bicycle?')).found).toBe(false);
      expect((await ask(engine, 'Where did I see an orange laptop?')).found).toBe(false);
    });
    // Without the model the same library is what it would be without pictures.
    await opened('whole', await storeWith('none', false), async (engine) => {
      expect(await check(engine)).toMatchObject({
        ok: true,
        detail: expect.stringContaining('no model is here'),
      });
      expect((await ask(engine, 'Where did I see a blue bicycle?')).found).toBe(false);
      const found = await engine.client.memory.search({ query: 'blue bicycle' });
      expect(found.every(({ pictureScore }) => pictureScore === null)).toBe(true);
    });
  });

  it('do not keep an import from ending when the model fails; once it is whole they follow in the background', async () => {
    const models = await storeWith('broken', true);
    const { model } = await models.locate('image-embedding');
    const weights = join(model!.folder, 'onnx', 'vision_model_quantized.onnx');
    await writeFile(weights, Buffer.alloc((await readFile(weights)).length));
    await opened('broken', models, async (engine) => {
      expect(await importFilm(engine)).toBe('done');
      expect(await check(engine)).toMatchObject({
        ok: false,
        detail: expect.stringMatching(/cannot be loaded/),
      });
      expect((await ask(engine, 'Where did I see a blue bicycle?')).found).toBe(false);
    });
    await cp(join(TINY_CLIP_FOLDER, 'onnx', 'vision_model_quantized.onnx'), weights);
    await opened('broken', models, async (engine) => {
      while (!LOOKED_AT.test((await check(engine)).detail)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect((await ask(engine, 'Where did I see a blue bicycle?')).found).toBe(true);
    });
  });
});
