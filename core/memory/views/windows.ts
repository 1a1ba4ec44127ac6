import { DateTime } from 'luxon';
import { type Level, WINDOW_MS } from './levels.ts';

/** Offsets change on quarters of an hour only. */
const OFFSET_STEP_MS = 15 * 60_000;
const OFFSETS_KEPT = 50_000;
const offsets = new Map<string, number>();

/** ms by which a zone's clock is ahead of UTC at an instant; 0 for a zone that is none. */
function offsetMs(ms: number, zone: string): number {
  const key = `${zone}|${Math.floor(ms / OFFSET_STEP_MS)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const local = DateTime.fromMillis(Math.floor(ms / OFFSET_STEP_MS) * OFFSET_STEP_MS, { zone });
  const offset = local.isValid ? local.offset * 60_000 : 0;
  if (offsets.size >= OFFSETS_KEPT) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/**
 * Start of the window an instant falls into by the wall clock of a zone, as epoch ms: floor(t/W)·W. An hour that comes twice when the
 * clocks go back is two windows.
 */
export function windowStart(level: Level, ms: number, zone: string): number {
  if (level === 'day') {
    const local = DateTime.fromMillis(ms, { zone });
    return (local.isValid ? local : DateTime.fromMillis(ms, { zone: 'UTC' })).startOf('day').toMillis();
  }
  const offset = offsetMs(ms, zone);
  const length = WINDOW_MS[level];
  return Math.floor((ms + offset) / length) * length - offset;
}
