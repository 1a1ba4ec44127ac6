/** Habits: at what time, on how many days, and what is done on most of them. */
import { DateTime } from 'luxon';
import type { DaySummary, Episode } from '../../contract/index.ts';
import { type Cite, cite, type Sentence } from '../compose.ts';
import { unitsOf } from '../evidence.ts';
import type { ActFound } from '../look-up-act.ts';
import type { Occasion } from '../occasions.ts';
import type { Question } from '../question.ts';
import { formSet } from '../words.ts';

/** Days from which on something can be called a habit. */
const HABIT_DAYS = 2;
/** Share of the days that were looked at on which a habit shows. */
const HABIT_SHARE = 0.5;
const MOST_CITED = 5;
const MOST_HABITS = 6;

const dayOf = (ms: number, zone: string): string => DateTime.fromMillis(ms, { zone }).toISODate() ?? '';
const minuteOf = (ms: number, zone: string): number => {
  const at = DateTime.fromMillis(ms, { zone });
  return at.hour * 60 + at.minute;
};
const sayMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(Math.round(minute % 60)).padStart(2, '0')}`;

/** The first occasion of each day. */
function firstOfDays(occasions: readonly Occasion[]): Map<string, Occasion> {
  const firsts = new Map<string, Occasion>();
  for (const occasion of occasions) {
    const day = dayOf(occasion.startMs, occasion.units[0]!.episode.zone);
    if (!firsts.has(day)) firsts.set(day, occasion);
  }
  return firsts;
}

const lastCites = (occasions: readonly Occasion[], question: Question): Sentence['cites'] =>
  occasions.slice(-MOST_CITED).map(({ units }) => cite(units[0]!, question)) as Sentence['cites'];

/** "Usually around 08:10: on 5 of 7 recorded days, between 07:50 and 08:30." */
export function clockSentences(found: ActFound, days: readonly DaySummary[]): Sentence[] {
  const firsts = [...firstOfDays(found.occasions).values()];
  if (firsts.length === 0) return [];
  const minutes = firsts
    .map(({ startMs, units }) => minuteOf(startMs, units[0]!.episode.zone))
    .sort((a, b) => a - b);
  const middle = minutes[Math.floor((minutes.length - 1) / 2)]!;
  const cites = lastCites(firsts, found.question);
  if (firsts.length < HABIT_DAYS)
    return [{ text: `Only one day shows it, at ${sayMinute(middle)}; that is not yet a habit.`, cites }];
  const range = `between ${sayMinute(minutes[0]!)} and ${sayMinute(minutes.at(-1)!)}`;
  return [
    {
      text: `Usually around ${sayMinute(middle)}: on ${firsts.length} of ${days.length} recorded days, ${range}.`,
      cites,
    },
  ];
}

/** "On 5 of 7 recorded days, 6 times in all." */
export function rateSentences(found: ActFound, days: readonly DaySummary[]): Sentence[] {
  const firsts = [...firstOfDays(found.occasions).values()];
  if (firsts.length === 0) return [];
  const count = found.occasions.length;
  const inAll = `${found.complete ? '' : 'at least '}${count} ${count === 1 ? 'time' : 'times'} in all`;
  return [
    {
      text: `On ${firsts.length} of ${days.length} recorded days, ${inAll}.`,
      cites: lastCites(firsts, found.question),
    },
  ];
}

/**
 * What was done on most of some days: the actions and scenes their episodes share.
 * @param byDay episodes of each day that was looked at, oldest day first
 */
export function habitSentences(
  byDay: ReadonlyMap<string, readonly Episode[]>,
  question: Question,
): Sentence[] {
  const seen = new Map<string, { label: string; days: Map<string, Episode> }>();
  for (const [day, episodes] of byDay) {
    for (const episode of episodes) {
      for (const label of [...episode.record.actions, ...episode.record.scenes]) {
        const key = [...formSet(label)].sort().join(' ');
        const known = seen.get(key) ?? { label, days: new Map() };
        if (!known.days.has(day)) known.days.set(day, episode);
        seen.set(key, known);
      }
    }
  }
  const least = Math.max(HABIT_DAYS, byDay.size * HABIT_SHARE);
  const habits = [...seen.values()]
    .filter(({ days }) => days.size >= least)
    .sort((a, b) => b.days.size - a.days.size || a.label.localeCompare(b.label))
    .slice(0, MOST_HABITS);
  return habits
    .map(({ label, days }) => {
      const cites = [...days.values()].slice(-MOST_CITED).flatMap((episode): Cite[] => {
        const units = unitsOf(episode);
        const forms = formSet(label);
        const unit = units.find((one) => [...forms].some((form) => one.forms.has(form))) ?? units[0];
        return unit ? [cite(unit, question)] : [];
      });
      return {
        text: `On ${days.size} of ${byDay.size} of those days: ${label}.`,
        cites: cites as Sentence['cites'],
      };
    })
    .filter(({ cites }) => cites.length > 0);
}
