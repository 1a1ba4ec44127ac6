import type { Observation } from '../../perception/observation.ts';

/** Friday 14 March 2025, 08:15:00 UTC. */
export const MORNING = Date.UTC(2025, 2, 14, 8, 15);

/** An observation of an ordinary half minute in which nothing stands out, with parts replaced. */
export function observed(parts: Partial<Observation> = {}): Observation {
  return {
    episodeId: 'f00000000000000000000abcd-0000',
    recordingId: 'r00000000000000000000abcd',
    chapterId: 'f00000000000000000000abcd',
    index: 0,
    startMs: MORNING,
    endMs: MORNING + 30_000,
    zone: 'UTC',
    speech: [],
    visibleText: [],
    faces: { most: 0, share: 0, confidence: 0, spans: [] },
    motion: { level: 0.02, still: 0.2, cuts: [] },
    light: { level: 0.5, black: 0 },
    sound: { level: -30, silent: false },
    telemetry: null,
    keyframes: [],
    clip: null,
    redaction: { status: 'redacted', detector: 'a-detector', facesBlurred: 0 },
    ...parts,
  };
}

/** A line of speech at some seconds into the segment. */
export function said(text: string, at = 4, speaker: string | null = null, confidence = 1) {
  const startMs = MORNING + at * 1000;
  return { startMs, endMs: startMs + 3000, speaker, text, source: 'speech-sidecar' as const, confidence };
}

/** Text in the picture, from some seconds into the segment to its end. */
export function shown(text: string, confidence = 0.98, at = 2) {
  return { text, confidence, firstMs: MORNING + at * 1000, lastMs: MORNING + 28_000 };
}
