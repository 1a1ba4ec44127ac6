/** Lengths of time the reader goes by. */

/** One segment: a longer gap ends an occasion. */
export const SEGMENT_GAP_MS = 30_000;
/** A longer gap ends a block of a day's digest. */
export const BLOCK_GAP_MS = 5 * 60_000;
/** What was in view this close to spoken words belongs to them. */
export const IN_VIEW_MS = 10_000;
/** "What did I do after …" looks this far for the next thing, and for a named thing. */
export const NEXT_MS = 30 * 60_000;
export const LATER_MS = 3 * 3_600_000;
/** Where nothing follows so soon, the next thing of the day is told, with its time. */
export const FAR_MS = 12 * 3_600_000;
