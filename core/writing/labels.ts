import { type SpeechLine, speakerName, type VisibleText } from '../contract/index.ts';
import { phrasesOf } from './phrases.ts';
import { plainLine, plainRows } from './plain-text.ts';

/**
 * The lists of an event record (EM²Mem: z = actions, objects, topics, scenes, entities). Without a vision model they hold
 * what was named in speech or print, word for word: nothing here says that a thing was seen.
 */
export interface Labels {
  /** What a first-person line says is, was or will be done: "will fix the login bug". */
  actions: string[];
  /** Things named, with their adjectives: "red mug". */
  objects: string[];
  /** What sentences are about, and the headings of printed blocks. */
  topics: string[];
  /** Names, places, dates, times, prices, addresses, short printed lines. */
  entities: string[];
}

const MOST = { actions: 8, objects: 16, topics: 8, entities: 24 } as const;
const LABEL_LENGTH = 60;
/** Language analysis of a segment stops here: 30 s of speech are some 500 characters, the rest is a page of print. */
const ANALYSED_CHARACTERS = 8_000;
/** Longer printed lines are sentences, not names. */
const NAME_WORDS = 5;
/** Words of a title that is broken over rows. */
const TITLE_WORDS = 4;
/** A number in words, up to the thousands. */
const NUMBER_WORD =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)\\b';
const NUMBER_WORDS = `${NUMBER_WORD}(?:[\\s-](?:and\\s)?${NUMBER_WORD})*`;

const PATTERNS: readonly RegExp[] = [
  // E-mail and web addresses.
  /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
  /\b(?:https?:\/\/|www\.)[^\s“”"'‹›]{3,}/giu,
  // Prices.
  /[€$£¥]\s?\d+(?:[.,]\d+)*/gu,
  /\b\d+(?:[.,]\d+)*\s?(?:€|\$|£|zł|EUR|USD|GBP|PLN|CHF|euros?|dollars?|pounds?)(?![\p{L}])/giu,
  // Times and dates.
  /\b\d{1,2}[:.]\d{2}(?::\d{2})?\s?(?:am|pm)\b/giu,
  /\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,3})?)?\b/gu,
  /\b(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})\b/gu,
  /\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?: \d{4})?/giu,
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}\b(?:,? \d{4})?/giu,
  /\b(?:(?:next|last|this) )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/giu,
  // Places and papers one can point at: room B12, platform 4, level three, row D, space one hundred and seventeen.
  new RegExp(
    `\\b(?:room|platform|level|floor|row|gate|track|bus|tram|line|flight|seat|space|exit|invoice|order|ticket)\\s(?:(?:no\\.?|#)\\s?)?(?:\\p{L}{0,2}\\d+\\p{L}?\\b|[A-Z]\\b(?:\\s${NUMBER_WORDS})?|${NUMBER_WORDS})`,
    'giu',
  ),
  // Amounts.
  /\b\d+(?:[.,]\d+)?\s?(?:mg|kg|ml|km|cm|mm|g|l|m|%)(?![\p{L}\p{N}])/giu,
];
/** Capitals inside a sentence, one or several in a row. */
const NAME = /(?<=[\p{Ll},;:’']\s)\p{Lu}[\p{L}’'-]+(?:\s\p{Lu}[\p{L}’'-]+)*/gu;
const NO_NAME =
  /^(?:I(?:['’].*)?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Mr|Mrs|Ms|Dr|OK|Okay|God|Hello|Yes|No)$/u;
/** Trims what clings to a word at its edges. */
function bare(text: string): string {
  return text.replace(/^[^\p{L}\p{N}€$£¥]+|[^\p{L}\p{M}\p{N}€$£%]+$/gu, '');
}

/** Collects labels: each once whatever its case, each standing word for word in its source, up to a limit. */
class LabelList {
  readonly #items = new Map<string, string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(label: string, source: string): void {
    const text = bare(label);
    const known = text.toLowerCase();
    if (text.length < 2 || text.length > LABEL_LENGTH || this.#items.has(known)) return;
    if (this.#items.size < this.#most && source.includes(text)) this.#items.set(known, text);
  }

  list(): string[] {
    return [...this.#items.values()];
  }
}

interface Lists {
  actions: LabelList;
  objects: LabelList;
  topics: LabelList;
  entities: LabelList;
}

function fromPatterns(text: string, lists: Lists): void {
  for (const pattern of PATTERNS)
    for (const [match] of text.matchAll(pattern)) lists.entities.add(match, text);
}

/** A line of speech, or of a writer's own text (`speaker` null: in the first person). */
export type LabelledLine = Pick<SpeechLine, 'text' | 'speaker' | 'voice'>;

function fromSpeech(line: LabelledLine, lists: Lists): void {
  const text = plainLine(line.text);
  const speaker = speakerName(line);
  const own = speaker === null || /^(?:me|i|myself)$/iu.test(speaker.trim());
  fromPatterns(text, lists);
  for (const [name] of text.matchAll(NAME)) if (!NO_NAME.test(name)) lists.entities.add(name, text);
  for (const { things, names, action } of phrasesOf(text)) {
    for (const name of names) lists.entities.add(name, text);
    for (const thing of things) lists.objects.add(thing, text);
    if (things[0] !== undefined) lists.topics.add(things[0], text);
    if (own && action !== null) lists.actions.add(action, text);
  }
}

/** A printed row as a name: without the counts, times and prices at its ends; null when it is a sentence or a field. */
function printedName(row: string): string | null {
  const name = row.replace(/^(?:[\p{N}\p{P}\p{S}]+\s+)+|(?:\s+[\p{N}\p{P}\p{S}]+)+$/gu, '');
  return /\p{L}{3}/u.test(name) && !/[:@]/u.test(name) && name.split(' ').length <= NAME_WORDS ? name : null;
}

function fromPrint(visible: VisibleText, lists: Lists): void {
  const rows = plainRows(visible.text);
  for (const row of rows) {
    fromPatterns(row, lists);
    const name = printedName(row);
    if (name !== null) lists.entities.add(name, row);
  }
  // A title is often broken over rows.
  const whole = rows.join(' ');
  if (rows.length > 1 && /^[\p{L}\s'’.&-]+$/u.test(whole) && whole.split(' ').length <= TITLE_WORDS) {
    lists.entities.add(whole, whole);
    lists.topics.add(whole, whole);
  } else if (rows.length > 1) {
    const heading = printedName(rows[0]!);
    if (heading !== null) lists.topics.add(heading, rows[0]!);
  }
}

/** Labels of a segment's lines and print; every one is found word for word in one of them. */
export function labelsOf(lines: readonly LabelledLine[], visibleText: readonly VisibleText[]): Labels {
  const lists: Lists = {
    actions: new LabelList(MOST.actions),
    objects: new LabelList(MOST.objects),
    topics: new LabelList(MOST.topics),
    entities: new LabelList(MOST.entities),
  };
  let analysed = 0;
  for (const line of lines) {
    analysed += line.text.length;
    if (analysed <= ANALYSED_CHARACTERS) fromSpeech(line, lists);
  }
  for (const visible of visibleText) {
    analysed += visible.text.length;
    if (analysed <= ANALYSED_CHARACTERS) fromPrint(visible, lists);
  }
  return {
    actions: lists.actions.list(),
    objects: lists.objects.list(),
    topics: lists.topics.list(),
    entities: lists.entities.list(),
  };
}
