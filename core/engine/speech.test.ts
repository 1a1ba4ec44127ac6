import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpawnProcess } from '../../models/port.ts';
import { wordErrorRate } from '../../models/speech/testing/word-errors.ts';
import { openStore } from '../../models/store/index.ts';
import type { Episode, ImportJob } from '../contract/index.ts';
import { runTool } from '../footage/ffmpeg.ts';
import { createEngine, type Engine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';

const SHARED = join(import.meta.dirname, '../../../shared');
const MODELS = join(SHARED, 'models');
const WEBB = join(SHARED, 'data/footage/nasa-webb-speech.mp4');
const there = existsSync(join(MODELS, 'openai/whisper-tiny.en')) && existsSync(WEBB);
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-speech-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function opened<T>(
  library: string,
  act: (engine: Engine) => Promise<T>,
  spawn: SpawnProcess = spawnNodeProcess,
): Promise<T> {
  const engine = await createEngine({ library, spawn, zone: 'UTC' });
  try {
    return await act(engine);
  } finally {
    await engine.close();
  }
}

function imported(
  library: string,
  path: string,
  spawn?: SpawnProcess,
): Promise<{ job: ImportJob; episodes: Episode[] }> {
  return opened(
    library,
    async (engine) => {
      let job = await engine.client.imports.start({ paths: [path] });
      for await (const change of await engine.client.imports.watch({ id: job.id })) job = change;
      const episodes: Episode[] = [];
      for (const { day } of await engine.client.timeline.days()) {
        episodes.push(...(await engine.client.timeline.day({ day })).episodes);
      }
      return { job, episodes };
    },
    spawn,
  );
}

async function checkOf(library: string) {
  const { checks } = await opened(library, (engine) => engine.client.status());
  return checks.find(({ name }) => name === 'speech recognition');
}

describe('without a speech model', () => {
  it('is nothing missing, and the doctor says what a model would add and how to get it', async () => {
    const check = await checkOf(join(dir, 'bare'));
    expect(check).toMatchObject({ ok: true });
    expect(check!.detail).toMatch(/no model is here.*subtitle.*footnote models get whisper-base/is);
  });
});

const title = there
  ? 'with a speech model'
  : 'with a speech model: skipped, no whisper-tiny.en or footage at ../shared';
describe.skipIf(!there)(title, () => {
  const library = () => join(dir, 'library');
  const mute = () => join(dir, 'webb.mp4');
  beforeAll(async () => {
    await mkdir(library());
    await openStore({ dir: join(library(), 'models'), folders: [MODELS] }).get('whisper-tiny.en');
    await runTool('ffmpeg', ['-v', 'error', '-i', WEBB, '-map', '0:3', '-map', '0:4', '-c', 'copy', mute()], {
      timeoutMs: 60_000,
    });
  });

  it('says which one hears', async () => {
    expect(await checkOf(library())).toEqual({
      name: 'speech recognition',
      ok: true,
      detail: 'Whisper tiny, English hears what is said',
    });
  });

  it('writes down what is said in footage without subtitles, and it is found', async () => {
    const { job, episodes } = await imported(library(), mute());
    expect(job.files[0]).toMatchObject({ outcome: 'imported' });
    expect(job.files[0]!.notes.join()).not.toMatch(/speech/i);
    const lines = episodes.flatMap(({ record }) => record.transcript);
    expect(lines.map(({ source }) => source)).toEqual(lines.map(() => 'speech-recognised'));
    const truth =
      "This is the optical and science segment of the Webb space telescope in one of the largest clean rooms in the world at NASA's Goddard Space Flight Center in Greenbelt, Maryland.";
    expect(wordErrorRate(truth, lines.map(({ text }) => text).join(' '))).toBeLessThan(0.05);
    const [found] = await opened(library(), (engine) => engine.client.memory.search({ query: 'telescope' }));
    expect(found!.episode.id).toBe(episodes[0]!.id);
  });

  /** A library of its own with the model in it, and a few seconds of the footage. */
  async function fresh(name: string): Promise<{ library: string; clip: string }> {
    const library = join(dir, name);
    await mkdir(library);
    await openStore({ dir: join(library, 'models'), folders: [MODELS] }).get('whisper-tiny.en');
    const card = join(dir, `${name}-card`);
    await mkdir(card);
    const clip = join(card, 'clip.mp4');
    await runTool('ffmpeg', ['-v', 'error', '-i', mute(), '-t', '4', '-c', 'copy', clip], {
      timeoutMs: 60_000,
    });
    return { library, clip };
  }

  it('goes on without words when the model has changed on disk, and says so', async () => {
    const { library, clip } = await fresh('changed');
    const weights = join(library, 'models/installed/whisper-tiny.en/onnx/encoder_model_quantized.onnx');
    await writeFile(weights, Buffer.alloc((await stat(weights)).size));
    const { job, episodes } = await imported(library, clip);
    expect(job.files[0]).toMatchObject({ outcome: 'imported', episodes: 1 });
    expect(job.files[0]!.notes.join()).toMatch(/Speech is not recognised: Whisper tiny, English is damaged/);
    expect(episodes[0]!.record.transcript).toEqual([]);
  });

  it('goes on without words when the model cannot be loaded, and knows that it is damaged from then on', async () => {
    const { library, clip } = await fresh('broken');
    const store = openStore({ dir: join(library, 'models'), folders: [] });
    const weights = join(library, 'models/installed/whisper-tiny.en/onnx/encoder_model_quantized.onnx');
    // As a failing disk does it: the bytes change, the date does not.
    const date = 1_750_000_000;
    await utimes(weights, date, date);
    await store.prepare('whisper-tiny.en');
    await writeFile(weights, Buffer.alloc((await stat(weights)).size));
    await utimes(weights, date, date);
    const { job, episodes } = await imported(library, clip);
    expect(job.files[0]).toMatchObject({ outcome: 'imported', episodes: 1 });
    expect(job.files[0]!.notes).toContain(
      'Speech could not be recognised in 1 segment: The speech model whisper-tiny.en cannot be loaded.',
    );
    expect(episodes[0]!.record.transcript).toEqual([]);
    expect((await store.state('whisper-tiny.en')).state).toBe('damaged');
    expect(await checkOf(library)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('is damaged'),
    });
  });

  it('reads footage without hearing it when hearing ends the process twice', async () => {
    const { library, clip } = await fresh('deadly');
    let deaths = 0;
    const spawn: SpawnProcess = (entry) => {
      const port = spawnNodeProcess(entry);
      return {
        ...port,
        post(message) {
          const { task } = message as { task?: { speech: unknown } };
          if (!task?.speech) return port.post(message);
          deaths += 1;
          port.kill();
        },
      };
    };
    const { job, episodes } = await imported(library, clip, spawn);
    expect(deaths).toBe(2);
    expect(job.files[0]).toMatchObject({ outcome: 'imported', episodes: 1 });
    expect(job.files[0]!.notes.join()).toMatch(/From 0 s on speech was not recognised/);
    expect(episodes[0]!.record.transcript).toEqual([]);
  });

  it('reads subtitles where there are some', async () => {
    const { library, clip } = await fresh('subtitled');
    await writeFile(clip.replace('mp4', 'srt'), '1\n00:00:01,000 --> 00:00:03,000\nWords of the subtitle.\n');
    const { episodes } = await imported(library, dirname(clip));
    const lines = episodes.flatMap(({ record }) => record.transcript);
    expect(lines.map(({ text, source }) => [text, source])).toEqual([
      ['Words of the subtitle.', 'speech-sidecar'],
    ]);
  });
});
