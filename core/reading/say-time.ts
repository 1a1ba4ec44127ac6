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

/** "09:15"; with the offset when the place's clock is not the asker's. */
export function sayClock(ms: number, zone: string, askerZone: string): string {
  const at = DateTime.fromMillis(ms, { zone });
  const differs = at.offset !== DateTime.fromMillis(ms, { zone: askerZone }).offset;
  return at.toFormat('HH:mm') + (differs ? ` (UTC${at.offset === 0 ? '' : at.toFormat('Z')})` : '');
}

/** "Tuesday afternoon", "Friday 14 March", "Friday 14 March between 15:00 and 16:00", "10 to 16 March", "everything so far". */
export function saySpan(
  span: TimeSpan | null,
  asker: { nowMs: number; zone: string },
  part: string | null = null,
): string {
  if (!span) return 'everything so far';
  const { zone, nowMs } = asker;
  const start = DateTime.fromMillis(span.startMs, { zone }).setLocale('en-GB');
  const end = DateTime.fromMillis(span.endMs, { zone }).setLocale('en-GB');
  if (span.startMs <= 0)
    return `everything before ${sayDay(span.endMs, zone, nowMs)} ${end.toFormat('HH:mm')}`;
  const day = sayDay(span.startMs, zone, nowMs);
  if (part) {
    const relative = /^(?:before|after) /.test(part);
    return relative
      ? `${day}, ${part}`
      : `${day.split(' ')[0]} ${part} (${day.split(' ').slice(1).join(' ')})`;
  }
  const startsDay = start.equals(start.startOf('day'));
  const wholeDays = startsDay && (end.equals(end.startOf('day')) || span.endMs >= nowMs);
  const last = DateTime.fromMillis(span.endMs - 1, { zone }).setLocale('en-GB');
  if (wholeDays && start.hasSame(last, 'day')) return day;
  if (wholeDays) return `${day} to ${sayDay(span.endMs - 1, zone, nowMs)}`;
  const until = start.hasSame(last, 'day') ? '' : `${sayDay(span.endMs, zone, nowMs)} `;
  return `${day} between ${start.toFormat('HH:mm')} and ${until}${end.toFormat('HH:mm')}`;
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
