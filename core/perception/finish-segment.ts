import type { SpeechLine } from '../contract/index.ts';
import { SOUND_RATE } from '../footage/decode.ts';
import type { ColourMatrix } from '../footage/picture-filter.ts';
import type { Cue } from '../footage/subtitles.ts';
import { summariseTelemetry, type Telemetry } from '../footage/telemetry.ts';
import { chooseKeyframes, jpegOf, writeKeyframe } from '../redaction/keyframes.ts';
import { cutSegments, episodeId } from '../segments/segments.ts';
import type { Observation } from './observation.ts';
import type { SegmentWork } from './segment-work.ts';
import type { SoundMeter } from './sound-meter.ts';
import { type RecogniseSpeech, SPEECH_LEAD_MS } from './speech.ts';
import type { PerceiveTask } from './task.ts';
import type { ReadText } from './text.ts';

/** Confidence of words a person or a maker wrote down as what is said. */
const WRITTEN = 1;

/** What all segments of a chapter share. */
export interface ChapterContext {
  task: PerceiveTask;
  cues: readonly Cue[];
  telemetry: Telemetry | null;
  sound: SoundMeter | null;
  matrix: ColourMatrix;
  detector: string | null;
  readText: ReadText;
  /** Null where subtitles tell what is said, or nothing can hear it. */
  recogniseSpeech: RecogniseSpeech | null;
  signal: AbortSignal;
}

export interface FinishedSegment {
  observation: Observation;
  /** Redacted, as JPEGs in time order; none unless the task keeps them. */
  frames: Uint8Array[];
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
): Promise<FinishedSegment> {
  const { task, sound, signal } = context;
  const { chapter } = task;
  const { offsetMs, index } = work.segment;
  const id = episodeId(chapter.id, index);
  await sound?.until(endMs);
  const { recogniseSpeech } = context;
  const leadMs = recogniseSpeech && index > 0 ? SPEECH_LEAD_MS : 0;
  const taken =
    sound?.take(offsetMs - leadMs, endMs, recogniseSpeech ? endMs - SPEECH_LEAD_MS : endMs) ?? null;
  const samples = taken?.subarray((leadMs * SOUND_RATE) / 1000) ?? null;
  const clip = (await work.clip?.finish(task.keepSound ? samples : null)) ?? null;
  const frames: Uint8Array[] = [];
  // Without a clip nobody looked for faces: no picture leaves this process.
  for (const frame of clip && task.keepFrames ? work.candidates : []) {
    frames.push(await jpegOf(frame, context.matrix));
  }
  const keyframes: Observation['keyframes'] = [];
  for (const [n, frame] of (clip ? chooseKeyframes(work.candidates) : []).entries()) {
    const where = { name: `${id}-${n}`, dir: task.keyframesDir, workDir: task.workDir };
    const file = await writeKeyframe(frame, context.matrix, where);
    const { width, height } = frame.picture;
    keyframes.push({ file, atMs: work.instant(frame.index), width, height });
  }
  const heard =
    taken && recogniseSpeech
      ? await recogniseSpeech(
          {
            episodeId: id,
            samples: taken,
            startMs: chapter.startMs + offsetMs - leadMs,
            leadMs,
            goesOn:
              index + 1 < cutSegments(chapter.durationMs).length &&
              endMs >= offsetMs + work.segment.durationMs,
          },
          signal,
        )
      : [];
  const observation: Observation = {
    episodeId: id,
    recordingId: task.recordingId,
    chapterId: chapter.id,
    index,
    startMs: Math.round(chapter.startMs + offsetMs),
    endMs: Math.round(chapter.startMs + endMs),
    zone: task.zone,
    speech: [...speechWithin(context.cues, offsetMs, endMs, chapter.startMs), ...heard],
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
  return { observation, frames };
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
