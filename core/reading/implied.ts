/** Words of a question that a piece of evidence shows by what it is, without holding them. */
import { DateTime } from 'luxon';
import type { Unit } from './evidence.ts';
import { isSurface, type Term } from './terms.ts';
import { holdsPrice, lineHolds } from './wants.ts';

const READING = new Set(['read', 'see', 'show', 'look', 'notice']);
/** Local hours in which a meal is taken, when something seen or said may belong to it without naming it. */
const MEAL_HOURS: Record<string, [from: number, until: number]> = {
  breakfast: [6, 11],
  lunch: [11, 15],
  dinner: [17, 22],
  supper: [17, 22],
};
const TALKING = new Set(['say', 'tell', 'talk', 'speak', 'mention', 'discuss', 'hear', 'ask']);
const OPENING = new Set(['open', 'close', 'shut']);
const PAYING = new Set(['pay', 'cost', 'spend', 'price', 'buy']);

/** What a piece of evidence shows by being what it is: text in view was on some sign and was read, speech was said. */
export function isImplied(term: Term, unit: Unit): boolean {
  const any = (words: ReadonlySet<string>): boolean => term.forms.some((form) => words.has(form));
  const shown =
    unit.kind === 'visible'
      ? isSurface(term) ||
        (any(OPENING) && unit.lines.some((line) => lineHolds(line, 'clock'))) ||
        any(READING) ||
        (any(PAYING) && unit.lines.some(holdsPrice))
      : unit.kind === 'speech' && (any(TALKING) || (any(PAYING) && holdsPrice(unit.text)));
  return (shown && term.kind !== 'name') || atMeal(term, unit);
}

function atMeal(term: Term, unit: Unit): boolean {
  const hours = MEAL_HOURS[term.forms[0] ?? ''];
  if (!hours) return false;
  const { hour } = DateTime.fromMillis(unit.startMs, { zone: unit.episode.zone });
  return hour >= hours[0] && hour < hours[1] && unit.kind === 'visible' && unit.lines.some(holdsPrice);
}
