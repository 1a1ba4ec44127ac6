/** Spans counted back from the question's instant in real time: "an hour ago", "in the last 20 minutes". */
import type { TimeSpan } from '../contract/index.ts';
import type { Place } from './clock-words.ts';

export interface ElapsedWords extends Place {
  span: TimeSpan;
  /** The instant itself for "… ago", epoch ms; null for a stretch up to now. */
  pointMs: number | null;
}

const UNIT_MS: Record<string, number> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const COUNTS: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'half an': 0.5,
  'half a': 0.5,
  'a couple of': 2,
  'a few': 3,
};
const COUNT = `half an?|a couple of|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|\\d{1,4}`;
/** People are about a quarter off, and never exact to less than two minutes. */
const SLACK_SHARE = 0.25;
const SLACK_LEAST_MS = 120_000;

const AGO = new RegExp(`\\b(?:about\\s+|around\\s+)?(${COUNT})\\s+(second|minute|hour|min)s?\\s+ago\\b`);
const STRETCH = new RegExp(
  `\\b(?:(?:in|over|during|within|for)\\s+)?the\\s+(?:last|past)\\s+(?:(${COUNT})\\s+)?(second|minute|hour|day|week)s?\\b(?!\\s+of\\b)`,
);
const JUST_NOW = /\b(?:just\s+now|a\s+moment\s+ago|moments\s+ago|a\s+second\s+ago)\b/;
const JUST_NOW_MS = 5 * 60_000;

const countOf = (word: string | undefined): number =>
  word === undefined ? 1 : (COUNTS[word] ?? Number(word));

/** Finds such words in `text` (lower case); null when there are none. */
export function findElapsed(text: string, nowMs: number): ElapsedWords | null {
  const ago = AGO.exec(text);
  if (ago) {
    const unit = ago[2] === 'min' ? 'minute' : ago[2]!;
    const backMs = countOf(ago[1]) * UNIT_MS[unit]!;
    const slack = Math.max(backMs * SLACK_SHARE, SLACK_LEAST_MS);
    const pointMs = Math.round(nowMs - backMs);
    return {
      index: ago.index,
      length: ago[0].length,
      pointMs,
      span: { startMs: Math.round(pointMs - slack), endMs: Math.round(pointMs + slack) },
    };
  }
  const stretch = STRETCH.exec(text);
  // "the last day" and "the last week" without a number are calendar words, read elsewhere.
  if (stretch && (stretch[1] !== undefined || stretch[2] === 'hour' || stretch[2] === 'minute')) {
    const backMs = countOf(stretch[1]) * UNIT_MS[stretch[2]!]!;
    return {
      index: stretch.index,
      length: stretch[0].length,
      pointMs: null,
      span: { startMs: Math.round(nowMs - backMs), endMs: nowMs },
    };
  }
  const justNow = JUST_NOW.exec(text);
  if (justNow) {
    return {
      index: justNow.index,
      length: justNow[0].length,
      pointMs: null,
      span: { startMs: nowMs - JUST_NOW_MS, endMs: nowMs },
    };
  }
  return null;
}
