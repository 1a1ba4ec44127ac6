/** Whole days as words name them, and what every reader of such words shares. */
import type { DateTime } from 'luxon';
import type { Place, Relation } from './clock-words.ts';

/** A run of whole days [from, to). */
export interface Days {
  from: DateTime;
  to: DateTime;
}

export interface DateWords extends Place {
  /** Candidates, the likeliest first. */
  days: Days[];
  relation: Relation;
  /** True when the words name one calendar date ("14 March"), which an answer may hold as well. */
  explicit: boolean;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
export const MONTH_WORD = `(?:${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`;
/** The preposition before a date, as an optional first group. */
export const LEAD =
  '(?:\\b(on|in|during|since|before|after|until|till|by|from|of|over|at|throughout)\\s+(?:the\\s+)?)?';

export const monthNumber = (word: string): number =>
  MONTHS.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1;
export const dayRun = (from: DateTime): Days => ({ from, to: from.plus({ days: 1 }) });

export function relationOf(word: string | undefined): Relation {
  if (word === 'since' || word === 'from') return 'since';
  if (word === 'before' || word === 'after') return word;
  if (word === 'until' || word === 'till' || word === 'by') return 'until';
  return 'at';
}

/** Reads one way of naming days in a question; looks back from `now`, which carries the asker's zone. */
export type Finder = (text: string, now: DateTime) => DateWords | null;

/** A finder from one pattern whose first group is LEAD's; `read` gives null for what only looks like a date. */
export function first(
  text: string,
  pattern: RegExp,
  read: (m: RegExpExecArray) => Days[] | null,
  explicit = false,
): DateWords | null {
  const m = pattern.exec(text);
  const days = m && read(m);
  if (!m || !days) return null;
  return { index: m.index, length: m[0].length, days, relation: relationOf(m[1]), explicit };
}

/** The latest of `days` that does not begin after now, given how to step one back. */
export function notAfter(
  now: DateTime,
  start: DateTime,
  stepBack: { days?: number; months?: number; years?: number },
): DateTime {
  let candidate = start;
  while (candidate > now) candidate = candidate.minus(stepBack);
  return candidate;
}
