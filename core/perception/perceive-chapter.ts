import { mkdir } from 'node:fs/promises';
import type { FaceDetector } from '../../models/faces/face-detector.ts';
import { FootnoteError, toFootnoteError } from '../contract/errors.ts';
import { type Decode, FRAME_MS, openDecode } from '../footage/decode.ts';
import { canToneMap, colourMatrix } from '../footage/picture-filter.ts';
import type { readSpeech } from '../footage/subtitles.ts';
import type { readTelemetry } from '../footage/telemetry.ts';
import { cutSegments, MIN_TAIL_MS } from '../segments/segments.ts';
import { ChapterPass } from './chapter-pass.ts';
import { SoundMeter } from './sound-meter.ts';
import { forgiving, type RecogniseSpeech } from './speech.ts';
import type { PerceiveControl, PerceiveEvents, PerceiveTask } from './task.ts';
import type { ReadText } from './text.ts';

/** Footage read before the first segment wanted, so that faces on its edge are known: as in a pass from the start. */
const LEAD_IN_MS = 2_000;
const PROGRESS_EVERY_MS = 300;

export interface PerceiveDeps {
  /** Null when there is no face model: then no picture is written at all. */
  faceDetector: FaceDetector | null;
  readText: ReadText;
  readSpeech: typeof readSpeech;
  readTelemetry: typeof readTelemetry;
  /** Hears what no subtitle tells; left out where there is no speech model. */
  recogniseSpeech?: RecogniseSpeech;
  /** What a person should know about that, once a chapter is done. */
  speechNotes?: () => string[];
}

export interface PerceiveResult {
  /** How far the chapter could be read, ms from its start; less than its length when the file ends early. */
  decodedMs: number;
  /** What a person should know, in plain words. */
  notes: string[];
}

/**
 * The one pass over a chapter: decodes it once and, segment by segment, blurs faces, writes clip and keyframes, and measures.
 * Memory does not grow with its length. What a damaged file still gives is kept.
 * @throws FootnoteError FILE_NO_PICTURE, FILE_UNREADABLE when not one picture can be read, CANCELLED, DISK_FULL,
 *   FFMPEG_MISSING, PERCEPTION_FAILED
 */
export async function perceiveChapter(
  task: PerceiveTask,
  events: PerceiveEvents,
  control: PerceiveControl,
  deps: PerceiveDeps,
): Promise<PerceiveResult> {
  const { chapter } = task;
  const { picture, media } = chapter;
  if (!picture.video) throw new FootnoteError('FILE_NO_PICTURE', 'There is no picture in this file.');
  const wanted = new Set(task.segments);
  const segments = cutSegments(chapter.durationMs).filter(({ index }) => wanted.has(index));
  if (segments.length === 0) return { decodedMs: chapter.durationMs, notes: [] };
  for (const dir of [task.clipsDir, task.keyframesDir, task.workDir]) await mkdir(dir, { recursive: true });

  // Ends everything this pass started, whether the caller or a failure here ends it.
  const ending = new AbortController();
  const signal = AbortSignal.any([control.signal, ending.signal]);
  const notes: string[] = [];
  const toneMap = picture.video.hdr && (await canToneMap());
  if (picture.video.hdr && !toneMap) notes.push('This ffmpeg cannot convert HDR: pictures look pale.');
  const [cues, telemetry] = await Promise.all([
    deps.readSpeech(chapter, { signal }),
    deps.readTelemetry(media, { signal }),
  ]);

  const fromMs = gridBefore(segments[0]!.offsetMs - LEAD_IN_MS);
  // What is said comes from one source a chapter: subtitles, where they say anything.
  const hearing = deps.recogniseSpeech && cues.length === 0 ? forgiving(deps.recogniseSpeech) : null;
  const keepsSamples = task.keepSound || hearing !== null;
  const sound = media.audio ? new SoundMeter(fromMs, keepsSamples) : null;
  let decode: Decode | null = null;
  const pass = new ChapterPass(segments, events, deps.faceDetector, {
    task,
    cues,
    telemetry,
    sound,
    matrix: colourMatrix(picture.video),
    detector: deps.faceDetector?.name ?? null,
    readText: deps.readText,
    recogniseSpeech: hearing?.recogniseSpeech ?? null,
    signal,
  });
  try {
    decode = openDecode({
      picture,
      toneMap,
      sound: sound ? media : null,
      fromMs,
      signal,
      onSound: (samples) => sound?.add(samples),
    });
    const { ended, width, height } = decode;
    ended.then(
      () => sound?.end(),
      () => sound?.end(),
    );
    let frame = Math.round(fromMs / FRAME_MS);
    let told = 0;
    for await (const pixels of decode.frames()) {
      await control.untilResumed();
      if (signal.aborted) break;
      await pass.take(frame, pixels, width, height);
      frame += 1;
      sound?.pictureAt(frame * FRAME_MS);
      if (performance.now() - told > PROGRESS_EVERY_MS) {
        told = performance.now();
        events.onProgress(Math.min(frame * FRAME_MS, chapter.durationMs));
      }
      if (frame >= pass.endFrame) break;
    }
    const { damaged } = await ended;
    if (control.signal.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');
    const readMs = Math.min(frame * FRAME_MS, chapter.durationMs);
    if (readMs === 0) {
      throw new FootnoteError('FILE_UNREADABLE', 'Not one picture of this file could be read.');
    }
    const complete = frame >= pass.endFrame || chapter.durationMs - readMs < MIN_TAIL_MS;
    const decodedMs = complete ? chapter.durationMs : readMs;
    await pass.end(decodedMs);
    if (!complete) {
      notes.push(
        `The picture ends early: ${seconds(decodedMs)} of ${seconds(chapter.durationMs)} could be read.`,
      );
    } else if (damaged) notes.push('Parts of this file are damaged; what could be read was kept.');
    notes.push(...pass.notes);
    if (hearing) notes.push(...hearing.notes(), ...(deps.speechNotes?.() ?? []));
    events.onProgress(decodedMs);
    return { decodedMs, notes };
  } catch (error) {
    if (control.signal.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.', {}, { cause: error });
    throw toFootnoteError(error, 'PERCEPTION_FAILED');
  } finally {
    ending.abort();
    decode?.stop();
    await pass.abandon();
  }
}

/** The last instant of the reading grid at or before this one, not before the start. */
function gridBefore(ms: number): number {
  return Math.max(0, Math.floor(ms / FRAME_MS) * FRAME_MS);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
