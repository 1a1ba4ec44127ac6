/** Days counted from the question: weeks, weekends, months and years, "three weeks ago". */
import { DateTime } from 'luxon';
import { dayRun, type Finder, first, LEAD, MONTH_WORD, monthNumber, notAfter } from './days.ts';

const WEEK: Finder = (text, now) =>
  first(text, new RegExp(`${LEAD}\\b(this|last|past|previous|next)\\s+(week|month|year)\\b`), (m) => {
    const unit = m[3] as 'week' | 'month' | 'year';
    const shift = m[2] === 'this' ? 0 : m[2] === 'next' ? 1 : -1;
    const from = now.startOf(unit).plus({ [unit]: shift });
    return [{ from, to: from.plus({ [unit]: 1 }) }];
  });

const WEEKEND: Finder = (text, now) =>
  first(text, new RegExp(`${LEAD}\\b(?:(this|last|past|next)\\s+|the\\s+)?weekend\\b`), (m) => {
    // "before the weekend" in a quotation-like question is still a time; a bare "weekend" is a thing.
    if (m[1] === undefined && m[2] === undefined && !m[0].includes('the')) return null;
    let from = now.startOf('week').plus({ days: 5 });
    if (m[2] === 'next') from = from.plus({ weeks: 1 });
    else if (m[2] === 'last') from = from.minus({ weeks: 1 });
    else from = notAfter(now, from, { days: 7 });
    return [{ from, to: from.plus({ days: 2 }) }];
  });

const AGO: Finder = (text, now) =>
  first(
    text,
    /()\b(a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}|a couple of|a few)\s+(day|week|month|year)s?\s+ago\b/,
    (m) => {
      const words = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
      const vague = m[2] === 'a couple of' || m[2] === 'a few';
      const count = vague
        ? m[2] === 'a few'
          ? 3
          : 2
        : m[2]!.startsWith('a')
          ? 1
          : words.indexOf(m[2]!) > 0
            ? words.indexOf(m[2]!)
            : Number(m[2]);
      const unit = m[3] as 'day' | 'week' | 'month' | 'year';
      const day = now.startOf('day').minus({ [unit]: count });
      if (unit === 'day')
        return [vague ? { from: day.minus({ days: 1 }), to: day.plus({ days: 2 }) } : dayRun(day)];
      // "three weeks ago" is seldom that very day.
      if (unit === 'week') return [{ from: day.minus({ days: 3 }), to: day.plus({ days: 4 }) }];
      return [{ from: day.startOf(unit), to: day.startOf(unit).plus({ [unit]: 1 }) }];
    },
  );

/** "in 2024" is tried last: a year may belong to a date. */
export const YEAR: Finder = (text, now) =>
  first(text, /\b(in|during|since|before|after|until)\s+((?:19|20)\d{2})\b(?![-/.]?\d)/, (m) => {
    const from = DateTime.fromObject({ year: Number(m[2]) }, { zone: now.zone });
    return [{ from, to: from.plus({ years: 1 }) }];
  });

const WEEK_OF_MONTH: Finder = (text, now) =>
  first(
    text,
    new RegExp(
      `${LEAD}\\b(first|second|third|fourth|last)\\s+week\\s+of\\s+(${MONTH_WORD})\\b(?:\\s+(\\d{4}))?`,
    ),
    (m) => {
      const start = now
        .startOf('month')
        .set({ month: monthNumber(m[3]!), year: m[4] ? Number(m[4]) : now.year });
      const month = m[4] ? start : notAfter(now, start, { years: 1 });
      const which = ['first', 'second', 'third', 'fourth'].indexOf(m[2]!);
      const from = which < 0 ? month.plus({ months: 1 }).minus({ days: 7 }) : month.plus({ days: 7 * which });
      return [{ from, to: from.plus({ days: 7 }) }];
    },
  );

/** In the order in which they are tried: a longer phrase before the shorter one inside it. */
export const RELATIVE_DATES: readonly Finder[] = [WEEK_OF_MONTH, WEEK, WEEKEND, AGO];
