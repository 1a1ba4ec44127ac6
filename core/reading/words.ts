/**
 * Words as the reader compares them: without case and accents, in their dictionary forms (wink-lemmatizer, WordNet's
 * lists), numbers as digits, and a few everyday verbs and things that people use for one another.
 */
import lemmatizer from 'wink-lemmatizer';

export interface Word {
  /** As written. */
  text: string;
  /** Lower case, without accents. */
  folded: string;
  /** Everything it may be matched by: itself, its dictionary forms, its digits. */
  forms: readonly string[];
  index: number;
}

const NUMBERS: Record<string, string> = {
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
  thirteen: '13',
  fourteen: '14',
  fifteen: '15',
  sixteen: '16',
  seventeen: '17',
  eighteen: '18',
  nineteen: '19',
  twenty: '20',
  thirty: '30',
  forty: '40',
  fifty: '50',
  sixty: '60',
  seventy: '70',
  eighty: '80',
  ninety: '90',
};

/** Words with next to no meaning of their own in a question or a memory. */
const STOP_WORDS = new Set(
  `a an the this that these those some any each every all both such i me my mine myself we us our ours ourselves you your
  yours he him his she her hers it its they them their theirs who whom whose what which when where why how am is are was
  were be been being do does did doing done have has had having will would shall should can could may might must not no
  nor of in on at by to from with for into onto out up down off over under about as than then there here and or but if so
  because while during before after until again also just only very too ever never please tell remind know remember
  there's what's where's who's it's i'm i've didn't don't wasn't isn't let's someone somebody anyone anybody something
  anything everything thing things stuff time times one ones kind sort way lot bit new old much many more most often long
  show me whether got`.split(/\s+/),
);
/** Verbs that say little: matching one is no proof, missing one no disproof. */
const LIGHT_VERBS = new Set(
  `see look watch do make take put get go come leave give keep bring say tell ask talk speak hear use have happen want
  need find show try start begin be become set turn let mean call name work place hold pick move visit write read
  mention discuss handle`.split(/\s+/),
);
/** Groups of words that stand for one another; kept small on purpose, since each makes a wrong match likelier. */
const SYNONYM_GROUPS = [
  'put place leave lay set',
  'buy purchase',
  'pay cost price total',
  'close shut',
  'begin start',
  'arrive come',
  'exhibition show',
  'film movie',
  'flat apartment',
  'lift elevator',
  'holiday vacation',
  'play drama',
  'spend pay',
  'finish end',
  'repair fix mend',
  'car vehicle',
  'bike bicycle',
  'phone smartphone mobile telephone',
  'email e-mail mail',
  'photo picture photograph',
  'shop store',
  'cafe coffeeshop',
  'sofa couch',
  'tv television',
  'bin trash rubbish garbage',
  'fridge refrigerator',
  'tap faucet',
  'cup mug',
  'kid child',
  'mum mom mother',
  'dad father',
  'doctor gp dr',
  'medicine medication tablet pill',
  'eat meal food',
  'say tell mention',
  'pick take grab get',
  'sign notice',
  'deadline due',
  'strength dose dosage mg',
].map((group) => group.split(' '));
const SYNONYMS = new Map<string, ReadonlySet<string>>();
for (const group of SYNONYM_GROUPS) {
  for (const word of group) SYNONYMS.set(word, new Set([...(SYNONYMS.get(word) ?? []), ...group]));
}

const formsCache = new Map<string, readonly string[]>();
/** The cache is dropped at this size: a year of footage has more words than memory should hold. */
const FORMS_CACHE_MAX = 50_000;

/** Lower case, accents and curly quotes gone: "Kraków" and "krakow" are one word. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(
      /[ŁłØøĐđß]/g,
      (letter) => ({ Ł: 'L', ł: 'l', Ø: 'O', ø: 'o', Đ: 'D', đ: 'd', ß: 'ss' })[letter] ?? letter,
    )
    .replace(/[\u2018\u2019]/g, "'")
    .toLowerCase();
}

/** A word's dictionary forms, itself first. */
export function formsOf(folded: string): readonly string[] {
  const known = formsCache.get(folded);
  if (known) return known;
  const base = folded.replace(/'s?$/, '');
  const forms = [
    ...new Set([
      base,
      NUMBERS[base] ?? base,
      lemmatizer.verb(base),
      lemmatizer.noun(base),
      lemmatizer.adjective(base),
    ]),
  ].filter((form) => form !== '');
  // A word the lists do not know may still be a plural.
  if (forms.length === 1 && /[a-z]{3}[^s\W]s$/.test(base)) forms.push(base.slice(0, -1));
  if (formsCache.size >= FORMS_CACHE_MAX) formsCache.clear();
  formsCache.set(folded, forms);
  return forms;
}

/** Words, numbers ("16.70", "10:30"), addresses and e-mail addresses of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const m of text.matchAll(
    /[\p{L}\p{N}_%+-]+(?:\.[\p{L}\p{N}_%+-]+)*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|\p{N}+(?:[.:,/]\p{N}+)+|[\p{L}\p{N}\p{M}]+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu,
  )) {
    const folded = fold(m[0]);
    words.push({ text: m[0], folded, forms: formsOf(folded), index: m.index });
    // "washing-up" is also "washing" and "up".
    if (folded.includes('-') && !folded.includes('@')) {
      for (const piece of folded.split('-'))
        words.push({ text: piece, folded: piece, forms: formsOf(piece), index: m.index });
    }
  }
  return words;
}

export const isStopWord = (word: Word): boolean => STOP_WORDS.has(word.folded);
export const isLightVerb = (word: Word): boolean => word.forms.some((form) => LIGHT_VERBS.has(form));
export const isNumber = (word: Word): boolean => /^\p{N}/u.test(word.folded);

/** Long words of one family begin alike (dermatologist, dermatology). */
const STEM_LENGTH = 8;
const stemOf = (form: string): string => `${form.slice(0, STEM_LENGTH)}~`;

/** All forms that count as a match for a word of the question, synonyms included. */
export function matchSet(word: Word): ReadonlySet<string> {
  const all = new Set(word.forms);
  if (isNumber(word)) return all;
  for (const form of word.forms) {
    for (const other of SYNONYMS.get(form) ?? []) all.add(other);
    if (form.length > STEM_LENGTH) all.add(stemOf(form));
  }
  return all;
}

/** The forms of every word of a text. */
export function formSet(text: string): Set<string> {
  const set = new Set<string>();
  for (const word of wordsOf(text)) {
    for (const form of word.forms) {
      set.add(form);
      if (form.length > STEM_LENGTH) set.add(stemOf(form));
    }
  }
  return set;
}
