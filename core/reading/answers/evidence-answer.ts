/** Where, who, what, what was said, what was read, whether: the best evidence, quoted in time order. */
import type { Cite, Sentence } from '../compose.ts';
import { type Asker, cite, introduce, quoteSentences } from '../compose.ts';
import type { Unit } from '../evidence.ts';
import { type Candidate, EXCHANGE_MS, type Scored } from '../judge.ts';
import { occasionsOf } from '../occasions.ts';
import type { Question } from '../question.ts';
import { IN_VIEW_MS } from '../spans.ts';
import type { Term } from '../terms.ts';
import { unitHolds } from '../wants.ts';
import { fold, formSet } from '../words.ts';

const MOST_QUOTES = 3;
const MOST_LISTED = 8;
/** Evidence worth showing beside the best: at least this share of its score, more when the best holds what is wanted. */
const NEAR_BEST = 0.8;
const NEAR_BEST_ANSWERING = 0.93;
/** "the last …" may pass over a better match for a later one that matches this well. */
const NEAR_COVERAGE = 0.75;
const NEAR_OWN = 0.6;

const sameWords = (a: Unit, b: Unit): boolean => fold(a.text) === fold(b.text);

/** The units an answer quotes: the outermost one for first and last, else the few best. */
export function pickUnits(scored: readonly Scored[], question: Question): Scored[] {
  const best = scored[0];
  if (!best) return [];
  if (question.order) return outermost(scored, question);
  const most = /\b(?:all|list|in order|every|places)\b/i.test(question.text) ? MOST_LISTED : MOST_QUOTES;
  const picked: Scored[] = [];
  const wanted = (one: Scored): number =>
    [...question.wants].filter((want) => unitHolds(one.unit, want)).length;
  const answers = wanted(best) > 0;
  for (const one of scored) {
    // Beside evidence that holds what is wanted, other mentions say nothing.
    if (answers && wanted(one) === 0) continue;
    if (one.score < best.score * (answers ? NEAR_BEST_ANSWERING : NEAR_BEST) || picked.length >= most) break;
    if (one.own < best.own * NEAR_OWN) continue;
    if (!picked.some((other) => sameWords(other.unit, one.unit))) picked.push(one);
  }
  return picked;
}

/** The first or last evidence that answers about as well as the best one does; as many occasions as are asked for. */
export function outermost(scored: readonly Scored[], question: Question): Scored[] {
  const best = scored[0];
  if (!best) return [];
  const holds = (one: Scored): boolean => [...question.wants].every((want) => unitHolds(one.unit, want));
  // Words around a piece count less than its own: the line after "I put it …" is not about where it was put.
  const bestOwn = Math.max(...scored.map((one) => one.own));
  const near = scored.filter(
    (one) => one.coverage >= best.coverage * NEAR_COVERAGE && one.own >= bestOwn * NEAR_OWN,
  );
  // An outermost hit that only mentions the thing does not answer when another one says where it is.
  const answering = near.some(holds) ? near.filter(holds) : near;
  if (question.howMany > 1) {
    const occasions = occasionsOf(answering.map((one) => one.unit));
    const units = occasions.slice(-question.howMany).map((occasion) => occasion.units.at(-1));
    return answering.filter((one) => units.includes(one.unit));
  }
  const inTime = [...answering].sort((a, b) => a.unit.startMs - b.unit.startMs || a.score - b.score);
  const outer = question.order === 'first' ? inTime[0] : inTime.at(-1);
  return outer ? [outer] : [];
}

/** What was in view while something was said, when it adds to the answer. */
function inView(
  unit: Unit,
  question: Question,
  candidates: readonly Candidate[],
  shown: readonly Unit[],
): Unit | null {
  if (unit.kind === 'visible') return null;
  const holds = (one: Unit, term: Term): boolean => [...term.matches].some((form) => one.forms.has(form));
  const asked = question.terms.filter((term) => term.kind !== 'light' && term.kind !== 'particle');
  const voice = unit.speaker === null ? null : formSet(unit.speaker);
  const unsaid = asked.filter(
    (term) => !holds(unit, term) && ![...term.matches].some((form) => voice?.has(form)),
  );
  const wantsMore = [...question.wants].filter((want) => !unitHolds(unit, want));
  for (const { units } of candidates) {
    for (const other of units) {
      if (other.kind !== 'visible' || shown.includes(other)) continue;
      if (other.startMs > unit.endMs + IN_VIEW_MS || other.endMs < unit.startMs - IN_VIEW_MS) continue;
      const adds = wantsMore.filter((want) => unitHolds(other, want));
      // A word of the question that was not said is there to read: the strength on the box of tablets.
      if (unsaid.some((term) => holds(other, term))) return other;
      if (adds.length === 0) continue;
      const shares =
        asked.some((term) => holds(other, term)) ||
        [...other.forms].some((form) => form.length > 2 && unit.forms.has(form));
      const during = other.startMs <= unit.endMs && other.endMs >= unit.startMs;
      if (shares || (during && adds.some((want) => want === 'name' || want === 'visible'))) return other;
    }
  }
  return null;
}

/** What was said to a question that was asked aloud; null when it was no question, or nobody answered. */
function replyTo(unit: Unit, candidates: readonly Candidate[]): Unit | null {
  if (unit.kind !== 'speech' || !/\?\s*$/.test(unit.text)) return null;
  const units = candidates.find(({ episode }) => episode === unit.episode)?.units ?? [];
  const next = units.find((other) => other.kind === 'speech' && other.startMs > unit.startMs);
  if (!next || next.startMs - unit.endMs > EXCHANGE_MS) return null;
  return next.speaker !== null && next.speaker === unit.speaker ? null : next;
}

/** Sentences for the evidence, each with what was in view at the time. */
export function evidenceSentences(
  picked: readonly Scored[],
  question: Question,
  asker: Asker,
  candidates: readonly Candidate[],
): Sentence[] {
  const shown: Unit[] = picked.map((one) => one.unit);
  const sentences = quoteSentences(shown, question, asker);
  const quotes = new Set<string>();
  return sentences.flatMap((bare) => {
    // A sign that stays in view over two episodes is quoted once.
    const quote = fold(bare.cites[0].text);
    if ([...quotes].some((other) => other.includes(quote) || quote.includes(other))) return [];
    quotes.add(quote);
    const unnamed = picked.find((one) => one.unit === bare.cites[0].unit)?.unnamed ?? [];
    const caveat =
      unnamed.length > 0 ? ` (the voice is not named, and “${unnamed.join('”, “')}” is not either)` : '';
    const sentence: Sentence = { ...bare, text: bare.text + caveat };
    const reply = replyTo(sentence.cites[0].unit, candidates);
    if (reply && !shown.includes(reply)) {
      const answered = cite(reply, question);
      quotes.add(fold(answered.text));
      return [
        {
          text: `${sentence.text}, and then ${introduce(reply, answered.text)}`,
          cites: [...sentence.cites, answered],
        },
      ];
    }
    const seen = inView(sentence.cites[0].unit, question, candidates, shown);
    if (!seen) return [sentence];
    const cited: Cite = cite(seen, question);
    if (quotes.has(fold(cited.text))) return [sentence];
    shown.push(seen);
    quotes.add(fold(cited.text));
    return [sentence, { text: `At that moment ${introduce(seen, cited.text)}`, cites: [cited] }];
  });
}
