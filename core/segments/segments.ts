/** MemLife 2.1: memory is written every 30 s of footage. */
export const SEGMENT_MS = 30_000;
/** MemLife 2.1: a last piece shorter than this joins the segment before. */
export const MIN_TAIL_MS = 1_000;
/** MemLife 2.1: frames shown to a writer for one segment, and their longest side in px. */
export const FRAMES_PER_SEGMENT = 8;
export const FRAME_LONGEST_SIDE = 704;

/** A span of one chapter. Segments never cross files: a late chapter moves no other chapter's ids. */
export interface Segment {
  /** From 0 within the chapter. */
  index: number;
  /** Start within the chapter, ms. */
  offsetMs: number;
  durationMs: number;
}

/**
 * Cuts a chapter into segments.
 * @param durationMs length of the chapter, ms; 0 or less gives none
 */
export function cutSegments(durationMs: number): Segment[] {
  if (!(durationMs > 0)) return [];
  const whole = Math.floor(durationMs / SEGMENT_MS);
  const tail = durationMs - whole * SEGMENT_MS;
  const count = whole === 0 ? 1 : tail >= MIN_TAIL_MS ? whole + 1 : whole;
  return Array.from({ length: count }, (_, index) => {
    const offsetMs = index * SEGMENT_MS;
    const endMs = index === count - 1 ? durationMs : offsetMs + SEGMENT_MS;
    return { index, offsetMs, durationMs: endMs - offsetMs };
  });
}

/** Offsets within a segment of the frames a writer sees: the middles of equal slices, ms from the segment's start. */
export function frameOffsets(durationMs: number, frames: number = FRAMES_PER_SEGMENT): number[] {
  return Array.from({ length: frames }, (_, i) => ((i + 0.5) * durationMs) / frames);
}

/** Episode id of a chapter's segment: content-derived, so that importing twice adds nothing. */
export function episodeId(chapterId: string, index: number): string {
  return `${chapterId}-${String(index).padStart(4, '0')}`;
}
