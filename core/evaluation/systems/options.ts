/** Choosing among options without a language model, the same way for every system, and reading what a model chose. */
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';
import { CANNOT_BE_ANSWERED } from '../loaders/supermemory.ts';
import type { AskedQuestion } from '../set.ts';
import { dot } from './vectors.ts';
import { contentWords } from './words.ts';

/** Weight of shared words against nearness of meaning; chosen without looking at any set. */
const WORDS = 0.5;
/** Evidence further down counts less: 1/(1 + rank) would let the first decide alone. */
const RANK_DECAY = 0.85;
/** "This cannot be answered" is chosen when nothing supports another option this much. */
const ENOUGH = 0.35;
/** Of questions with several right options, those with this share of the best support are chosen. */
const ALSO = 0.9;

/**
 * How far evidence supports each option: the best over the evidence of (shared content words + cosine) / 2, weighed by rank.
 * @param evidence texts, best first
 */
export async function optionSupport(
  question: AskedQuestion,
  evidence: readonly string[],
  embedder: TextEmbedder,
): Promise<number[]> {
  const vectors = await embedder.embed([...evidence, ...question.choices], 'passage');
  const words = evidence.map((text) => new Set(contentWords(text)));
  return question.choices.map((choice, c) => {
    if (CANNOT_BE_ANSWERED.test(choice)) return ENOUGH;
    const wanted = contentWords(choice);
    const vector = vectors[evidence.length + c]!;
    return evidence.reduce((most, _, e) => {
      const shared =
        wanted.length === 0 ? 0 : wanted.filter((word) => words[e]!.has(word)).length / wanted.length;
      const support = WORDS * shared + (1 - WORDS) * dot(vector, vectors[e]!);
      return Math.max(most, support * RANK_DECAY ** e);
    }, 0);
  });
}

/** Options chosen by their support: the best, the first of equals; where several may be right, also those close to it. */
export function chooseOptions(support: readonly number[], multiple: boolean): number[] {
  const most = Math.max(...support);
  if (!multiple) return [support.indexOf(most)];
  return support.flatMap((value, n) => (value >= most * ALSO ? [n] : []));
}

const LETTERS = 'A-Z';

/**
 * Options named in a model's reply. A letter counts only when it stands by itself ("B", "(B)", "B.", "ANSWER: B", "A, C");
 * otherwise the reply must be the exact text of an option. "Because …" names none.
 * @returns places from 0, ascending; null when the reply names no option, or more than one where one is wanted
 */
export function parseChoice(reply: string, choices: readonly string[], multiple: boolean): number[] | null {
  const text = reply
    .trim()
    .replace(/^(?:the\s+)?(?:final\s+)?answer\s*(?:is)?\s*[:-]?\s*/i, '')
    .trim();
  const plain = (value: string): string => value.trim().replace(/\.$/, '').toLowerCase();
  const exact = choices.findIndex((choice) => plain(choice) === plain(text));
  if (exact >= 0) return [exact];
  const letter = `[(\\[*]*[${LETTERS}][)\\]*]*`;
  const list = new RegExp(`^${letter}(?:\\s*(?:,|;|/|and|&)\\s*${letter})*(?:[.:]?$|[.:)]\\s)`).exec(text);
  if (!list) return null;
  const named = [...list[0].replace(/\band\b/g, ' ').matchAll(/[A-Z]/g)].map((m) => m[0].charCodeAt(0) - 65);
  const found = [...new Set(named)].sort((a, b) => a - b);
  if (found.some((n) => n >= choices.length)) return null;
  // "B. on the table" must then say what B says.
  const rest = text.slice(list[0].length).trim();
  if (rest !== '' && (found.length !== 1 || plain(choices[found[0]!]!) !== plain(rest))) return null;
  return found.length > 1 && !multiple ? null : found;
}
