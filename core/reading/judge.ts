/**
 * Judging evidence. Search always returns something; whether it answers is decided here, on content words alone:
 *
 * - each content word of the question weighs by its kind (terms.ts) times its rarity among the candidates, so that a word no
 *   candidate holds counts most and one that all hold least;
 * - a word matches fully in the unit itself, less as a synonym, less in the rest of the episode, least in a neighbour;
 * - names and numbers must match; at least one thing asked about must; and the matched share must reach a threshold.
 */
import type { Episode } from '../contract/index.ts';
import { episodeForms, isWearer, type Unit, unitsOf } from './evidence.ts';
import { isImplied } from './implied.ts';
import type { Question, QuestionKind } from './question.ts';
import { hasContent, PARTICLES, type Term } from './terms.ts';
import { FIRM_WANTS, unitHolds } from './wants.ts';
import { fold, formSet, isStopWord, wordsOf } from './words.ts';

export interface Candidate {
  episode: Episode;
  units: Unit[];
  forms: Set<string>;
  /** Score of the search that found it, 0..1; 0 for episodes that were fetched. */
  found: number;
}

export interface Scored {
  unit: Unit;
  /** Share of the question's weight that matches, 0..1. */
  coverage: number;
  /** The same, counting only the unit's own words. */
  own: number;
  /** For ranking among units that suffice. */
  score: number;
  /** Names of the question that appear nowhere around an unnamed voice that otherwise fits. */
  unnamed: string[];
}

/** Where a word is found, and what that is worth. */
const MATCH = {
  own: 1,
  exchange: 0.85,
  ownSynonym: 0.8,
  implied: 0.75,
  episode: 0.75,
  episodeSynonym: 0.6,
  neighbour: 0.5,
};
/**
 * Least share of the question that must match. Set on one half of the development questions: from 0.55 over 0.62 to 0.7,
 * refusals of trap questions about dialogues rose from 24 to 32 and 44 %, false "not found" from 12 to 17 and 26 %.
 */
export const ENOUGH = 0.6;
/** A voice that nobody named needs more, and words that say little need all of them, as they are. */
const ENOUGH_UNNAMED = 0.75;
const ENOUGH_SMALL = 0.9;
/** Acts must be found as such: the unit itself has to hold this share. */
const ENOUGH_OWN_ACT = 0.6;
/** A required word counts as matched from here on (a neighbour's word does not). */
const REQUIRED_MATCH = 0.55;
const LEAST_RARITY = 0.5;
const RANK = {
  own: 0.35,
  firmWant: 0.6,
  want: 0.3,
  found: 0.05,
  confidence: 0.05,
  question: -0.25,
  ofThemselves: -0.3,
  phrase: 0.1,
};
/** Holding what is wanted counts this much in a piece that neither names what is asked about nor answers to it. */
const FAR_WANT = 0.4;
/** A line answers the one before it when they are this close. */
export const EXCHANGE_MS = 15_000;
const EXCHANGE_LINES = 1;
/** Neighbours are segments that follow within this time. */
const NEIGHBOUR_MS = 5_000;

const ACT_KINDS: ReadonlySet<QuestionKind> = new Set([
  'when',
  'count',
  'duration',
  'ever',
  'after',
  'before',
]);

export function candidateOf(episode: Episode, found: number): Candidate {
  const units = unitsOf(episode);
  return { episode, units, forms: episodeForms(episode, units), found };
}

/** How rare a word is among the candidates: 1 when none holds it, falling to LEAST_RARITY. */
function rarities(terms: readonly Term[], candidates: readonly Candidate[]): number[] {
  const total = candidates.length;
  return terms.map((term) => {
    const holding = candidates.filter(({ forms }) =>
      [...term.matches].some((form) => forms.has(form)),
    ).length;
    if (holding === 0 || total === 0) return 1;
    return LEAST_RARITY + (1 - LEAST_RARITY) * (Math.log(1 + total / (1 + holding)) / Math.log(1 + total));
  });
}

function matchIn(term: Term, forms: ReadonlySet<string>, exact: number, synonym: number): number {
  if (term.forms.some((form) => forms.has(form))) return exact;
  for (const form of term.matches) if (forms.has(form)) return synonym;
  return 0;
}

function neighbours(candidate: Candidate, all: readonly Candidate[]): Candidate[] {
  const { episode } = candidate;
  return all.filter(
    (other) =>
      other.episode.recordingId === episode.recordingId &&
      other !== candidate &&
      (Math.abs(other.episode.startMs - episode.endMs) <= NEIGHBOUR_MS ||
        Math.abs(episode.startMs - other.episode.endMs) <= NEIGHBOUR_MS),
  );
}

/** Units of the candidates that hold enough of `terms`, best first. */
export function judge(
  terms: readonly Term[],
  candidates: readonly Candidate[],
  question: Pick<Question, 'kind' | 'wants' | 'mine'>,
): Scored[] {
  if (!hasContent(terms) && !terms.some((term) => term.kind === 'light')) return [];
  const weights = rarities(terms, candidates).map((rarity, n) => rarity * terms[n]!.weight);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const things = terms.filter(
    (term) => term.kind === 'thing' || term.kind === 'name' || term.kind === 'number',
  );
  const act = ACT_KINDS.has(question.kind);
  const onlySmall = !act && terms.every(({ kind }) => kind === 'light');
  const phrase = terms.length > 1 ? ` ${terms.map((term) => fold(term.text)).join(' ')} ` : '';
  const scored: Scored[] = [];
  for (const candidate of candidates) {
    const around = neighbours(candidate, candidates);
    const near = terms.map((term) => {
      const inEpisode = matchIn(term, candidate.forms, MATCH.episode, MATCH.episodeSynonym);
      if (inEpisode > 0) return inEpisode;
      return around.some(({ forms }) => matchIn(term, forms, 1, 1) > 0) ? MATCH.neighbour : 0;
    });
    for (const unit of candidate.units) {
      const before = exchangeForms(unit, candidate.units);
      const voice = unit.speaker === null ? NO_FORMS : formSet(unit.speaker);
      const told = terms.map((term) =>
        Math.max(
          matchIn(term, unit.forms, MATCH.own, MATCH.ownSynonym),
          matchIn(term, voice, MATCH.own, MATCH.ownSynonym),
        ),
      );
      const ownMatch = terms.map((term, n) => Math.max(told[n]!, isImplied(term, unit) ? MATCH.implied : 0));
      const match = ownMatch.map((value, n) =>
        Math.max(value, matchIn(terms[n]!, before, MATCH.exchange, MATCH.episode), near[n]!),
      );
      for (const [n, term] of terms.entries()) {
        const named = term.kind === 'name' ? spokenFor(term, unit, before) : null;
        if (named !== null) {
          ownMatch[n] = named;
          match[n] = named;
        }
      }
      // A small verb that is not there disproves nothing, unless an act is asked about.
      const idle = act
        ? 0
        : terms.reduce((sum, { kind }, n) => sum + (kind === 'light' && match[n] === 0 ? weights[n]! : 0), 0);
      const counted = Math.max(whole - idle, Number.MIN_VALUE);
      // Being speech, or being in view, is not enough.
      if (!terms.some((_, n) => told[n]! > 0 || near[n]! > 0)) continue;
      const coverage = match.reduce((sum, value, n) => sum + value * weights[n]!, 0) / counted;
      const own = ownMatch.reduce((sum, value, n) => sum + value * weights[n]!, 0) / whole;
      const missing = terms.filter(
        (term, n) => (term.kind === 'name' || term.kind === 'number') && match[n]! < REQUIRED_MATCH,
      );
      // A voice that nobody named may be the person asked about; the answer then says that the name is not there.
      const voiceUnknown =
        !act &&
        unit.kind === 'speech' &&
        unit.speaker === null &&
        missing.length === 1 &&
        missing[0]!.kind === 'name';
      const others = voiceUnknown ? things.filter((term) => term !== missing[0]) : things;
      const thingFound =
        things.length === 0 || others.some((term) => match[terms.indexOf(term)]! >= REQUIRED_MATCH);
      if (missing.length > (voiceUnknown ? 1 : 0) || !thingFound) continue;
      const share = voiceUnknown ? coverageWithout(missing[0]!, terms, match, weights) : coverage;
      const enough = onlySmall ? ENOUGH_SMALL : voiceUnknown ? ENOUGH_UNNAMED : ENOUGH;
      if (share < enough) continue;
      if (
        act &&
        Math.max(own, unit.kind === 'claim' || unit.kind === 'sentence' ? 0 : share) < ENOUGH_OWN_ACT
      )
        continue;
      const close = terms.some((term, n) => ownMatch[n]! > 0 || matchIn(term, before, 1, 1) > 0);
      const wanted = wantedShare(unit, question.wants) * (close ? 1 : FAR_WANT);
      const asks = /\?\s*$/.test(unit.text) && unit.kind === 'speech';
      const score =
        share +
        RANK.own * own +
        wanted +
        (question.mine && speaksOfThemselves(unit) ? RANK.ofThemselves : 0) +
        RANK.found * candidate.found +
        RANK.confidence * unit.confidence +
        (asks ? RANK.question : 0) +
        (phrase !== '' && contentOf(unit.text).includes(phrase) ? RANK.phrase : 0);
      scored.push({
        unit,
        coverage: share,
        own,
        score,
        unnamed: voiceUnknown ? missing.map((term) => term.text.replace(/['’]s?$/, '')) : [],
      });
    }
  }
  return scored.sort((a, b) => b.score - a.score || a.unit.startMs - b.unit.startMs);
}

/** Words for whoever was named just before. */
const OF_ANOTHER = /\b(?:he|she|they|him|his|her|their)\b/i;

/**
 * How far a named voice speaks for a name: fully when it is that person's, or speaks of or to them; hardly when somebody else
 * speaks of themselves. Null for unnamed voices and other evidence, where the surroundings decide.
 */
function spokenFor(term: Term, unit: Unit, before: ReadonlySet<string>): number | null {
  if (unit.kind !== 'speech' || unit.speaker === null) return null;
  if (matchIn(term, formSet(unit.speaker), 1, 1) > 0) return MATCH.own;
  if (matchIn(term, unit.forms, 1, 1) === 0)
    return OF_ANOTHER.test(unit.text) ? matchIn(term, before, MATCH.exchange, MATCH.exchange) : 0;
  return speaksOfThemselves(unit) ? MATCH.neighbour : MATCH.own;
}

/** A named voice, not the wearer's, that speaks of itself and of nobody else. */
const speaksOfThemselves = (unit: Unit): boolean =>
  unit.kind === 'speech' &&
  unit.speaker !== null &&
  !isWearer(unit.speaker) &&
  /\b(?:I|my|me|I'm|I've|we|our)\b/i.test(unit.text) &&
  !/\b(?:you|your|he|she|his|her|they|their)\b/i.test(unit.text);

const NO_FORMS: ReadonlySet<string> = new Set();

/** The words that were said just before a line: an answer need not repeat its question. */
function exchangeForms(unit: Unit, units: readonly Unit[]): ReadonlySet<string> {
  if (unit.kind !== 'speech') return NO_FORMS;
  const before = units.filter(
    (other) =>
      other.kind === 'speech' &&
      (other.speaker === null || other.speaker !== unit.speaker) &&
      other.startMs < unit.startMs &&
      unit.startMs - other.endMs <= EXCHANGE_MS,
  );
  const forms = new Set<string>();
  for (const other of before.slice(-EXCHANGE_LINES)) for (const form of other.forms) forms.add(form);
  return forms;
}

/** What holding the kind of answer that is wanted adds to the rank. */
function wantedShare(unit: Unit, wants: Question['wants']): number {
  if (wants.size === 0) return 0;
  let sum = 0;
  for (const want of wants)
    if (unitHolds(unit, want)) sum += FIRM_WANTS.has(want) ? RANK.firmWant : RANK.want;
  return sum / wants.size;
}

/** The content words of a text in order, as written: what the question's own phrase is compared with. */
function contentOf(text: string): string {
  return ` ${wordsOf(text)
    .filter((word) => !isStopWord(word) || PARTICLES.has(word.folded))
    .map((word) => word.folded)
    .join(' ')} `;
}

function coverageWithout(
  left: Term,
  terms: readonly Term[],
  match: readonly number[],
  weights: readonly number[],
): number {
  let sum = 0;
  let whole = 0;
  for (const [n, term] of terms.entries()) {
    if (term === left) continue;
    sum += match[n]! * weights[n]!;
    whole += weights[n]!;
  }
  return whole === 0 ? 0 : sum / whole;
}
