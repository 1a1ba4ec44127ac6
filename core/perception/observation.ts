import type { SpeechLine, VisibleText } from '../contract/index.ts';

/** Text one frame shows: a line with its confidence (0..1) and box (fractions of the frame's width and height). */
export interface TextLine {
  text: string;
  confidence: number;
  box: { x: number; y: number; width: number; height: number };
}

/**
 * What perception measured in one segment. Plain JSON: it crosses a process boundary and is kept as the import's
 * checkpoint until its episode is stored. All instants are epoch ms.
 */
export interface Observation {
  episodeId: string;
  recordingId: string;
  chapterId: string;
  index: number;
  startMs: number;
  endMs: number;
  zone: string;
  speech: SpeechLine[];
  visibleText: VisibleText[];
  faces: {
    /** Most faces in one frame. */
    most: number;
    /** Share of the segment's frames with a face, 0..1. */
    share: number;
    /** Best detector confidence, 0..1. */
    confidence: number;
    /** Spans in which faces are seen. */
    spans: { startMs: number; endMs: number }[];
  };
  motion: {
    /** Mean absolute luma difference between clip frames, 0..1. */
    level: number;
    /** Share of frame pairs that are as good as identical, 0..1. */
    still: number;
    /** Instants at which the picture changes as a whole. */
    cuts: number[];
  };
  light: {
    /** Mean luma, 0..1. */
    level: number;
    /** Share of frames that are black, 0..1. */
    black: number;
  };
  /** Null when the recording has no sound. `level` is mean volume in dBFS (−91 for digital silence). */
  sound: { level: number; silent: boolean } | null;
  telemetry: {
    place: { lat: number; lon: number } | null;
    /** Metres travelled and mean speed in m/s; null without GPS lock. */
    distance: number | null;
    speed: number | null;
    altitude: number | null;
  } | null;
  /** File names inside the recording's folders of the library, written only after redaction. */
  keyframes: { file: string; atMs: number; width: number; height: number }[];
  clip: { file: string; bytes: number; durationMs: number } | null;
  redaction: {
    /** 'redacted': faces blurred before anything was written. 'no-pixels': no face model, so no picture was kept. */
    status: 'redacted' | 'no-pixels';
    /** Detector name, or null. */
    detector: string | null;
    facesBlurred: number;
  };
}
