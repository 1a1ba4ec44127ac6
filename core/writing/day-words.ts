import { DateTime } from 'luxon';

/** Minutes either side of noon and midnight that are spoken of as "around noon". */
const AROUND_MINUTES = 20;
/** Hours at which the parts of a day begin. */
const DAY_PARTS = [
  { from: 0, name: 'night' },
  { from: 5, name: 'morning' },
  { from: 12, name: 'afternoon' },
  { from: 18, name: 'evening' },
  { from: 22, name: 'night' },
] as const;
const PHRASES = {
  morning: 'in the morning',
  afternoon: 'in the afternoon',
  evening: 'in the evening',
  night: 'at night',
} as const;

export interface DayWords {
  /** "Friday, 14 March 2025" */
  date: string;
  /** "08:15:25" */
  clock: string;
  part: keyof typeof PHRASES;
  /** "in the morning", "at night, around midnight" */
  phrase: string;
}

/** The instant on the recording's own wall clock; an unknown zone falls back to UTC, an impossible instant to 1970. */
function local(ms: number, zone: string): DateTime {
  const there = DateTime.fromMillis(Number.isFinite(ms) ? ms : 0, { zone, locale: 'en-GB' });
  if (there.isValid) return there;
  const utc = DateTime.fromMillis(Number.isFinite(ms) ? ms : 0, { zone: 'utc', locale: 'en-GB' });
  return utc.isValid ? utc : DateTime.fromMillis(0, { zone: 'utc', locale: 'en-GB' });
}

/** @param ms epoch ms @param zone IANA name or fixed offset */
export function dayWords(ms: number, zone: string): DayWords {
  const at = local(ms, zone);
  const part = DAY_PARTS.filter(({ from }) => at.hour >= from).at(-1)!.name;
  const minute = at.hour * 60 + at.minute;
  const midnight = Math.min(minute, 1440 - minute) <= AROUND_MINUTES;
  const noon = Math.abs(minute - 720) <= AROUND_MINUTES;
  return {
    date: at.toFormat('cccc, d LLLL yyyy'),
    clock: at.toFormat('HH:mm:ss'),
    part,
    phrase: `${PHRASES[part]}${midnight ? ', around midnight' : noon ? ', around noon' : ''}`,
  };
}
