/** What somebody said: lines of speech, by whom and about what. */
import type { Unit } from '../evidence.ts';
import { type Candidate, judge, type Scored } from '../judge.ts';
import type { Question } from '../question.ts';
import { hasContent } from '../terms.ts';
import { fold, formSet, matchSet, wordsOf } from '../words.ts';

/** Verbs of saying, in their dictionary form. */
const SAYING = new Set(['say', 'tell', 'ask', 'talk', 'speak', 'mention', 'call']);
const ABBREVIATED = /^\p{Lu}{3,4}$/u;
const WEARER_WORDS = new Set(['i', 'me', 'myself', 'you', 'wearer']);

function speaks(speaker: string | null, asked: string): boolean {
  if (speaker === null) return false;
  const name = fold(speaker);
  if (asked === 'i') return WEARER_WORDS.has(name);
  // Subtitles write NAR for the narrator.
  if (ABBREVIATED.test(speaker) && asked.startsWith(name)) return true;
  // "The doctor" is Dr. Novak as well.
  const forms = formSet(name);
  return (
    name === asked || wordsOf(asked).every((word) => [...matchSet(word)].some((form) => forms.has(form)))
  );
}

/** The same candidate with only some of its lines, and only their words around them. */
function onlyLines(candidate: Candidate, keep: (unit: Unit) => boolean): Candidate {
  const units = candidate.units.filter((unit) => unit.kind === 'speech' && keep(unit));
  return { ...candidate, units, forms: new Set(units.flatMap((unit) => [...unit.forms])) };
}

/**
 * Lines of the person asked about. Where no line in sight is theirs, lines of unnamed voices stand in, and the answer tells
 * that nobody is named; never lines that somebody else is known to have said.
 */
export function saidScored(question: Question, candidates: readonly Candidate[]): Scored[] {
  const asked = question.speaker;
  const theirs = candidates.map((candidate) =>
    onlyLines(candidate, (unit) => asked === null || speaks(unit.speaker, asked)),
  );
  const known = theirs.some(({ units }) => units.length > 0);
  const lines = known
    ? theirs
    : candidates.map((candidate) => onlyLines(candidate, (unit) => unit.speaker === null));
  const unnamed = known || asked === null || asked === 'i' ? [] : [asked];
  if (hasContent(question.terms)) {
    return judge(question.terms, lines, question).map((one) => ({ ...one, unnamed }));
  }
  if (unnamed.length > 0) return [];
  // "What did Mum ask me to bring?": small words tell lines apart where there is nothing else.
  const small = question.terms.filter((term) => !SAYING.has(term.forms.at(-1) ?? ''));
  const matching = (unit: Unit): number =>
    small.filter((term) => [...term.matches].some((form) => unit.forms.has(form))).length;
  const all = lines.flatMap(({ units }) => units);
  const most = Math.max(0, ...all.map(matching));
  return all
    .filter((unit) => matching(unit) === most)
    .map((unit) => ({ unit, coverage: 1, own: 1, score: 1, unnamed }));
}
