/** What somebody said: lines of speech, by whom and about what. */
import { type Candidate, judge, type Scored } from '../judge.ts';
import type { Question } from '../question.ts';
import { hasContent } from '../terms.ts';
import { fold } from '../words.ts';

const WEARER_WORDS = new Set(['i', 'me', 'myself', 'you', 'wearer']);

function speaks(speaker: string | null, asked: string): boolean {
  if (speaker === null) return false;
  const name = fold(speaker);
  if (asked === 'i') return WEARER_WORDS.has(name);
  return name === asked || name.split(/\s+/).includes(asked);
}

/** Lines of the person asked about; of unnamed voices only when no line in sight has a name that fits. */
export function saidScored(question: Question, candidates: readonly Candidate[]): Scored[] {
  const lines = candidates.map((candidate) => ({
    ...candidate,
    units: candidate.units.filter((unit) => unit.kind === 'speech'),
  }));
  const asked = question.speaker;
  const named = lines.map((candidate) => ({
    ...candidate,
    units: candidate.units.filter((unit) => asked === null || speaks(unit.speaker, asked)),
  }));
  const known = named.some(({ units }) => units.length > 0);
  const unnamed = lines.map((candidate) => ({
    ...candidate,
    units: candidate.units.filter((unit) => unit.speaker === null),
  }));
  // A sign can "say" something too: a subject that no voice has is looked for among all evidence.
  const spoken = known ? named : unnamed;
  if (hasContent(question.terms)) {
    const found = judge(question.terms, spoken, question);
    return found.length > 0 || known ? found : judge(question.terms, candidates, question);
  }
  if (!known && asked !== null && asked !== 'i') return [];
  return spoken.flatMap(({ units, found }) =>
    units.map((unit) => ({ unit, coverage: 1, own: 1, score: 1 + found, unnamed: [] })),
  );
}
