import { z } from 'zod';
import type { Labels } from './labels.ts';
import { plainLine } from './plain-text.ts';

/** Tokens a record may take. */
export const RECORD_TOKENS = 256;
const MOST_LABELS = 12;
const LABEL_LENGTH = 60;
/** Letters of a word by which it is found again whatever its ending. */
const STEM_LETTERS = 4;

/** Asks for the lists of an event record, EM²Mem's Act, Obj and Top, from a paragraph. */
export function recordPrompt(paragraph: string): string {
  return [
    'This is a diary entry, quoted:',
    `[[\n${paragraph}\n]]`,
    'List what it names, with its own words, as JSON and nothing else, in this form:',
    '{"actions": ["what I or others did"], "objects": ["things"], "topics": ["what was talked about"]}',
  ].join('\n');
}

const List = z
  .array(z.unknown())
  .transform((items) => items.filter((item): item is string => typeof item === 'string'))
  .catch([]);
const Answer = z.object({ actions: List, objects: List, topics: List });

/** JSON as it was meant: without what stands around it, with closed brackets and without loose commas. */
function repaired(text: string): unknown {
  const start = text.indexOf('{');
  if (start < 0) return null;
  const body = text.slice(start).replace(/[“”]/gu, '"');
  const end = body.lastIndexOf('}');
  const tries = end > 0 ? [body.slice(0, end + 1)] : [];
  // Cut off in the middle: back to the last whole string, then close what is open.
  const whole = body.slice(0, body.lastIndexOf('"') + 1);
  const even = (whole.match(/"/gu)?.length ?? 0) % 2 === 0;
  const cut = (even ? whole : whole.slice(0, whole.lastIndexOf(',') + 1)).replace(/,\s*$/u, '');
  tries.push(`${cut}]}`, `${cut}}`);
  for (const json of tries) {
    try {
      return JSON.parse(json.replace(/,\s*(?=[\]}])/gu, ''));
    } catch {
      // The next way of closing it may do.
    }
  }
  return null;
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
  const parsed = Answer.safeParse(repaired(answer));
  if (!parsed.success) return null;
  const words = wordsOf(paragraph);
  const kept = (labels: readonly string[]) =>
    [...new Set(labels.map(plainLine))]
      .filter((label) => label.length <= LABEL_LENGTH && grounded(label, words))
      .slice(0, MOST_LABELS);
  const { actions, objects, topics } = parsed.data;
  const labels = { actions: kept(actions), objects: kept(objects), topics: kept(topics) };
  return Object.values(labels).some((list) => list.length > 0) ? labels : null;
}
