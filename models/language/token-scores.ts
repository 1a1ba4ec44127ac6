import { ModelError } from '../errors.ts';
import type { Choice } from './chat.ts';

/** A place in a text: what the model thinks of the token that stands there. */
export interface Place {
  /** log p of the token. */
  logProbability: number;
  /** log p of the likeliest token. */
  best: number;
  /** nats. */
  entropy: number;
}

/**
 * Log-probabilities from one row of logits, without leaving their range.
 * @param row logits of the whole vocabulary
 */
export function placeOf(row: Float32Array, token: number): Place {
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of row) if (logit > highest) highest = logit;
  let sum = 0;
  let weighted = 0;
  for (const logit of row) {
    const above = logit - highest;
    const weight = Math.exp(above);
    sum += weight;
    if (weight > 0) weighted += weight * above;
  }
  const logSum = Math.log(sum);
  return {
    logProbability: row[token]! - highest - logSum,
    best: -logSum,
    // −Σ p log p, with log p = (logit − highest) − log Σ.
    entropy: logSum - weighted / sum,
  };
}

/** How an answer may be written at the start of a reply. */
export function spellings(answer: string): string[] {
  const cased = answer.length > 1 ? [answer, answer.toLowerCase(), answer.toUpperCase()] : [answer];
  return [...new Set(cased.flatMap((word) => [word, ` ${word}`]))];
}

/**
 * Probabilities of answers by their first tokens: for Yes and No this is P(Yes) / (P(Yes) + P(No)) of MemLife's entailment judge
 * (method section on informativeness), summed over ways to write each.
 * @param row logits of the place where the reply begins
 * @param firstTokens for each answer, the first token of each of its spellings; one that begins several answers counts for none
 * @throws ModelError run-failed when nothing tells an answer from the others
 */
export function choiceOf(row: Float32Array, firstTokens: readonly (readonly number[])[]): Choice {
  const sets = firstTokens.map((tokens) => new Set(tokens));
  const own = sets.map((set, n) =>
    [...set].filter((token) => !sets.some((other, m) => m !== n && other.has(token))),
  );
  if (own.some((tokens) => tokens.length === 0)) {
    throw new ModelError('run-failed', 'Two of the answers begin alike for this model.');
  }
  const masses = own.map((tokens) =>
    tokens.reduce((sum, token) => sum + Math.exp(placeOf(row, token).logProbability), 0),
  );
  const mass = masses.reduce((sum, one) => sum + one, 0);
  if (!(mass > 0)) throw new ModelError('run-failed', 'The model gives none of the answers any weight.');
  return { probabilities: masses.map((one) => one / mass), mass };
}
