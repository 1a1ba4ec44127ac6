import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaceDetector, loadFaceDetector } from '../../models/faces/face-detector.ts';
import type { PlannedChapter } from '../footage/plan.ts';
import { probe } from '../footage/probe.ts';
import { makeClip, makeTestFolder } from '../footage/testing/make-clip.ts';
import type { Observation } from './observation.ts';
import type { PerceiveDeps } from './perceive-chapter.ts';
import type { PerceiveTask } from './task.ts';
import { makeFaceFilm } from './testing/face-film.ts';
import * as film from './testing/perceive-film.ts';

const { CHAPTER, START, chapterOf, filesOf, framesOf, pictureOf, readFrom, taskOf } = film;
const REAL = join(import.meta.dirname, '../../../shared/data/footage');
let dir: string;
let filmPath: string;
let detector: FaceDetector;

beforeAll(async () => {
  dir = await makeTestFolder('perceive');
  filmPath = join(dir, 'film.mp4');
  await makeFaceFilm(filmPath, 33, true);
  detector = (await loadFaceDetector())!;
});
afterAll(async () => {
  await detector?.dispose();
  await rm(dir, { recursive: true, force: true });
});

function perceive(
  name: string,
  chapter: PlannedChapter,
  change: film.PassChange & { task?: Partial<PerceiveTask> } = {},
): Promise<film.Pass & { task: PerceiveTask }> {
  const task = { ...taskOf(join(dir, name), chapter), ...change.task };
  return film.perceive(task, detector, change).then((pass) => ({ ...pass, task }));
}

const facesIn = (shown: Parameters<typeof film.countFaces>[0]) => film.countFaces(shown, detector);

describe('perceiving a chapter', () => {
  it('writes a redacted clip and keyframes a segment, and nothing else', async () => {
    const { result, observations, files, task, texts } = await perceive('whole', await chapterOf(filmPath));
    expect(result).toEqual({ decodedMs: task.chapter.durationMs, notes: [] });
    expect(files).toEqual({
      clips: [`${CHAPTER}-0000.mp4`, `${CHAPTER}-0001.mp4`],
      keyframes: [0, 1].flatMap((segment) => [0, 1, 2].map((n) => `${CHAPTER}-000${segment}-${n}.jpg`)),
      work: [],
    });
    const [first, second] = observations as [Observation, Observation];
    expect(first).toMatchObject({ index: 0, startMs: START, endMs: START + 30_000, zone: 'Europe/Warsaw' });
    expect(second).toMatchObject({
      index: 1,
      startMs: START + 30_000,
      endMs: START + task.chapter.durationMs,
    });
    expect(first.redaction).toMatchObject({ status: 'redacted', detector: 'blazeface-back-256' });
    expect(first.faces.most).toBe(1);
    expect(first.faces.share).toBeGreaterThan(0.95);
    expect(first.faces.spans).toHaveLength(1);
    expect(first.motion.level).toBeGreaterThan(0.001);
    expect(first.motion.cuts).toEqual([]);
    expect(first.light.black).toBe(0);
    expect(first.sound).toMatchObject({ silent: false });
    expect(first.clip).toMatchObject({ file: `${CHAPTER}-0000.mp4`, durationMs: 30_000 });
    expect(texts.map((frames) => frames.length)).toEqual([8, 8]);
    expect(texts[0]!.map((frame) => frame.atMs - START)).toEqual([
      1900, 5600, 9400, 13100, 16900, 20600, 24400, 28100,
    ]);

    const clip = join(task.clipsDir, files.clips[0]!);
    const media = await probe(clip);
    expect(media.video).toMatchObject({
      codec: 'h264',
      pixelFormat: 'yuv420p',
      width: 480,
      height: 270,
      rotation: 0,
    });
    expect(media.audio).toBeNull();
    expect(media.durationMs).toBe(30_000);
    const head = (await readFile(clip)).toString('latin1');
    expect(head.indexOf('moov')).toBeLessThan(head.indexOf('mdat'));
    expect(await facesIn(await framesOf(filmPath, 100))).toBeGreaterThan(3);
    expect(await facesIn(await framesOf(clip, 7))).toBe(0);
    for (const file of files.keyframes) {
      expect(await facesIn([await pictureOf(join(task.keyframesDir, file))])).toBe(0);
    }
  });

  it('resumes at a later segment with the same result', async () => {
    const chapter = await chapterOf(filmPath);
    const { observations, files } = await perceive('resumed', chapter, { task: { segments: [1] } });
    expect(files.clips).toEqual([`${CHAPTER}-0001.mp4`]);
    const whole = await perceive('again', chapter);
    const [resumed] = observations;
    const undisturbed = whole.observations[1]!;
    expect(resumed!.keyframes.map(({ atMs }) => atMs)).toEqual(undisturbed.keyframes.map(({ atMs }) => atMs));
    expect(resumed!.motion.level).toBeCloseTo(undisturbed.motion.level, 3);
    expect(resumed!.light).toEqual(undisturbed.light);
    expect(resumed!.clip!.durationMs).toBe(undisturbed.clip!.durationMs);
    expect(resumed!.faces.most).toBe(1);
  });

  it('keeps no picture at all without a face model, and still measures', async () => {
    const { observations, files } = await perceive('no-model', await chapterOf(filmPath), {
      deps: { faceDetector: null },
    });
    expect(files).toEqual({ clips: [], keyframes: [], work: [] });
    expect(observations).toHaveLength(2);
    expect(observations[0]).toMatchObject({ clip: null, keyframes: [] });
    expect(observations[0]!.redaction).toEqual({ status: 'no-pixels', detector: null, facesBlurred: 0 });
    expect(observations[0]!.motion.level).toBeGreaterThan(0.001);
  });

  it('keeps sound in the clip only when asked', async () => {
    const path = join(dir, 'short.mp4');
    await makeClip({ path, seconds: 3 });
    const { files, task } = await perceive('sound', await chapterOf(path), { task: { keepSound: true } });
    const media = await probe(join(task.clipsDir, files.clips[0]!));
    expect(media.audio).toMatchObject({ codec: 'aac', channels: 1 });
    expect(Math.abs(media.durationMs - 3000)).toBeLessThan(150);
    expect(files.work).toEqual([]);
  });

  it('gives speech recognition its sound only when no subtitle speaks', async () => {
    const path = join(dir, 'heard.mp4');
    await makeClip({ path, seconds: 3 });
    const chapter = await chapterOf(path);
    const lengths: number[] = [];
    const recogniseSpeech: PerceiveDeps['recogniseSpeech'] = async ({ samples, startMs }) => {
      lengths.push(samples.length);
      const source = 'speech-recognised';
      return [{ startMs, endMs: startMs + 500, speaker: null, text: 'hello', source, confidence: 0.5 }];
    };
    const heard = await perceive('heard', chapter, { deps: { recogniseSpeech } });
    expect(heard.observations[0]!.speech).toMatchObject([{ text: 'hello', startMs: START }]);
    expect(Math.abs(lengths[0]! - 48_000)).toBeLessThan(2_000);
    const cue = {
      startMs: 1000,
      endMs: 2000,
      speaker: 'Anna',
      text: 'Your keys',
      source: 'speech-sidecar' as const,
    };
    const read = await perceive('read', chapter, {
      deps: { recogniseSpeech, readSpeech: async () => [cue] },
    });
    expect(read.observations[0]!.speech).toMatchObject([
      { text: 'Your keys', speaker: 'Anna', startMs: START + 1000 },
    ]);
    expect(lengths).toHaveLength(1);
  });

  it('tells a black and silent film for what it is', async () => {
    const path = join(dir, 'black.mp4');
    await makeClip({ path, seconds: 2, source: 'color=black', sound: false });
    const { observations } = await perceive('black', await chapterOf(path));
    expect(observations[0]).toMatchObject({
      light: { black: 1 },
      motion: { still: 1, cuts: [] },
      sound: null,
    });
    expect(observations[0]!.keyframes).toHaveLength(1);
  });
});

describe('perceiving what is damaged or interrupted', () => {
  it('keeps what decodes of a file that is cut off, and says so', async () => {
    const chapter = await chapterOf(filmPath);
    const cut = join(dir, 'cut.mp4');
    const bytes = await readFile(filmPath);
    await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length * 0.5)));
    const { result, observations, files } = await perceive('cut', readFrom(chapter, cut));
    expect(result.decodedMs).toBeLessThan(25_000);
    expect(result.decodedMs).toBeGreaterThan(5_000);
    expect(result.notes.join()).toMatch(/ends early/);
    expect(observations).toHaveLength(1);
    expect(observations[0]!.endMs - START).toBe(result.decodedMs);
    expect(files.clips).toHaveLength(1);
    expect(files.work).toEqual([]);
  });

  it('gets through a file with broken pictures in it', async () => {
    const chapter = await chapterOf(filmPath);
    const broken = join(dir, 'broken.mp4');
    const bytes = await readFile(filmPath);
    for (let i = Math.floor(bytes.length * 0.4); i < bytes.length * 0.5; i += 3) bytes[i] = (i * 31) % 256;
    await writeFile(broken, bytes);
    const { observations } = await perceive('broken', readFrom(chapter, broken));
    expect(observations.length).toBeGreaterThan(0);
  });

  it('refuses a file of which not one picture can be read', async () => {
    const chapter = await chapterOf(filmPath);
    const garbage = join(dir, 'garbage.mp4');
    await writeFile(garbage, Buffer.alloc(100_000, 7));
    const pass = perceive('garbage', readFrom(chapter, garbage));
    await expect(pass).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    const folder = await filesOf(taskOf(join(dir, 'garbage'), chapter));
    expect(folder).toEqual({ clips: [], keyframes: [], work: [] });
  });

  it('refuses a file without a picture', async () => {
    const chapter = await chapterOf(filmPath);
    const silent = { ...chapter, picture: { ...chapter.picture, video: null } };
    await expect(perceive('voice', silent)).rejects.toMatchObject({ code: 'FILE_NO_PICTURE' });
  });

  it('stops at once when cancelled and leaves nothing unfinished behind', async () => {
    const abort = new AbortController();
    const chapter = await chapterOf(filmPath);
    let asked = 0;
    const untilResumed = async () => {
      asked += 1;
      if (asked === 40) abort.abort();
    };
    const pass = perceive('cancelled', chapter, { control: { signal: abort.signal, untilResumed } });
    await expect(pass).rejects.toMatchObject({ code: 'CANCELLED' });
    const files = await filesOf(taskOf(join(dir, 'cancelled'), chapter));
    expect(files).toEqual({ clips: [], keyframes: [], work: [] });
  });

  it('reads on after a pause as if there had been none', async () => {
    let asked = 0;
    const untilResumed = async () => {
      asked += 1;
      if (asked === 20) await new Promise((resolve) => setTimeout(resolve, 700));
    };
    const path = join(dir, 'paused.mp4');
    await makeClip({ path, seconds: 5 });
    const { observations } = await perceive('paused', await chapterOf(path), { control: { untilResumed } });
    expect(observations[0]!.clip!.durationMs).toBe(5_000);
  });

  it('passes on what the keeper of a segment throws, and stops', async () => {
    const chapter = await chapterOf(filmPath);
    const onSegment = async () => {
      throw new Error('the journal is gone');
    };
    const pass = perceive('refused', chapter, { events: { onSegment } });
    await expect(pass).rejects.toMatchObject({ code: 'PERCEPTION_FAILED' });
    expect((await filesOf(taskOf(join(dir, 'refused'), chapter))).work).toEqual([]);
  });
});

const faceFile = join(REAL, 'face-woman-asl-book.mkv');
const there = existsSync(faceFile);
describe.skipIf(!there)(there ? 'real footage' : 'real footage: skipped, not found at ../shared', () => {
  it('hides the face of a person who stands before the camera in every frame', async () => {
    const { observations, files, task } = await perceive('woman', await chapterOf(faceFile));
    expect(observations[0]!.faces.most).toBe(1);
    const keyframes = files.keyframes.map((file) => pictureOf(join(task.keyframesDir, file)));
    const shown = [
      ...(await framesOf(join(task.clipsDir, files.clips[0]!))),
      ...(await Promise.all(keyframes)),
    ];
    expect(shown).toHaveLength(37 + 3);
    for (const { data, width, height } of shown) {
      // Her head stays in the upper middle; her hands, below, are sometimes taken for a face.
      const faces = await detector.detect({ data, width, height });
      const hers = faces.filter((face) => {
        const x = (face.x + face.width / 2) / width;
        const y = (face.y + face.height / 2) / height;
        return x > 0.4 && x < 0.6 && y < 0.36;
      });
      expect(hers).toEqual([]);
      expect(Math.max(0, ...faces.map((face) => face.confidence))).toBeLessThan(0.85);
    }
  });
});
