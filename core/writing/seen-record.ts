import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import type { Labels } from './labels.ts';
import { plainLine } from './plain-text.ts';

const MOST_LABELS = 12;
/** The record's form, to which a model is held where its vocabulary allows: lists under fixed keys, in this order. */
export const RECORD_SHAPE = {
  lists: [
    { key: 'actions', most: 6 },
    { key: 'objects', most: MOST_LABELS },
    { key: 'topics', most: 6 },
  ],
  textTokens: 12,
  tokens: 256,
} as const;
const LABEL_LENGTH = 60;
/** Letters of a word by which it is found again whatever its ending. */
const STEM_LETTERS = 4;

const FORM =
  '{"actions": ["what I or others did"], "objects": ["things"], "topics": ["what was talked about"]}';

/** Asks for a record after the paragraph, in the same answer. */
export const RECORD_REQUEST = `After the paragraph, on a line of its own, list what it names, with its own words, as JSON in this form:\n${FORM}`;

/** Asks for the lists of an event record, EM²Mem's Act, Obj and Top, from a paragraph. */
export function recordPrompt(paragraph: string): string {
  return [
    'This is a diary entry, quoted:',
    `[[\n${paragraph}\n]]`,
    'List what it names, with its own words, as JSON and nothing else, in this form:',
    FORM,
  ].join('\n');
}

/** As it is asked for, and as the shape it is held to gives it. */
const Exact = z.strictObject({
  actions: z.array(z.string()),
  objects: z.array(z.string()),
  topics: z.array(z.string()),
});
/** What can be used of an answer that was not held to the shape. */
const List = z
  .array(z.unknown())
  .transform((items) => items.filter((item): item is string => typeof item === 'string'))
  .catch([]);
const Lenient = z.object({ actions: List, objects: List, topics: List });

/** Text and the object in it, whatever fences and words stand around; null when there is none. */
function objectIn(answer: string): string | null {
  const start = answer.indexOf('{');
  return start < 0 ? null : answer.slice(start);
}

/** Without what stands behind the object; of one that was cut off, without the text that was cut in two. */
function whole(json: string): string {
  const end = json.lastIndexOf('}');
  if (end > 0) return json.slice(0, end + 1);
  const even = (json.match(/"/gu)?.length ?? 0) % 2 === 0;
  return even ? json : json.slice(0, json.lastIndexOf('"'));
}

function parsed(answer: string): z.infer<typeof Exact> | null {
  const json = objectIn(answer);
  if (json === null) return null;
  try {
    const exact = Exact.safeParse(JSON.parse(json));
    if (exact.success) return exact.data;
  } catch {
    // Not JSON as it stands: repaired below.
  }
  try {
    const lenient = Lenient.safeParse(JSON.parse(jsonrepair(whole(json))));
    return lenient.success ? lenient.data : null;
  } catch {
    return null;
  }
}

/**
 * An answer of a model that was asked for a paragraph and then an object, taken apart.
 * @returns the paragraph, and the rest from the first line that begins an object on; null where no line does
 */
export function splitAnswer(answer: string): { text: string; record: string | null } {
  const at = /(?:^|\n)\s*(?:```[a-z]*\s*)?\{/iu.exec(answer);
  return at
    ? { text: answer.slice(0, at.index).trim(), record: answer.slice(at.index) }
    : { text: answer, record: null };
}

/** A word without what its ending may be. */
function stem(word: string): string {
  return word.slice(0, Math.max(Math.min(STEM_LETTERS, word.length - 1), word.length - 3, 3));
}

/** Whether every word of a label that says something stands in the text, whatever its ending. */
function grounded(label: string, words: readonly string[]): boolean {
  const said = wordsOf(label);
  return said.length > 0 && said.every((word) => words.some((known) => known.startsWith(stem(word))));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

/**
 * Reads a model's record. A label that its paragraph does not bear out is left out.
 * @returns null when the answer holds no record: the labels are then found by rule
 */
export function readRecord(answer: string, paragraph: string): Partial<Labels> | null {
  const record = parsed(answer);
  if (!record) return null;
  const words = wordsOf(paragraph);
  const kept = (labels: readonly string[]) =>
    [...new Set(labels.map(plainLine))]
      .filter((label) => label.length <= LABEL_LENGTH && grounded(label, words))
      .slice(0, MOST_LABELS);
  const { actions, objects, topics } = record;
  const labels = { actions: kept(actions), objects: kept(objects), topics: kept(topics) };
  return Object.values(labels).some((list) => list.length > 0) ? labels : null;
}
