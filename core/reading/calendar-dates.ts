/** Days by the calendar: explicit dates and weekdays as chrono-node reads them, holidays, and what chrono-node leaves out. */
import * as chrono from 'chrono-node';
import { DateTime } from 'luxon';
import { dayRun, type Finder, first, LEAD, MONTH_WORD, monthNumber, notAfter, relationOf } from './days.ts';

const HOLIDAYS: Record<string, [month: number, day: number]> = {
  'christmas eve': [12, 24],
  'christmas day': [12, 25],
  christmas: [12, 25],
  "new year's eve": [12, 31],
  "new year's day": [1, 1],
  halloween: [10, 31],
};
/** Words that are dates only behind a preposition: "I may", "the sun", "march on", "April said". */
const AMBIGUOUS =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|fri|sat|sun)\.?$/;
const DATE_PREPOSITION =
  /\b(on|in|since|last|this|next|past|during|of|until|till|before|after|by|from|between|and)\s+(?:the\s+)?$/;

/** A date the calendar does not have, as the question writes it ("31 February"), or null. Expects lower case. */
export function impossibleDate(text: string): string | null {
  const patterns: [RegExp, (m: RegExpExecArray) => { year: number; month: number; day: number }][] = [
    [
      /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/g,
      (m) => ({ year: Number(m[1]), month: Number(m[2]), day: Number(m[3]) }),
    ],
    [
      new RegExp(`\\b(\\d{1,3})(?:st|nd|rd|th)?(?:\\s+of)?\\s+(${MONTH_WORD})\\b(?:,?\\s+(\\d{4})\\b)?`, 'g'),
      (m) => ({ year: Number(m[3] ?? 2024), month: monthNumber(m[2]!), day: Number(m[1]) }),
    ],
    [
      new RegExp(`\\b(${MONTH_WORD})\\s+(\\d{1,3})(?:st|nd|rd|th)?\\b(?![:.]\\d)(?:,?\\s+(\\d{4})\\b)?`, 'g'),
      (m) => ({ year: Number(m[3] ?? 2024), month: monthNumber(m[1]!), day: Number(m[2]) }),
    ],
    [
      /\bat\s+(\d{1,2}):(\d{2})\b/g,
      (m) => ({ year: 2024, month: Number(m[1]) > 24 ? 13 : 1, day: Number(m[2]) > 59 ? 40 : 1 }),
    ],
  ];
  for (const [pattern, read] of patterns) {
    for (let m = pattern.exec(text); m; m = pattern.exec(text)) {
      const date = read(m);
      if (!DateTime.fromObject(date, { zone: 'utc' }).isValid) return m[0].trim();
    }
  }
  return null;
}

const HOLIDAY: Finder = (text, now) =>
  first(text, new RegExp(`${LEAD}\\b(${Object.keys(HOLIDAYS).join('|')})\\b(?:\\s+(\\d{4}))?`), (m) => {
    const [month, day] = HOLIDAYS[m[2]!]!;
    const year = m[3] ? Number(m[3]) : now.year;
    const date = now.set({ year, month, day }).startOf('day');
    return [dayRun(m[3] ? date : notAfter(now, date, { years: 1 }))];
  });

const SLASHED: Finder = (text, now) =>
  first(
    text,
    new RegExp(`${LEAD}\\b(\\d{1,2})[/.](\\d{1,2})[/.](\\d{4})\\b`),
    (m) => {
      // Day first and month first are both written; the memory decides which one holds something.
      const dates = [
        { year: Number(m[4]), month: Number(m[3]), day: Number(m[2]) },
        { year: Number(m[4]), month: Number(m[2]), day: Number(m[3]) },
      ].map((date) => DateTime.fromObject(date, { zone: now.zone }));
      const valid = dates.filter((date) => date.isValid).map(dayRun);
      return valid.length > 0 ? valid : null;
    },
    true,
  );

const DAY_OF_MONTH: Finder = (text, now) =>
  first(
    text,
    new RegExp(
      `(?:\\b(on|since|before|after|until|by)\\s+)(?:\\w+day\\s+)?the\\s+(\\d{1,2})(?:st|nd|rd|th)\\b(?!\\s+(?:of\\s+)?${MONTH_WORD}\\b)`,
    ),
    (m) => {
      const day = Number(m[2]);
      for (let month = now.startOf('month'), n = 0; n < 12; month = month.minus({ months: 1 }), n++) {
        if (day <= (month.daysInMonth ?? 0) && month.set({ day }) <= now) return [dayRun(month.set({ day }))];
      }
      return null;
    },
  );

/** chrono-node knows 29 February only in a leap year. */
const LEAP_DAY: Finder = (text, now) =>
  first(
    text,
    new RegExp(
      `${LEAD}\\b(?:29(?:th)?(?:\\s+of)?\\s+feb(?:ruary)?|feb(?:ruary)?\\s+29(?:th)?)\\b(?!,?\\s+\\d{4})`,
    ),
    () => [
      dayRun(
        sameDateNotAfter(DateTime.fromObject({ year: 2024, month: 2, day: 29 }, { zone: now.zone }), now),
      ),
    ],
    true,
  );

/** Everything chrono-node knows: "yesterday", "the day before yesterday", "on Tuesday", "14 March", "in May 2024". */
const CHRONO: Finder = (text, now) => {
  const results = chrono.casual.parse(text, { instant: now.toJSDate(), timezone: now.offset });
  for (const result of results) {
    const { start } = result;
    // "Where are my keys now?": as of now, whenever that was recorded.
    if (/^(?:right\s+)?now$/.test(result.text)) continue;
    const before = text.slice(0, result.index);
    if (AMBIGUOUS.test(result.text) && !DATE_PREPOSITION.test(before)) continue;
    const lead = /\b(on|in|during|since|before|after|until|till|by|from|of|around|about)\s+(?:the\s+)?$/.exec(
      before,
    );
    // chrono's own match may begin with the preposition ("on Tuesday", "in May").
    const relation = relationOf(
      /^(since|before|after|until|till|by|from)\b/.exec(result.text)?.[1] ?? lead?.[1],
    );
    const index = result.index - (lead?.[0].length ?? 0);
    const place = { index, length: result.index + result.text.trimEnd().length - index, relation };
    const year = start.get('year') ?? now.year;
    const month = start.get('month') ?? 1;
    if (start.isCertain('weekday') && !start.isCertain('day')) {
      const next = /\bnext\b/.test(result.text);
      let day = now.startOf('day').set({ weekday: (start.get('weekday') || 7) as 1 | 2 | 3 | 4 | 5 | 6 | 7 });
      if (next) return { ...place, days: [dayRun(day.plus({ weeks: 1 }))], explicit: false };
      const last = /\b(last|past)\b/.test(result.text);
      day = notAfter(last ? now.startOf('day').minus({ milliseconds: 1 }) : now, day, { days: 7 });
      // Said on a Tuesday, "on Tuesday" is today or a week ago.
      const today = day.hasSame(now, 'day');
      return {
        ...place,
        days: today ? [dayRun(day), dayRun(day.minus({ days: 7 }))] : [dayRun(day)],
        explicit: false,
      };
    }
    if (start.isCertain('day')) {
      const named = DateTime.fromObject({ year, month, day: start.get('day') ?? 1 }, { zone: now.zone });
      const explicit =
        !start.tags().has('result/relativeDate') && !start.tags().has('parser/ENCasualDateParser');
      const day = start.isCertain('year') ? named : sameDateNotAfter(named, now);
      return { ...place, days: [dayRun(day)], explicit };
    }
    if (start.isCertain('month')) {
      const named = DateTime.fromObject({ year, month }, { zone: now.zone });
      const from = start.isCertain('year')
        ? named
        : notAfter(now, named.set({ year: now.year }), { years: 1 });
      return { ...place, days: [{ from, to: from.plus({ months: 1 }) }], explicit: false };
    }
  }
  return null;
};

/** A date without a year is the latest one that has begun; 29 February goes back to a leap year. */
function sameDateNotAfter(named: DateTime, now: DateTime): DateTime {
  for (let year = now.year; year > now.year - 9; year--) {
    const date = DateTime.fromObject({ year, month: named.month, day: named.day }, { zone: now.zone });
    if (date.isValid && date <= now) return date;
  }
  return named;
}

/** In the order in which they are tried: what chrono-node would misread comes before it. */
export const CALENDAR_DATES: readonly Finder[] = [SLASHED, DAY_OF_MONTH, HOLIDAY, LEAP_DAY, CHRONO];
