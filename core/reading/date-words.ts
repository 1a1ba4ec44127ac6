/**
 * Days in a question: explicit dates, weekdays and "yesterday" are read by chrono-node; weeks, weekends, months, years,
 * holidays and everything that must look back instead of ahead are laid over it. All days are days of the asker's zone.
 */
import type { DateTime } from 'luxon';
import { CALENDAR_DATES } from './calendar-dates.ts';
import type { DateWords } from './days.ts';
import { RELATIVE_DATES, YEAR } from './relative-dates.ts';

const FINDERS = [...RELATIVE_DATES, ...CALENDAR_DATES, YEAR];

/**
 * The days a question names, looking back from `now` (in the asker's zone); null when it names none.
 * @param text the question in lower case, without its clock times and parts of the day
 */
export function findDate(text: string, now: DateTime): DateWords | null {
  for (const find of FINDERS) {
    const found = find(text, now);
    if (found) return found;
  }
  return null;
}
