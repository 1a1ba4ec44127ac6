/** Ranges in a question: "between 3 and 4", "from 9 to half past ten", "from Monday to Wednesday", "10-12 March". */
import type { DateTime } from 'luxon';
import type { TimeSpan } from '../contract/index.ts';
import { DAY_MINUTES, findClock, findDayPart, type Place } from './clock-words.ts';
import { findDate } from './date-words.ts';

export type RangeWords = Place &
  ({ kind: 'clock'; parts: { from: number; to: number }[] } | { kind: 'days'; span: TimeSpan });

const RANGE = /\b(?:between|from)\s+(.{1,40}?)\s+(?:and|to|until|till|through|-)\s+(.{1,40})/dg;
/** Ends of a range's second half: try the longest first, so that "4 in the afternoon" is read whole. */
const MAX_WORDS = 5;

/** Reads a whole phrase as one clock time; null unless all of it is. */
function wholeClock(phrase: string): number[] | null {
  const clock = findClock(`at ${phrase}`);
  return clock && clock.index === 0 && clock.length === phrase.length + 3 ? clock.minutes : null;
}

function wholePart(phrase: string): { from: number; to: number } | null {
  const part = findDayPart(`at ${phrase}`);
  return part && part.index === 0 && part.length === phrase.length + 3 ? part : null;
}

function wholeDate(phrase: string, now: DateTime): { from: DateTime; to: DateTime } | null {
  const date = findDate(`on ${phrase}`, now);
  return date && date.index === 0 && date.length === phrase.length + 3 ? (date.days[0] ?? null) : null;
}

/** Start and end readings that belong together: the end is the first one after the start. */
function pairs(starts: number[], ends: number[]): { from: number; to: number }[] {
  // An end that is settled ("4pm") settles the start: the latest reading before it.
  if (ends.length === 1) {
    const before = starts.filter((start) => start < ends[0]!).sort((a, b) => b - a);
    return [{ from: before[0] ?? starts[0]!, to: before.length > 0 ? ends[0]! : ends[0]! + DAY_MINUTES }];
  }
  return starts.map((from) => {
    const later = ends.filter((end) => end > from).sort((a, b) => a - b);
    return { from, to: later[0] ?? Math.min(...ends) + DAY_MINUTES };
  });
}

function readPair(
  left: string,
  right: string,
  now: DateTime,
): { kind: 'clock'; parts: { from: number; to: number }[] } | { kind: 'days'; span: TimeSpan } | null {
  const starts = wholeClock(left);
  const ends = wholeClock(right);
  if (starts && ends) return { kind: 'clock', parts: pairs(starts, ends) };
  const early = wholePart(left);
  const late = wholePart(right);
  if (early && late) return { kind: 'clock', parts: [{ from: early.from, to: late.to }] };
  if (starts && late)
    return {
      kind: 'clock',
      parts: starts.filter((from) => from < late.to).map((from) => ({ from, to: late.to })),
    };
  if (early && ends)
    return {
      kind: 'clock',
      parts: ends.filter((to) => to > early.from).map((to) => ({ from: early.from, to })),
    };
  const last = wholeDate(right, now);
  // "between 3 and 5 March": the month stands once.
  const month = /[a-z]{3,}.*$/.exec(right)?.[0] ?? '';
  const first =
    wholeDate(left, now) ??
    (/^\d{1,2}(?:st|nd|rd|th)?$/.test(left) ? wholeDate(`${left} ${month}`, now) : null);
  if (!first || !last) return null;
  const from = first.from <= last.from ? first.from : first.from.minus({ weeks: 1 });
  return from < last.to
    ? { kind: 'days', span: { startMs: from.toMillis(), endMs: last.to.toMillis() } }
    : null;
}

/** Finds a range in `text` (lower case); null when there is none, or its ends are no times ("between the meeting and lunch"). */
export function findRange(text: string, now: DateTime): RangeWords | null {
  RANGE.lastIndex = 0;
  for (let m = RANGE.exec(text); m; m = RANGE.exec(text)) {
    const left = m[1]!.trim();
    const words = m[2]!.split(/(?<=\S)(?=[\s?,!;])/);
    for (let count = Math.min(MAX_WORDS, words.length); count > 0; count--) {
      const right = words
        .slice(0, count)
        .join('')
        .replace(/[?,!;.\s]+$/, '');
      const read = readPair(left, right.trim(), now);
      if (!read) continue;
      const end = m.indices![2]![0] + right.length;
      return { index: m.index, length: end - m.index, ...read };
    }
  }
  return null;
}
