/**
 * Clock times and dates in the zone a recording was made in. A zone is an IANA name or luxon's fixed form ("UTC+2",
 * "UTC-5:30"); the fixed form is formatted as shifted UTC because not every runtime's Intl takes offsets.
 */
const FIXED_ZONE = /^UTC(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

type Placed = { ms: number; timeZone: string };

function place(ms: number, zone: string): Placed {
  const fixed = FIXED_ZONE.exec(zone);
  if (fixed) {
    const [, sign, hours = '0', minutes = '0'] = fixed;
    const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
    return { ms: sign === '-' ? ms - offset : ms + offset, timeZone: 'UTC' };
  }
  return { ms, timeZone: isZone(zone) ? zone : 'UTC' };
}

/** True for a zone name this runtime knows. */
export function isZone(zone: string): boolean {
  if (FIXED_ZONE.test(zone)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Every format call builds its formatter once per locale, zone and form: building one costs far more than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}|${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** "9:15 AM" or "09:15", as the locale has it. With `seconds`, "9:15:30 AM". */
export function clockTime(ms: number, zone: string, locale: string, seconds = false): string {
  const at = place(ms, zone);
  return formatter(locale, {
    timeZone: at.timeZone,
    hour: 'numeric',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
  }).format(at.ms);
}

/** "9:15 – 9:22 AM": a span within the locale's own rules. */
export function clockSpan(startMs: number, endMs: number, zone: string, locale: string): string {
  const from = place(startMs, zone);
  const to = place(endMs, zone);
  const format = formatter(locale, { timeZone: from.timeZone, hour: 'numeric', minute: '2-digit' });
  const [first, last] = [format.format(from.ms), format.format(to.ms)];
  if (first === last) return first;
  // With a 12-hour clock the range names morning or afternoon once; with a 24-hour one it may pad hours that single times do not.
  return format.resolvedOptions().hour12 ? format.formatRange(from.ms, to.ms) : `${first} – ${last}`;
}

/** Calendar day "YYYY-MM-DD" of an instant in its zone. */
export function dayOf(ms: number, zone: string): string {
  const at = place(ms, zone);
  const parts = formatter('en', {
    timeZone: at.timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at.ms);
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Midday UTC of a calendar day: far from every date line, so formatting it in UTC never slips a day. */
function middayOf(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}

/** "Friday, 14 March 2025" from "2025-03-14". */
export function dayTitle(day: string, locale: string): string {
  return formatter(locale, {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(middayOf(day));
}

/** "Fri 14 Mar", for lists; the year is left to a heading. */
export function dayShort(day: string, locale: string): string {
  return formatter(locale, { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' }).format(
    middayOf(day),
  );
}

/** "March 2025" from "2025-03-14". */
export function monthTitle(day: string, locale: string): string {
  return formatter(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(middayOf(day));
}

/** Whole days from one calendar day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((middayOf(to) - middayOf(from)) / DAY_MS);
}

/** "2025-03-14T08:15:00.000Z", for `<time dateTime>`. */
export function isoInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** True when two zones show a different clock at an instant. */
export function zonesDiffer(ms: number, a: string, b: string): boolean {
  return clockTime(ms, a, 'en-GB') !== clockTime(ms, b, 'en-GB') || dayOf(ms, a) !== dayOf(ms, b);
}
