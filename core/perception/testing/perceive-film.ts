import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { FaceDetector, PlanarPicture } from '../../../models/faces/face-detector.ts';
import { planarOf } from '../../../models/faces/testing/face-picture.ts';
import { openDecode } from '../../footage/decode.ts';
import type { PlannedChapter } from '../../footage/plan.ts';
import { probe } from '../../footage/probe.ts';
import { readSpeech } from '../../footage/subtitles.ts';
import { readTelemetry } from '../../footage/telemetry.ts';
import { tilesOf } from '../../redaction/regions.ts';
import { cutSegments } from '../../segments/segments.ts';
import type { Observation } from '../observation.ts';
import { type PerceiveDeps, type PerceiveResult, perceiveChapter } from '../perceive-chapter.ts';
import type { PerceiveControl, PerceiveEvents, PerceiveTask } from '../task.ts';
import type { TextFrame } from '../text.ts';

/** Start of every test chapter, epoch ms, and its id. */
export const START = Date.parse('2026-07-01T12:00:00Z');
export const CHAPTER = 'f00000000000000000000abcd';

/** A chapter of one file, as planning would give it. */
export async function chapterOf(path: string): Promise<PlannedChapter> {
  const media = await probe(path);
  return {
    id: CHAPTER,
    number: 1,
    path,
    proxyPath: null,
    bytes: 1,
    startMs: START,
    durationMs: media.durationMs,
    gapBeforeMs: 0,
    media,
    picture: media,
    subtitlePaths: [],
  };
}

/** The same chapter, read from another file than the one that was probed. */
export function readFrom(chapter: PlannedChapter, path: string): PlannedChapter {
  const media = { ...chapter.media, path };
  return { ...chapter, path, media, picture: media };
}

/** All segments of a chapter, with folders under `base`. */
export function taskOf(base: string, chapter: PlannedChapter): PerceiveTask {
  return {
    recordingId: 'r00000000000000000000abcd',
    zone: 'Europe/Warsaw',
    chapter,
    segments: cutSegments(chapter.durationMs).map(({ index }) => index),
    keepSound: false,
    keepFrames: false,
    speech: null,
    voices: null,
    faces: null,
    clipsDir: join(base, 'clips'),
    keyframesDir: join(base, 'keyframes'),
    workDir: join(base, 'work'),
  };
}

export interface Pass {
  result: PerceiveResult;
  observations: Observation[];
  /** Frames the text reader was given, a segment. */
  texts: TextFrame[][];
  files: Awaited<ReturnType<typeof filesOf>>;
}

export interface PassChange {
  deps?: Partial<PerceiveDeps>;
  control?: Partial<PerceiveControl>;
  events?: Partial<PerceiveEvents>;
}

/** Runs a pass with the real detector and no text reading, unless changed. */
export async function perceive(
  task: PerceiveTask,
  detector: FaceDetector,
  change: PassChange = {},
): Promise<Pass> {
  const observations: Observation[] = [];
  const texts: TextFrame[][] = [];
  const result = await perceiveChapter(
    task,
    {
      onSegment: async (observation) => {
        observations.push(observation);
      },
      onProgress: () => undefined,
      ...change.events,
    },
    { signal: new AbortController().signal, untilResumed: async () => undefined, ...change.control },
    {
      faceDetector: detector,
      readText: async (frames) => {
        texts.push([...frames]);
        return [];
      },
      readSpeech,
      readTelemetry,
      ...change.deps,
    },
  );
  return { result, observations, texts, files: await filesOf(task) };
}

/** Names of all files a task wrote. */
export async function filesOf(task: PerceiveTask): Promise<Record<'clips' | 'keyframes' | 'work', string[]>> {
  const names = async (folder: string) => (existsSync(folder) ? (await readdir(folder)).sort() : []);
  return {
    clips: await names(task.clipsDir),
    keyframes: await names(task.keyframesDir),
    work: await names(task.workDir),
  };
}

/** Every n-th frame of a film, as the detector takes it. */
export async function framesOf(path: string, every = 1): Promise<PlanarPicture[]> {
  const decode = openDecode({
    picture: await probe(path),
    toneMap: false,
    sound: null,
    fromMs: 0,
    signal: new AbortController().signal,
    onSound: () => undefined,
  });
  const found: PlanarPicture[] = [];
  let n = 0;
  for await (const data of decode.frames()) {
    if (n % every === 0) found.push({ data, width: decode.width, height: decode.height });
    n += 1;
  }
  return found;
}

/** A JPEG, as the detector takes it. */
export async function pictureOf(path: string): Promise<PlanarPicture> {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return planarOf(data, info.width, info.height);
}

/** Faces of 24 px and more, searched whole and in every tile. */
export async function countFaces(shown: readonly PlanarPicture[], detector: FaceDetector): Promise<number> {
  let count = 0;
  for (const picture of shown) {
    for (const region of [undefined, ...tilesOf(picture.width, picture.height)]) {
      const faces = await detector.detect(picture, region);
      count += faces.filter((face) => face.height >= 24).length;
    }
  }
  return count;
}
