/** Whether two systems asked the same questions really differ. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface PairedInterval {
  /** Mean of a - b. */
  difference: number;
  /** Central 95 % of the bootstrap's means (percentile method). */
  ci95: [number, number];
}

/**
 * Paired bootstrap: questions are drawn with replacement, both systems' scores together. The same seed gives the same interval.
 * @param a scores of one system, one a question; @param b of the other, in the same order
 */
export function pairedBootstrap(
  a: readonly number[],
  b: readonly number[],
  { seed, resamples = 2000 }: { seed: number; resamples?: number },
): PairedInterval {
  if (a.length !== b.length) throw new RangeError('Paired scores must be of the same questions.');
  const n = a.length;
  if (n === 0) return { difference: 0, ci95: [0, 0] };
  const differences = a.map((value, i) => value - b[i]!);
  const random = xoroshiro128plus(seed);
  const means = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += differences[uniformInt(random, 0, n - 1)]!;
    means[r] = sum / n;
  }
  means.sort();
  const at = (share: number): number => means[Math.round(share * (resamples - 1))]!;
  const mean = differences.reduce((sum, value) => sum + value, 0) / n;
  return { difference: mean, ci95: [at(0.025), at(0.975)] };
}

/**
 * Exact two-sided McNemar test: of the questions on which the systems disagree, either is right with probability one half.
 * @param onlyA questions that only a gets right; @param onlyB that only b gets right
 */
export function mcNemar(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB;
  if (n === 0) return 1;
  // C(n, i) / 2^n by its logarithm: n may be a thousand.
  let logTerm = -n * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let i = 1; i <= Math.min(onlyA, onlyB); i++) {
    logTerm += Math.log((n - i + 1) / i);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}

/** McNemar over paired scores; a score above 0 counts as right (for C@B: some of the target was covered). */
export function mcNemarOf(a: readonly number[], b: readonly number[]): number {
  const only = (x: readonly number[], y: readonly number[]): number =>
    x.filter((value, i) => value > 0 && !(y[i]! > 0)).length;
  return mcNemar(only(a, b), only(b, a));
}
