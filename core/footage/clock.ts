import { DateTime } from 'luxon';
import type { CameraFamily, Clock, ClockBasis } from '../contract/index.ts';
import { hasGoProMarks } from './families/identify.ts';
import { type NameTime, timeInName } from './name-time.ts';
import { type Place, placeFromTags } from './place.ts';
import type { MediaInfo } from './plan.ts';
import { instantOf, readable, type WallTime, zoneOfOffset, zoneOfPlace } from './zone.ts';

/** Everything that can tell when a file was recorded. */
export interface ClockInput {
  media: MediaInfo;
  family: CameraFamily;
  /** File name, where many cameras write the time. */
  name: string;
  /** Last change of the file, epoch ms. */
  modifiedMs: number;
  /** Start by the satellites' clock, epoch ms; null without a lock. */
  gpsStartMs: number | null;
  /** Where it was recorded, when telemetry knows it better than the container. */
  place: { lat: number; lon: number } | null;
  /** The person's word on the camera's zone; null when not given. */
  zone: string | null;
  /** Added to whatever is found, ms. */
  shiftMs: number;
  computerZone: string;
  /** How far this camera's creation_time is from UTC, ms, as other takes with GPS show; null when none does. */
  cameraOffsetMs: number | null;
  nowMs: number;
}

/** Cameras without a network start at such a date after a reset; nothing these cameras film is older. */
const OLDEST_PLAUSIBLE = Date.UTC(2017, 0, 1);
/** Phones set their clocks themselves, so their old videos are believed from here on. */
const OLDEST_PHONE = Date.UTC(2008, 0, 1);
/** Firmware of these years starts again on their first of January. */
const RESET_YEARS = new Set([2021, 2022]);
/** Zones are multiples of a quarter hour, at most 14 h from UTC; a clock ahead by less is a zone mistake. */
const QUARTER_HOUR_MS = 15 * 60_000;
const FARTHEST_ZONE_MS = 14 * 3_600_000;
/** Two clocks of one camera agree within this. */
const AGREE_MS = 5000;
/** Below this length the start and the end of a clip cannot be told apart by such clocks. */
const TELLABLE_MS = 8000;

interface Reading {
  startMs: number;
  basis: ClockBasis;
  note: string;
}

/**
 * When a file began, by the strongest thing that tells: satellite time, creation_time, the file name, the file's date.
 *
 * creation_time is UTC by the standard. GoPro writes the camera's local time there, so where GoPro's own marks are in the
 * file it is read as local time. DJI and Insta360 differ between models: the local time in their file names decides. Phones
 * and glasses write UTC. The rule follows the maker's marks, never the file name: a re-encoded file has lost the habit.
 * A creation_time that cannot be true (camera never set, or in the future) is passed over when the name or the file's date
 * tells better, and the clock is uncertain either way.
 *
 * The file's date is its last change, which is when recording ended: its length is taken off.
 */
export function readClock(input: ClockInput): Clock {
  const zone = zoneFor(input);
  const reading = strongest(input, zone.name);
  const unset = looksUnset(reading.startMs, reading.basis, input);
  let { basis, note } = reading;
  let uncertain = basis === 'file_date' || unset;
  if (unset) note += ' The camera clock looks unset: correct it with a shift.';
  const withoutZone =
    input.zone === null ? reading : strongest(input, zoneFor({ ...input, zone: null }).name);
  if (input.zone !== null && withoutZone.startMs !== reading.startMs) {
    basis = 'corrected';
    note += ` Read in the given time zone ${input.zone}.`;
  }
  if (input.shiftMs !== 0) {
    basis = 'corrected';
    note += ` Shifted by ${shiftInWords(input.shiftMs)}.`;
    uncertain = false;
  }
  return { startMs: reading.startMs + input.shiftMs, zone: zone.name, basis, uncertain, note };
}

function zoneFor(input: ClockInput): { name: string } {
  if (input.zone !== null) return { name: input.zone };
  const place: Pick<Place, 'lat' | 'lon'> | null = input.place ?? placeFromTags(input.media.tags);
  const fromPlace = place && zoneOfPlace(place);
  if (fromPlace) return { name: fromPlace };
  const apple = appleDate(input.media.tags);
  if (apple) return { name: zoneOfOffset(apple.offset) };
  return { name: input.computerZone };
}

function strongest(input: ClockInput, zone: string): Reading {
  if (input.gpsStartMs !== null) {
    return { startMs: input.gpsStartMs, basis: 'gps', note: 'Time from GPS satellites.' };
  }
  const tagged = fromCreationTime(input, zone);
  const named = fromName(input, zone);
  const dated: Reading = {
    startMs: Math.round(input.modifiedMs - input.media.durationMs),
    basis: 'file_date',
    note: "The file tells no time; taken from the file's date, when it was last written.",
  };
  if (tagged && !looksUnset(tagged.startMs, 'creation_time', input)) return tagged;
  if (named && !looksUnset(named.startMs, 'file_name', input)) return named;
  if (!tagged) return named ?? dated;
  if (looksUnset(dated.startMs, 'file_date', input)) return tagged;
  const said = readable(tagged.startMs, zone);
  return { ...dated, note: `creation_time says ${said}, which cannot be; taken from the file's date.` };
}

function fromCreationTime(input: ClockInput, zone: string): Reading | null {
  const { tags, durationMs } = input.media;
  const apple = appleDate(tags);
  if (apple) {
    return {
      startMs: apple.startMs,
      basis: 'creation_time',
      note: 'Date of capture with its zone, as the phone wrote it.',
    };
  }
  const tagMs = parseTag(tags.creation_time);
  if (tagMs === null) return null;
  const basis = 'creation_time' as const;
  if (hasGoProMarks(input.media)) {
    if (input.cameraOffsetMs !== null && input.zone === null) {
      const startMs = tagMs - input.cameraOffsetMs;
      return {
        startMs,
        basis,
        note: "creation_time, corrected by what GPS shows of this camera's clock in other takes.",
      };
    }
    const startMs = instantOf(wallOf(tagMs), zone) ?? tagMs;
    return {
      startMs,
      basis,
      note: `creation_time holds the camera's local time labelled UTC; read in ${zone}.`,
    };
  }
  const name = timeInName(input.name);
  if (name && name.zone === null) {
    const compared = compareWithName(tagMs, name, input.family, durationMs, zone);
    if (compared) return { ...compared, basis };
  }
  return { startMs: tagMs, basis, note: 'creation_time in UTC.' };
}

/**
 * The file name holds local time, creation_time the same instant in UTC or (labelled UTC) local. Equal: drones and action
 * cameras wrote local time. Apart by a zone's offset: UTC. Later by the clip's length: written when recording stopped.
 */
function compareWithName(
  tagMs: number,
  name: NameTime,
  family: CameraFamily,
  durationMs: number,
  zone: string,
): Omit<Reading, 'basis'> | null {
  const nameMs = instantOf(name.wall, 'UTC');
  if (nameMs === null) return null;
  const apart = tagMs - nameMs;
  if (Math.abs(apart) > FARTHEST_ZONE_MS + durationMs + AGREE_MS) return null;
  const offset = Math.round(apart / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  const writesLocal = family === 'dji' || family === 'insta360';
  if (writesLocal && Math.abs(apart) <= AGREE_MS) {
    const startMs = instantOf(wallOf(tagMs), zone) ?? tagMs;
    return { startMs, note: `creation_time holds the camera's local time labelled UTC; read in ${zone}.` };
  }
  const endOffset = Math.round((apart - durationMs) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  const saysEnd = Math.abs(apart - durationMs - endOffset) <= AGREE_MS && Math.abs(apart - offset) > AGREE_MS;
  if (durationMs >= TELLABLE_MS && saysEnd) {
    return {
      startMs: Math.round(tagMs - durationMs),
      note: 'creation_time in UTC, written at the end of recording.',
    };
  }
  return null;
}

function fromName(input: ClockInput, zone: string): Reading | null {
  const name = timeInName(input.name);
  if (!name) return null;
  const startMs = instantOf(name.wall, name.zone ?? zone);
  if (startMs === null) return null;
  const where = name.zone === null ? `local time in ${zone}` : name.zone;
  return { startMs, basis: 'file_name', note: `Time in the file name (${where}).` };
}

/** Whether an instant cannot be when this was filmed: before the cameras, in the future, or where a reset clock starts. */
function looksUnset(startMs: number, basis: ClockBasis, input: ClockInput): boolean {
  if (basis === 'gps') return false;
  const setsItself = input.family === 'phone' || input.family === 'ray-ban-meta';
  if (startMs < (setsItself ? OLDEST_PHONE : OLDEST_PLAUSIBLE)) return true;
  if (startMs > input.nowMs + FARTHEST_ZONE_MS) return true;
  if (setsItself || basis === 'file_date') return false;
  const { year, month, day } = DateTime.fromMillis(startMs, { zone: 'UTC' });
  return RESET_YEARS.has(year) && month === 1 && day === 1;
}

/** QuickTime's creationdate carries its offset: the instant of capture, kept when a clip is trimmed or sent on. */
function appleDate(tags: Record<string, string>): { startMs: number; offset: number } | null {
  const text = tags['com.apple.quicktime.creationdate'];
  if (!text) return null;
  const time = DateTime.fromISO(text, { setZone: true });
  return time.isValid ? { startMs: time.toMillis(), offset: time.offset } : null;
}

/** creation_time as an instant; null when missing, no date, or the zero of the format (1904) or of Unix. */
export function parseTag(text: string | undefined): number | null {
  if (!text) return null;
  const time = DateTime.fromISO(text.replace(' ', 'T'), { zone: 'UTC' });
  return time.isValid && time.year > 1971 ? time.toMillis() : null;
}

function wallOf(epochMs: number): WallTime {
  const { year, month, day, hour, minute, second, millisecond } = DateTime.fromMillis(epochMs, {
    zone: 'UTC',
  });
  return { year, month, day, hour, minute, second, millisecond };
}

function shiftInWords(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return `${ms < 0 ? '−' : '+'}${words.join(' ') || `${Math.abs(ms)} ms`}`;
}
