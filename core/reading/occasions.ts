/**
 * Occasions: how often something was. What is seen or heard in one stretch counts once: two hits more than one segment
 * apart (or in different recordings) are two occasions. A claim with an instant of its own is an act and counts by itself.
 */

import type { Unit } from './evidence.ts';
import { SEGMENT_GAP_MS } from './spans.ts';

export interface Occasion {
  units: Unit[];
  startMs: number;
  endMs: number;
}

const isAct = (unit: Unit): boolean =>
  unit.kind === 'claim' && unit.episode.record.claims.some((claim) => claim.atMs === unit.startMs);

/** Groups units into occasions, in time order. */
export function occasionsOf(units: readonly Unit[]): Occasion[] {
  const acts = units.some(isAct);
  const occasions: Occasion[] = [];
  for (const unit of [...units].sort((a, b) => a.startMs - b.startMs)) {
    const open = occasions.at(-1);
    const follows =
      open !== undefined &&
      unit.startMs - open.endMs <= (acts ? 0 : SEGMENT_GAP_MS) &&
      unit.episode.recordingId === open.units[0]!.episode.recordingId;
    if (open && follows && !(acts && isAct(unit))) {
      open.units.push(unit);
      open.endMs = Math.max(open.endMs, unit.endMs);
    } else if (!(acts && !isAct(unit))) {
      occasions.push({ units: [unit], startMs: unit.startMs, endMs: unit.endMs });
    }
  }
  return occasions;
}

/** The stretch around a unit in which units follow each other without a gap of more than one segment. */
export function runAround(unit: Unit, units: readonly Unit[]): Occasion {
  const inTime = [...units].sort((a, b) => a.startMs - b.startMs);
  const run: Occasion = { units: [unit], startMs: unit.startMs, endMs: unit.endMs };
  for (const other of inTime.filter((one) => one.startMs > unit.startMs)) {
    if (other.startMs - run.endMs > SEGMENT_GAP_MS) break;
    run.units.push(other);
    run.endMs = Math.max(run.endMs, other.endMs);
  }
  for (const other of inTime.filter((one) => one.startMs < unit.startMs).reverse()) {
    if (run.startMs - other.endMs > SEGMENT_GAP_MS) break;
    run.units.unshift(other);
    run.startMs = other.startMs;
  }
  return run;
}
