import tzLookup from '@photostructure/tz-lookup';
import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';
import { FootnoteError } from '../contract/errors.ts';

/** Date and time as a clock on the wall shows it, without saying where. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

/** Zone at a place: IANA name, or a nautical zone at sea. Null when the lookup has none. */
export function zoneOfPlace(place: { lat: number; lon: number }): string | null {
  try {
    const name = tzLookup(place.lat, place.lon);
    return IANAZone.isValidZone(name) ? name : null;
  } catch {
    return null;
  }
}

/** A fixed offset as a zone name ("UTC+2", "UTC-5:30"). */
export function zoneOfOffset(minutes: number): string {
  return minutes === 0 ? 'UTC' : FixedOffsetZone.instance(minutes).name;
}

/**
 * The instant at which a clock in `zone` shows this time, epoch ms. The zone's offset for that very date is applied once,
 * summer time included; a time skipped in spring moves forward, one that comes twice in autumn is the first.
 * @returns null when it is no date
 */
export function instantOf(wall: WallTime, zone: string): number | null {
  const time = DateTime.fromObject({ ...wall }, { zone });
  return time.isValid ? time.toMillis() : null;
}

/** @throws FootnoteError BAD_REQUEST when it is neither an IANA name nor a fixed offset */
export function requireZone(zone: string): string {
  if (DateTime.now().setZone(zone).isValid) return zone;
  throw new FootnoteError(
    'BAD_REQUEST',
    `"${zone}" is not a time zone. Use a name such as Europe/Warsaw or an offset such as UTC+2.`,
  );
}

/** Instant as a person reads it, in its zone: "2026-07-01 14:00". */
export function readable(epochMs: number, zone: string): string {
  return DateTime.fromMillis(epochMs, { zone }).toFormat('yyyy-MM-dd HH:mm');
}
