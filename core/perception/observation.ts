import type { Measured, SpeechLine, VisibleText } from '../contract/index.ts';

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
export interface Observation extends Measured {
  episodeId: string;
  recordingId: string;
  chapterId: string;
  index: number;
  startMs: number;
  endMs: number;
  zone: string;
  speech: SpeechLine[];
  visibleText: VisibleText[];
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
