import type { Episode, EventRecord } from '../../contract/index.ts';

/** Monday, 9 o'clock UTC. */
export const NINE = Date.UTC(2026, 5, 1, 9);
export const SEGMENT_MS = 30_000;

/** An episode that starts `atMs`, with nothing in its record but what `record` says. */
export function episodeAt(
  atMs: number,
  text: string,
  record: Partial<EventRecord> = {},
  change: Partial<Episode> = {},
): Episode {
  const n = Math.floor(atMs / SEGMENT_MS);
  return {
    id: `f${'0'.repeat(24)}-${n}`,
    recordingId: `r${'0'.repeat(24)}`,
    chapterId: `f${'0'.repeat(24)}`,
    index: Math.max(0, n),
    startMs: atMs,
    endMs: atMs + SEGMENT_MS,
    zone: 'UTC',
    text,
    record: {
      caption: '',
      transcript: [],
      visibleText: [],
      actions: [],
      objects: [],
      topics: [],
      scenes: [],
      entities: [],
      claims: [],
      people: 0,
      place: null,
      ...record,
    },
    keyframes: [],
    clip: null,
    writer: { name: 'test', version: '1' },
    ...change,
  };
}

/** A line somebody says over a whole segment. */
export function said(atMs: number, speaker: string | null, text: string): EventRecord['transcript'][number] {
  return {
    startMs: atMs,
    endMs: atMs + SEGMENT_MS,
    speaker,
    text,
    source: 'speech-recognised',
    confidence: 1,
  };
}
