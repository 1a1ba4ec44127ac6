import { LogitsProcessor, random, type Tensor } from '@huggingface/transformers';
import type { Sampling } from './chat.ts';

/**
 * Draws each token itself and leaves only that one to be chosen. The library's own sampling ignores top-p and draws from one
 * generator for the whole process, so that no two calls could be repeated.
 */
export class SeededSampler extends LogitsProcessor {
  readonly #sampling: Sampling;
  readonly #random: { random(): number };

  constructor(sampling: Sampling) {
    super();
    this.#sampling = sampling;
    this.#random = new random.Random(sampling.seed);
  }

  /** @param logits [1, vocabulary]; overwritten */
  override _call(_ids: bigint[][], logits: Tensor): Tensor {
    const values = logits.data as Float32Array;
    const drawn = draw(values, this.#sampling, this.#random.random());
    values.fill(Number.NEGATIVE_INFINITY);
    values[drawn] = 0;
    return logits;
  }
}

/**
 * Draws a token.
 * @param logits of the whole vocabulary
 * @param at where in the distribution, 0 <= at < 1
 * @returns its index
 */
export function draw(
  logits: Float32Array,
  { temperature, topP }: Pick<Sampling, 'temperature' | 'topP'>,
  at: number,
): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > highest) highest = logit;
  const weights = new Float64Array(logits.length);
  let total = 0;
  for (let i = 0; i < logits.length; i += 1) {
    const weight = Math.exp((logits[i]! - highest) / temperature);
    weights[i] = weight;
    total += weight;
  }
  const candidates = topP < 1 ? nucleus(weights, topP * total) : null;
  const size = candidates?.length ?? weights.length;
  const sum = candidates ? candidates.reduce((before, i) => before + weights[i]!, 0) : total;
  let rest = at * sum;
  let last = 0;
  for (let n = 0; n < size; n += 1) {
    const i = candidates ? candidates[n]! : n;
    if (weights[i] === 0) continue;
    last = i;
    rest -= weights[i]!;
    if (rest < 0) return i;
  }
  // Rounding left a hair of the sum.
  return last;
}

/** Indexes of the heaviest weights that together reach a sum, heaviest first; never none. Equal ones in their own order. */
function nucleus(weights: Float64Array, sum: number): number[] {
  // Few tokens hold nearly everything: sorting the whole vocabulary for each would cost more than the model.
  for (let floor = 1e-3; ; floor /= 100) {
    const heavy: number[] = [];
    let held = 0;
    const least = floor < 1e-12 ? 0 : floor;
    for (let i = 0; i < weights.length; i += 1) {
      if (weights[i]! < least) continue;
      heavy.push(i);
      held += weights[i]!;
    }
    if (held < sum && least > 0) continue;
    heavy.sort((a, b) => weights[b]! - weights[a]! || a - b);
    let reached = 0;
    const count = heavy.findIndex((i) => {
      reached += weights[i]!;
      return reached >= sum;
    });
    return count < 0 ? heavy : heavy.slice(0, count + 1);
  }
}
