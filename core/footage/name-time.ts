import { type WallTime, zoneOfOffset } from './zone.ts';

/** A time written into a file name. */
export interface NameTime {
  wall: WallTime;
  /** "UTC" or an offset when the name says so, else null: the camera's local time. */
  zone: string | null;
}

/** Date, then time, with or without separators: 20250315_073000, 2025-03-15 at 07.30.00, DJI_20250315073000. */
const DATE_TIME =
  /(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?:[-_.T ]| at |T)?([01]\d|2[0-3])[-_.:h]?([0-5]\d)[-_.:m]?([0-5]\d)(?:[-_.,]?(\d{3})(?!\d))?(?!\d)/i;
const ZONE_AFTER = /^(Z|UTC)|^([+-])(\d{2}):?(\d{2})(?!\d)/i;
/** Pixel phones write UTC into their names, every other known camera its local time. */
const UTC_NAMES = /^PXL_/i;

/** The time a file name tells; null when it tells none. A date without a time is none: it would be wrong by hours. */
export function timeInName(name: string): NameTime | null {
  const match = DATE_TIME.exec(name);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millisecond = Number(match[7] ?? 0);
  const wall = { year, month, day, hour, minute, second, millisecond };
  if (UTC_NAMES.test(name)) return { wall, zone: 'UTC' };
  const after = ZONE_AFTER.exec(name.slice(match.index + match[0].length));
  if (!after) return { wall, zone: null };
  if (after[1]) return { wall, zone: 'UTC' };
  const minutes = (Number(after[3]) * 60 + Number(after[4])) * (after[2] === '-' ? -1 : 1);
  return { wall, zone: zoneOfOffset(minutes) };
}
