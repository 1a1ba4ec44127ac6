/** What a question is about: its content words, each with how much it weighs and whether it has to be there. */
import { fold, formsOf, isLightVerb, isNumber, isStopWord, matchSet, type Word, wordsOf } from './words.ts';

export type TermKind = 'name' | 'number' | 'thing' | 'verb' | 'light' | 'particle' | 'type';

export interface Term {
  text: string;
  forms: readonly string[];
  /** Forms and synonyms. */
  matches: ReadonlySet<string>;
  kind: TermKind;
  weight: number;
}

/**
 * Weights by kind. A name or number that does not match makes an answer about something else, so they weigh most and are
 * required (see judge.ts). Verbs are paraphrased freely where a thing is asked about, and are the point where an act is.
 */
const WEIGHT: Record<TermKind, number> = {
  name: 2,
  number: 2,
  thing: 1,
  verb: 0.4,
  light: 0.25,
  particle: 0.12,
  type: 0.5,
};
const ACT_VERB_WEIGHT = 1;
/** Taking is not putting: where the act is asked about, these light verbs tell acts apart. */
const HANDLING = new Set(
  'take put get give bring leave pick move hold place throw open close turn'.split(' '),
);
const HANDLING_WEIGHT = 0.5;

/** Small words that change an act: to put down, to put into. */
export const PARTICLES = new Set('up down off on out in into onto over away back open'.split(' '));
/** Nouns that say what kind of answer is wanted ("which platform"); they help, but the answer may not repeat them. */
const TYPE_NOUNS = new Set(
  `street road platform room gate level floor row space bus track seat address code pin password strength size dose brand
  company author colour color price cost total bill sign board label screen note poster page letter display menu receipt
  hour deadline`.split(/\s+/),
);
/** Nouns that are only the question's own frame. */
const FRAME_NOUNS = new Set(
  `time day date place places name number title order kind colour color minute hour moment occasion clock today yesterday
  morning afternoon evening night week month year first last next previous latest recent recently earliest order
  called named state responsible charge wrong matter second third separate different differently different currently now earlier ever text words written conversation list summary summarise summarize recap describe going happened one`.split(
    /\s+/,
  ),
);
/** Things that are read off: any text in view is one of them. */
const SURFACES = new Set(
  'sign board label screen note poster page letter display notice message text'.split(' '),
);
export const isSurface = (term: Pick<Term, 'forms'>): boolean =>
  term.forms.some((form) => SURFACES.has(form));
const AUXILIARY = '(?:did|do|does|have|has|had|must|should|shall|will|can|could|would)';
const MAIN_VERB = new RegExp(
  `\\b${AUXILIARY}\\s+(?:i|we|you|he|she|they|it|(?:the|my|our|his|her|a)\\s+[\\w'-]+|[\\w'-]+)\\s+(?:(?:ever|just|also|really|already|finally|have\\s+to|need\\s+to|want\\s+to|supposed\\s+to)\\s+)?([\\w'-]+)`,
  'gi',
);
const WEEKDAY_OR_MONTH =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;

/** A weekday or a month. */
export const isDayName = (word: string): boolean => WEEKDAY_OR_MONTH.test(fold(word));

/** The same term as one that has to be there. */
export const required = (term: Term): Term => ({ ...term, kind: 'number', weight: WEIGHT.number });

/** Words that stand where the main verb of a question stands ("did I *park* the car"). */
function mainVerbs(text: string): Set<string> {
  const verbs = new Set<string>();
  for (const m of text.matchAll(MAIN_VERB)) verbs.add(m[1]!.toLowerCase());
  return verbs;
}

/** A capital inside a sentence is a name; one at its start, after a colon or a quotation mark is not. */
function isName(word: Word, text: string): boolean {
  if (!/^\p{Lu}/u.test(word.text) || WEEKDAY_OR_MONTH.test(word.folded)) return false;
  const before = text.slice(0, word.index).trimEnd();
  // "Dr. Novak": the stop of a title ends no sentence.
  const begins = /[.:?!"“(]$/.test(before) && !/\b(?:Dr|Mr|Mrs|Ms|Prof|St)\.$/.test(before);
  return before !== '' && !begins && word.folded !== 'i';
}

/** "clean room" is also written "cleanroom", and signs are read without their spaces. */
function compounds(words: readonly Word[], at: number): string[] {
  const joined = (a: Word | undefined, b: Word | undefined): string[] =>
    a && b && !isStopWord(a) && !isStopWord(b) ? [...formsOf(a.folded + b.folded)] : [];
  return [...joined(words[at - 1], words[at]), ...joined(words[at], words[at + 1])];
}

/**
 * The content words of `text`.
 * @param act true when the question asks about an act itself (when, how often, how long, whether): its verb then counts in full
 */
export function termsOf(text: string, act: boolean): Term[] {
  const verbs = mainVerbs(text);
  const terms: Term[] = [];
  const seen = new Set<string>();
  const words = wordsOf(text);
  for (const [at, word] of words.entries()) {
    const particle = PARTICLES.has(word.folded) && act;
    if ((isStopWord(word) && !particle) || seen.has(word.folded)) continue;
    const base = word.folded.replace(/'s?$/, '');
    const named = isName(word, text);
    if (!named && (FRAME_NOUNS.has(base) || (base.length < 2 && !isNumber(word)))) continue;
    seen.add(word.folded);
    let kind: TermKind = 'thing';
    if (named) kind = 'name';
    else if (isNumber(word)) kind = 'number';
    else if (particle) kind = 'particle';
    else if (isLightVerb(word)) kind = 'light';
    else if (verbs.has(word.folded)) kind = 'verb';
    else if (formsOf(base).some((form) => TYPE_NOUNS.has(form))) kind = 'type';
    const handling = act && kind === 'light' && word.forms.some((form) => HANDLING.has(form));
    const weight = kind === 'verb' && act ? ACT_VERB_WEIGHT : handling ? HANDLING_WEIGHT : WEIGHT[kind];
    const matches = new Set([...matchSet(word), ...compounds(words, at)]);
    terms.push({ text: word.text, forms: word.forms, matches, kind, weight });
  }
  // "Which bus did I wait for?": with nothing else to go by, the kind of thing is the thing.
  if (terms.some((term) => term.kind === 'thing' || term.kind === 'name' || term.kind === 'number'))
    return terms;
  return terms.map((term) =>
    term.kind === 'type' && !isSurface(term) ? { ...term, kind: 'thing', weight: WEIGHT.thing } : term,
  );
}

/** True when a text can be looked for at all: more than light verbs and particles. */
export function hasContent(terms: readonly Term[]): boolean {
  return terms.some((term) => term.kind !== 'light' && term.kind !== 'particle');
}
