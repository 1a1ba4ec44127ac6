import nlp from 'compromise/two';

/** What one sentence names; every text stands word for word in the sentence. */
export interface Phrases {
  /** Things, with their adjectives and without determiners: "red mug". */
  things: string[];
  /** People, places and organisations. */
  names: string[];
  /** What "I" did or will do, up to the thing it is done to: "will fix the login bug"; null when there is none. */
  action: string | null;
}

interface TermJson {
  text: string;
  pre: string;
  post: string;
  tags: string[];
}

/** A word with its place in the sentence and what the tagger makes of it. */
interface Word {
  text: string;
  start: number;
  end: number;
  is(tag: string): boolean;
  /** True when a mark follows that parts it from the next word. */
  stops: boolean;
}

const NAME_TAGS = ['Person', 'Place', 'Organization'] as const;
/** Never part of a name of a thing, whatever the tagger takes them for. */
const FUNCTION_WORDS = /^(?:my|your|his|her|its|our|their|the|an?|of|to|in|on|at|by|for|with|and|or)$/iu;
/** Nouns that say nothing alone: placeholders, and the time words that stand among the entities. */
const EMPTY_NOUN =
  /^(?:one|ones|everything|something|nothing|anything|everyone|someone|anyone|things?|lot|bit|time|right|left|day|today|tomorrow|yesterday|tonight|weeks?|weekend|months?|years?|hours?|minutes?|mornings?|afternoons?|evenings?|nights?)$/iu;
/** Words that open another clause: what follows them is not what the verb is done to. */
const CLAUSE_WORDS = /^(?:that|what|who|which|if|whether|how|where|when|why|because|so|then)$/iu;
/** Words between a verb and the thing it is done to: "put [into the] bowl". */
const REACH_WORDS = 4;

function wordsOf(terms: readonly TermJson[]): { sentence: string; words: Word[] } {
  let sentence = '';
  const words = terms.map(({ text, pre, post, tags }): Word => {
    const start = sentence.length + pre.length;
    sentence += pre + text + post;
    return {
      text,
      start,
      end: start + text.length,
      is: (tag) => tags.includes(tag),
      stops: /[^\s'’"“”-]/u.test(post),
    };
  });
  return { sentence, words };
}

function isNoun(word: Word): boolean {
  return (
    /\p{L}/u.test(word.text) &&
    word.is('Noun') &&
    !word.is('Pronoun') &&
    !word.is('Date') &&
    !FUNCTION_WORDS.test(word.text)
  );
}

/** Runs of words that pass, unbroken by marks; each as its first and last index. */
function runs(words: readonly Word[], passes: (word: Word) => boolean): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let open: { from: number; to: number } | null = null;
  words.forEach((word, index) => {
    if (!passes(word)) {
      open = null;
      return;
    }
    if (open) open.to = index;
    else {
      open = { from: index, to: index };
      found.push(open);
    }
    if (word.stops) open = null;
  });
  return found;
}

/** Noun phrases: adjectives and nouns in a row, cut after the last noun, with at least one that says something. */
function thingRuns(words: readonly Word[]): { from: number; to: number }[] {
  return runs(words, (word) => isNoun(word) || (word.text !== '' && word.is('Adjective')))
    .map(({ from, to }) => {
      let last = to;
      while (last >= from && !isNoun(words[last]!)) last--;
      return { from, to: last };
    })
    .filter(({ from, to }) => to >= from && !EMPTY_NOUN.test(words[to]!.text));
}

function actionOf(
  sentence: string,
  words: readonly Word[],
  things: readonly { from: number; to: number }[],
): string | null {
  const subject = words.findIndex(({ text }) => /^I(?:$|['’])/u.test(text));
  if (subject < 0 || words[subject]!.stops) return null;
  let from = subject + 1;
  while (words[from]?.is('Adverb')) from++;
  let verb = from;
  while (verb < words.length && ['Verb', 'Negative', 'Adverb'].some((tag) => words[verb]!.is(tag))) verb++;
  const group = words.slice(from, verb);
  if (
    !group.some((word) => word.text !== '' && word.is('Verb') && !word.is('Copula') && !word.is('Auxiliary'))
  )
    return null;
  const object = things.find((thing) => thing.from >= verb && thing.from - verb <= REACH_WORDS);
  const between = object ? words.slice(verb - 1, object.from) : [];
  if (!object || between.some((word) => word.stops)) return null;
  const clause = (word: Word) => word.is('Verb') || word.is('Conjunction') || CLAUSE_WORDS.test(word.text);
  if (between.slice(1).some(clause)) return null;
  const start = group.find((word) => word.text !== '')!.start;
  return sentence.slice(start, words[object.to]!.end);
}

/** Phrases of a plain line of English, a set for each sentence; in other languages it finds little, and invents nothing. */
export function phrasesOf(line: string): Phrases[] {
  const sentences = nlp(line).json() as { terms: TermJson[] }[];
  return sentences.map(({ terms }) => {
    const { sentence, words } = wordsOf(terms);
    const textOf = ({ from, to }: { from: number; to: number }) =>
      sentence.slice(words[from]!.start, words[to]!.end);
    const things = thingRuns(words);
    return {
      things: things.map(textOf),
      names: NAME_TAGS.flatMap((tag) => runs(words, (word) => word.text !== '' && word.is(tag)).map(textOf)),
      action: actionOf(sentence, words, things),
    };
  });
}
