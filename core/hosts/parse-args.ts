import { DateTime } from 'luxon';
import { FootnoteError } from '../contract/errors.ts';
import { wearerId } from '../contract/recording.ts';

const UNIT_MS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/**
 * Reads a shift in time: "+1h30m", "-45s", "2d", "-01:00:00".
 * @returns ms, negative for earlier
 * @throws FootnoteError BAD_REQUEST
 */
export function parseShift(text: string): number {
  const refuse = () =>
    new FootnoteError(
      'BAD_REQUEST',
      `"${text}" is not a shift in time. Write for example +1h, -45s or -01:30:00.`,
    );
  const match = /^([+-]?)(.+)$/.exec(text.trim());
  if (!match) throw refuse();
  const sign = match[1] === '-' ? -1 : 1;
  const body = match[2]!;
  const clock = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(body);
  if (clock) return sign * ((Number(clock[1]) * 60 + Number(clock[2])) * 60 + Number(clock[3] ?? 0)) * 1000;
  let total = 0;
  let rest = body;
  while (rest) {
    const part = /^(\d+(?:\.\d+)?)(ms|[dhms])/.exec(rest);
    if (!part) throw refuse();
    total += Number(part[1]) * UNIT_MS[part[2]!]!;
    rest = rest.slice(part[0].length);
  }
  return sign * Math.round(total);
}

/**
 * Reads an instant in ISO 8601; without an offset it is taken in `zone`.
 * @returns epoch ms
 * @throws FootnoteError BAD_REQUEST
 */
export function parseInstant(text: string, zone: string): number {
  const at = DateTime.fromISO(text.trim(), { zone });
  if (at.isValid) return at.toMillis();
  throw new FootnoteError(
    'BAD_REQUEST',
    `"${text}" is not a time. Write for example 2026-07-01T18:30 or 2026-07-01T18:30+02:00.`,
  );
}

/** @throws FootnoteError BAD_REQUEST for a zone that does not exist */
export function parseZone(text: string): string {
  if (DateTime.local({ zone: text }).isValid) return text;
  throw new FootnoteError(
    'BAD_REQUEST',
    `"${text}" is not a time zone. Use a name such as Europe/Warsaw, or UTC+2.`,
  );
}

/** @throws FootnoteError BAD_REQUEST */
export function parseDay(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid) return text;
  throw new FootnoteError('BAD_REQUEST', `"${text}" is not a day. Write for example 2026-07-01.`);
}

/** @throws FootnoteError BAD_REQUEST */
export function parseCount(text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new FootnoteError('BAD_REQUEST', `"${text}" is not a whole number from ${least} to ${most}.`);
}

/** @throws FootnoteError BAD_REQUEST for what cannot be a person's name */
export function parseWearer(text: string): string {
  const id = wearerId(text);
  if (id !== null) return id;
  throw new FootnoteError('BAD_REQUEST', `"${text}" is not a name. Write for example Anna.`);
}
