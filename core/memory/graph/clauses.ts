import nlp from 'compromise/two';
import lemmatizer from 'wink-lemmatizer';

/** What a sentence says somebody did. Phrases stand as written, without determiners. */
export interface Clause {
  /** As written; null when the sentence is an instruction or a title ("Prepare coffee"), which is the teller's own doing. */
  subject: string | null;
  /** Dictionary form with its particle: "pick up". */
  verb: string;
  object: string;
  /** Where, to whom or with what: "onto plate". */
  preposition: string | null;
  target: string | null;
}

/** What one text names and says. */
export interface Sentences {
  clauses: Clause[];
  /** Noun phrases. */
  things: string[];
  /** Names of people. */
  people: string[];
  /** Names of places, and rooms and the like after "in", "at" or "into". */
  places: string[];
}

interface Term {
  pre: string;
  text: string;
  normal: string;
  post: string;
  tags: Set<string>;
}

const PARTICLES = new Set(['up', 'down', 'on', 'off', 'out', 'away', 'over', 'back', 'together']);
const PREPOSITIONS = new Set(
  'to into onto in on at from with for over under near beside behind inside about through'.split(' '),
);
const ROOMS =
  /^(?:kitchen|bathroom|bedroom|living room|dining room|hall|hallway|corridor|office|garage|garden|yard|balcony|basement|cellar|attic|street|park|shop|store|supermarket|market|bakery|caf[eé]|restaurant|bar|school|university|library|station|train station|airport|hotel|hospital|pharmacy|gym|church|museum|beach|forest|lake|workshop|lab|studio|classroom|car|bus|train|tram|boat|stairs|lobby|elevator|lift)$/iu;
/** Longer texts are cut: a page of print is no story. */
const ANALYSED_CHARACTERS = 6_000;
/** Sentences whose reading is kept: tagging one takes a millisecond or more, and a life says the same things again and again. */
const SENTENCES_KEPT = 8_192;

const is = (term: Term | undefined, tag: string): boolean => term?.tags.has(tag) ?? false;
const stops = (term: Term): boolean => /[^\s'’"“”-]/u.test(term.post);

function isNoun(term: Term | undefined): boolean {
  return (
    term !== undefined &&
    /\p{L}/u.test(term.text) &&
    is(term, 'Noun') &&
    !is(term, 'Pronoun') &&
    !is(term, 'Date') &&
    !is(term, 'Determiner')
  );
}

/** Terms as verbs, with nouns that were taken for verbs put right: after a verb and its noun no bare verb follows ("put pizza slice"). */
function isMainVerb(terms: readonly Term[], at: number, hadVerb: boolean): boolean {
  const term = terms[at]!;
  if (!is(term, 'Verb') || is(term, 'Copula') || is(term, 'Auxiliary') || is(term, 'Modal')) return false;
  if (is(term, 'Particle')) return false;
  const before = terms[at - 1];
  const clings = before !== undefined && !stops(before) && isNoun(before) && !is(before, 'ProperNoun');
  return !(hadVerb && clings && is(term, 'PresentTense') && !is(term, 'Gerund'));
}

/** A run of words that names something. */
interface Phrase {
  from: number;
  to: number;
  text: string;
}

function phrases(terms: readonly Term[], verbs: readonly boolean[]): Phrase[] {
  const found: Phrase[] = [];
  let from = -1;
  const close = (end: number) => {
    let to = end;
    while (to >= from && !isNoun(terms[to]) && !(is(terms[to], 'Verb') && !verbs[to])) to--;
    if (from >= 0 && to >= from) {
      const text = terms
        .slice(from, to + 1)
        .map((term) => term.text)
        .join(' ');
      if (/\p{L}{2}/u.test(text)) found.push({ from, to, text });
    }
    from = -1;
  };
  terms.forEach((term, at) => {
    const takenForVerb =
      is(term, 'Verb') &&
      !verbs[at] &&
      at > 0 &&
      isNoun(terms[at - 1]) &&
      !['Copula', 'Auxiliary', 'Modal', 'Particle'].some((tag) => is(term, tag));
    const part = isNoun(term) || is(term, 'Adjective') || takenForVerb;
    if (part && from < 0) from = at;
    if (!part) close(at - 1);
    else if (stops(term)) close(at);
  });
  close(terms.length - 1);
  return found;
}

/** What stands behind a verb is what it is done to, until a conjunction or a mark opens another clause. */
function parted(terms: readonly Term[], verb: number, to: number): boolean {
  return verb < 0 || terms.slice(verb + 1, to).some((term) => is(term, 'Conjunction') || stops(term));
}

function clausesOf(terms: readonly Term[], verbs: readonly boolean[], named: readonly Phrase[]): Clause[] {
  const clauses: Clause[] = [];
  let subject: string | null | undefined;
  terms.forEach((term, at) => {
    if (!verbs[at]) return;
    // A passive says nobody's doing.
    if (is(term, 'Passive')) return;
    const before = named.filter((phrase) => phrase.to < at).at(-1);
    const pronoun = terms.slice(0, at).findLastIndex((one) => is(one, 'Pronoun'));
    const lastVerb = terms.slice(0, at).findLastIndex((_, i) => verbs[i]);
    if (pronoun > lastVerb && (!before || pronoun > before.to)) subject = terms[pronoun]!.text;
    else if (before && before.from > lastVerb && parted(terms, lastVerb, before.from)) subject = before.text;
    else if (lastVerb < 0) subject = at === 0 ? null : undefined;
    if (subject === undefined) return;
    const lemma = lemmatizer.verb(term.normal.toLowerCase());
    const next = terms[at + 1];
    const particle = next && PARTICLES.has(next.normal) && !stops(term) ? ` ${next.normal}` : '';
    const end = terms.findIndex((_, i) => i > at && verbs[i]);
    const reach = named.filter((phrase) => phrase.from > at && (end < 0 || phrase.to < end));
    const object = reach[0];
    if (!object) return;
    const marks = terms.slice(at, object.from).some(stops);
    if (marks) return;
    const target = reach[1];
    const link = target ? terms[target.from - 1] : undefined;
    const before2 = terms.slice(object.to, target?.from ?? object.to);
    const linkWord = [...before2].reverse().find((one) => PREPOSITIONS.has(one.normal))?.normal ?? null;
    const linked = link !== undefined && linkWord !== null && !before2.some(stops);
    clauses.push({
      subject,
      verb: `${lemma}${particle}`,
      object: object.text,
      preposition: linked ? linkWord : null,
      target: linked ? target!.text : null,
    });
  });
  return clauses;
}

/** Names of people: the tagger's, but a word that opens a sentence only when it is known for a first name. */
function peopleOf(terms: readonly Term[]): string[] {
  const names: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) names.push(open.join(' '));
    open = [];
  };
  terms.forEach((term, at) => {
    const known = is(term, 'FirstName') || (open.length > 0 && is(term, 'LastName'));
    const named =
      is(term, 'Person') && /^\p{Lu}/u.test(term.text) && (known || (at > 0 && is(term, 'ProperNoun')));
    if (named) open.push(term.text);
    if (!named || stops(term)) close();
  });
  close();
  return names;
}

/** By sentence as written. */
const readings = new Map<string, Sentences>();

/** Reads plain English; in other languages it finds little, and invents nothing. */
export function readSentences(text: string): Sentences {
  const one = readings.get(text.trim());
  if (one) return one;
  const out: Sentences = { clauses: [], things: [], people: [], places: [] };
  const { docs } = nlp.tokenize(text.slice(0, ANALYSED_CHARACTERS)) as unknown as { docs: Term[][] };
  for (const terms of docs) {
    const { clauses, things, people, places } = readSentence(
      terms
        .map((term) => `${term.pre}${term.text}${term.post}`)
        .join('')
        .trim(),
    );
    out.clauses.push(...clauses);
    out.things.push(...things);
    out.people.push(...people);
    out.places.push(...places);
  }
  return out;
}

/** Lets go of what was read: somebody's words were forgotten. */
export function forgetSentences(): void {
  readings.clear();
}

function readSentence(sentence: string): Sentences {
  const known = readings.get(sentence) ?? tagged(sentence);
  // The longest unused goes first.
  readings.delete(sentence);
  readings.set(sentence, known);
  if (readings.size > SENTENCES_KEPT) readings.delete(readings.keys().next().value!);
  return known;
}

/** What a sentence says, by the tagger. */
function tagged(sentence: string): Sentences {
  const out: Sentences = { clauses: [], things: [], people: [], places: [] };
  const { docs } = nlp(sentence) as unknown as { docs: Term[][] };
  for (const terms of docs) {
    let hadVerb = false;
    const verbs = terms.map((_, at) => {
      const verb = isMainVerb(terms, at, hadVerb);
      hadVerb ||= verb;
      return verb;
    });
    const named = phrases(terms, verbs);
    out.clauses.push(...clausesOf(terms, verbs, named));
    out.people.push(...peopleOf(terms));
    for (const phrase of named) {
      const before = terms[phrase.from - 1];
      const beforeThat = terms[phrase.from - 2];
      const where = [before, beforeThat].some(
        (term) => term && /^(?:in|at|into|to|through)$/.test(term.normal),
      );
      const name = terms.slice(phrase.from, phrase.to + 1);
      const isPlace = name.some((term) => is(term, 'Place')) || (where && ROOMS.test(phrase.text));
      if (isPlace) out.places.push(phrase.text);
      else if (!name.every((term) => is(term, 'Person'))) out.things.push(phrase.text);
    }
  }
  return out;
}
