/** Amounts a person reads: how long, how much, how sure. */
const SECOND_MS = 1000;
const SHIFT = /^(\d{1,3})(?::(\d{1,2}))?(?::(\d{1,2}))?$/;

function unit(value: number, name: 'second' | 'minute' | 'hour' | 'day', locale: string, digits = 0): string {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: name,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value);
}

/** "42 sec", "3 min 20 sec", "2 hr 5 min", "3 days": at most two units, the smaller one left out when zero. */
export function duration(seconds: number, locale: string): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return unit(whole, 'second', locale);
  const [minutes, restSeconds] = [Math.floor(whole / 60), whole % 60];
  if (minutes < 60) {
    const rest = restSeconds > 0 ? ` ${unit(restSeconds, 'second', locale)}` : '';
    return unit(minutes, 'minute', locale) + rest;
  }
  const [hours, restMinutes] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 48) {
    return unit(hours, 'hour', locale) + (restMinutes > 0 ? ` ${unit(restMinutes, 'minute', locale)}` : '');
  }
  return unit(Math.round(hours / 24), 'day', locale);
}

/** A length people compare, not count: "40 sec", "12 min", "2 hr 5 min". */
export function roughDuration(seconds: number, locale: string): string {
  if (seconds < 60) return duration(seconds, locale);
  return duration(Math.round(seconds / 60) * 60, locale);
}

/** "1:05" or "1:02:07", a place within a clip. */
export function position(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** "3.4 MB", in steps of 1000 as file managers show it. */
export function bytes(count: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  }).format(count / 1000 ** step);
}

/** "7.4", a ratio with one digit while it is small. */
export function ratio(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: value < 20 ? 1 : 0 }).format(value);
}

/** "82%" from 0.82. */
export function percent(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(value);
}

/** "1,204". */
export function count(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/**
 * Reads a clock correction typed as hours, hours:minutes or hours:minutes:seconds.
 * @returns milliseconds, always positive or zero; null when it is not such a text
 */
export function parseShift(text: string): number | null {
  const match = SHIFT.exec(text.trim());
  if (!match) return null;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
  if (minutes > 59 || seconds > 59) return null;
  return (hours * 3600 + minutes * 60 + seconds) * SECOND_MS;
}
