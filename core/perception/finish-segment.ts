import type { SpeechLine } from '../contract/index.ts';
import { SOUND_RATE } from '../footage/decode.ts';
import type { ColourMatrix } from '../footage/picture-filter.ts';
import type { Cue } from '../footage/subtitles.ts';
import { summariseTelemetry, type Telemetry } from '../footage/telemetry.ts';
import { chooseKeyframes, writeKeyframe } from '../redaction/keyframes.ts';
import { episodeId } from '../segments/segments.ts';
import type { Observation } from './observation.ts';
import type { SegmentWork } from './segment-work.ts';
import type { SoundMeter } from './sound-meter.ts';
import type { PerceiveTask } from './task.ts';
import type { ReadText } from './text.ts';

/** Confidence of words a person or a maker wrote down as what is said. */
const WRITTEN = 1;

/**
 * Turns a segment's sound into words: the door for speech recognition.
 * @param sound 16 bit mono samples at `rate` Hz, the first heard at `startMs`, epoch ms
 */
export type RecogniseSpeech = (
  sound: { samples: Int16Array; rate: typeof SOUND_RATE; startMs: number },
  signal: AbortSignal,
) => Promise<SpeechLine[]>;

/** What all segments of a chapter share. */
export interface ChapterContext {
  task: PerceiveTask;
  cues: readonly Cue[];
  telemetry: Telemetry | null;
  sound: SoundMeter | null;
  matrix: ColourMatrix;
  detector: string | null;
  readText: ReadText;
  recogniseSpeech: RecogniseSpeech | null;
  signal: AbortSignal;
}

/**
 * Puts a segment's files in place and sums up what was measured.
 * @param endMs where the segment ends within the chapter, ms: earlier than planned when the footage is
 * @throws FootnoteError DISK_FULL, CANCELLED, PERCEPTION_FAILED; what the text reader throws
 */
export async function finishSegment(
  work: SegmentWork,
  endMs: number,
  context: ChapterContext,
): Promise<Observation> {
  const { task, sound, signal } = context;
  const { chapter } = task;
  const { offsetMs, index } = work.segment;
  const id = episodeId(chapter.id, index);
  await sound?.until(endMs);
  const samples = sound?.take(offsetMs, endMs) ?? null;
  const clip = (await work.clip?.finish(task.keepSound ? samples : null)) ?? null;
  const keyframes: Observation['keyframes'] = [];
  for (const [n, frame] of (clip ? chooseKeyframes(work.candidates) : []).entries()) {
    const where = { name: `${id}-${n}`, dir: task.keyframesDir, workDir: task.workDir };
    const file = await writeKeyframe(frame, context.matrix, where);
    const { width, height } = frame.picture;
    keyframes.push({ file, atMs: work.instant(frame.index), width, height });
  }
  const written = speechWithin(context.cues, offsetMs, endMs, chapter.startMs);
  const heard =
    written.length === 0 && samples && context.recogniseSpeech
      ? await context.recogniseSpeech(
          { samples, rate: SOUND_RATE, startMs: chapter.startMs + offsetMs },
          signal,
        )
      : [];
  return {
    episodeId: id,
    recordingId: task.recordingId,
    chapterId: chapter.id,
    index,
    startMs: Math.round(chapter.startMs + offsetMs),
    endMs: Math.round(chapter.startMs + endMs),
    zone: task.zone,
    speech: written.length > 0 ? written : heard,
    visibleText: await context.readText(work.textFrames, signal),
    ...work.summary(),
    sound: sound?.level(offsetMs, endMs) ?? null,
    telemetry: summariseTelemetry(context.telemetry, offsetMs, endMs),
    keyframes,
    clip: clip && { ...clip, durationMs: work.clipDurationMs },
    redaction: {
      status: context.detector ? 'redacted' : 'no-pixels',
      detector: context.detector,
      facesBlurred: work.facesBlurred,
    },
  };
}

/** Lines whose middle lies in the span, so that each belongs to one segment: epoch ms. */
function speechWithin(
  cues: readonly Cue[],
  fromMs: number,
  toMs: number,
  chapterStartMs: number,
): SpeechLine[] {
  return cues
    .filter((cue) => {
      const middle = (cue.startMs + cue.endMs) / 2;
      return middle >= fromMs && middle < toMs;
    })
    .map((cue) => ({
      startMs: Math.round(chapterStartMs + cue.startMs),
      endMs: Math.round(chapterStartMs + cue.endMs),
      speaker: cue.speaker,
      text: cue.text,
      source: cue.source,
      confidence: WRITTEN,
    }));
}
