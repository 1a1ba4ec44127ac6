/** Instants and spans in words a person reads: "Friday 14 March at 09:15", "Tuesday afternoon". */
import { DateTime } from 'luxon';
import type { TimeSpan } from '../contract/index.ts';

const HOUR_MS = 3_600_000;

/** "Friday 14 March", with the year when it is not the asker's. */
export function sayDay(ms: number, zone: string, nowMs: number): string {
  const day = DateTime.fromMillis(ms, { zone }).setLocale('en-GB');
  const year = day.year === DateTime.fromMillis(nowMs, { zone }).year ? '' : ' yyyy';
  return day.toFormat(`cccc d LLLL${year}`);
}

/** "09:15" on the clock of the place. */
export const sayClock = (ms: number, zone: string): string =>
  DateTime.fromMillis(ms, { zone }).toFormat('HH:mm');

/** True when the clock at the place shows another time than the asker's. */
export const isElsewhere = (ms: number, zone: string, askerZone: string): boolean =>
  DateTime.fromMillis(ms, { zone }).offset !== DateTime.fromMillis(ms, { zone: askerZone }).offset;

const MEAL = /^(?:breakfast|lunch|dinner|supper)$/;

/** "in the afternoon", "around lunch", "before lunch", "at night": how a part of the day follows the day. */
function sayPart(part: string): string {
  if (/^(?:before|after) /.test(part)) return part;
  if (part === 'night') return 'at night';
  return MEAL.test(part) ? `around ${part}` : `in the ${part}`;
}

/** "Friday 14 March", "Friday 14 March around lunch", "Friday 14 March between 15:00 and 16:00", "10 to 16 March". */
export function saySpan(
  span: TimeSpan,
  asker: { nowMs: number; zone: string },
  part: string | null = null,
): string {
  const { zone, nowMs } = asker;
  const start = DateTime.fromMillis(span.startMs, { zone }).setLocale('en-GB');
  const end = DateTime.fromMillis(span.endMs, { zone }).setLocale('en-GB');
  if (span.startMs <= 0)
    return `everything before ${sayDay(span.endMs, zone, nowMs)} ${end.toFormat('HH:mm')}`;
  const day = sayDay(span.startMs, zone, nowMs);
  if (part) return `${day} ${sayPart(part)}`;
  const startsDay = start.equals(start.startOf('day'));
  const wholeDays = startsDay && (end.equals(end.startOf('day')) || span.endMs >= nowMs);
  const last = DateTime.fromMillis(span.endMs - 1, { zone }).setLocale('en-GB');
  if (wholeDays && start.hasSame(last, 'day')) return day;
  if (wholeDays) return `${day} to ${sayDay(span.endMs - 1, zone, nowMs)}`;
  const until = start.hasSame(last, 'day') ? '' : `${sayDay(span.endMs, zone, nowMs)} `;
  return `${day} between ${start.toFormat('HH:mm')} and ${until}${end.toFormat('HH:mm')}`;
}

/** The same as it stands in a sentence: "on Friday 14 March around lunch", "from Monday 10 to Friday 14 March". */
export function sayDuring(
  span: TimeSpan,
  asker: { nowMs: number; zone: string },
  part: string | null = null,
): string {
  const words = saySpan(span, asker, part);
  if (words.startsWith('everything ')) return words.slice('everything '.length);
  return `${/ to \p{Lu}/u.test(words) ? 'from' : 'on'} ${words}`;
}

/** "at 08:30, 12:00 and 17:20". */
export function sayList(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** "45 seconds", "7 minutes", "1 hour 5 minutes". */
export function sayDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (seconds < 120) return plural(seconds, 'second');
  const minutes = Math.round(ms / 60_000);
  if (ms < HOUR_MS) return plural(minutes, 'minute');
  const rest = minutes % 60;
  return plural(Math.floor(minutes / 60), 'hour') + (rest === 0 ? '' : ` ${plural(rest, 'minute')}`);
}
