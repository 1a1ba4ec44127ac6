import { tellingWords } from './words.ts';

/** BM25's usual constants (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.75;

export interface Ranked {
  at: number;
  value: number;
}

/** BM25 over texts that are known in order of time: scores at an instant come from what had been written by then alone. */
export class CausalBm25 {
  /** By word: documents that hold it, ascending, and how often. */
  readonly #postings = new Map<string, { at: number[]; count: number[] }>();
  readonly #lengths: number[] = [];
  /** Words in the first n documents. */
  readonly #total: number[] = [0];

  /** @param texts in the order in which they became known */
  constructor(texts: Iterable<string>) {
    for (const text of texts) this.#add(text);
  }

  #add(text: string): void {
    const at = this.#lengths.length;
    const words = tellingWords(text);
    for (const word of words) {
      const posting = this.#postings.get(word) ?? { at: [], count: [] };
      this.#postings.set(word, posting);
      if (posting.at.at(-1) === at) posting.count[posting.count.length - 1]! += 1;
      else {
        posting.at.push(at);
        posting.count.push(1);
      }
    }
    this.#lengths.push(words.length);
    this.#total.push(this.#total.at(-1)! + words.length);
  }

  /** Scores of the first `known` documents that hold a word of the query. */
  scores(query: string, known: number): Map<number, number> {
    const scores = new Map<number, number>();
    const mean = known > 0 ? this.#total[known]! / known || 1 : 1;
    for (const word of new Set(tellingWords(query))) {
      const posting = this.#postings.get(word);
      if (!posting) continue;
      const held = countBelow(posting.at, known);
      if (held === 0) continue;
      const rarity = Math.log(1 + (known - held + 0.5) / (held + 0.5));
      for (let i = 0; i < held; i++) {
        const at = posting.at[i]!;
        const count = posting.count[i]!;
        const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * this.#lengths[at]!) / mean));
        scores.set(at, (scores.get(at) ?? 0) + rarity * weight);
      }
    }
    return scores;
  }
}

/** How many of ascending numbers are below a limit. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
