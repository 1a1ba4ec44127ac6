/** Natural logarithm of the sum of exponentials. */
export function logSum(values: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > highest) highest = value;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - highest);
  return highest + Math.log(sum);
}

/** How likely each token was that a model chose, among those it could choose from. */
export class TokenScores {
  #scores: number[] = [];
  #last: { logits: Float32Array; sum: number } | null = null;

  /** What the model may choose from next; the values are copied, for later processors change them in place. */
  offer(logits: Float32Array): void {
    this.#last = { logits: logits.slice(), sum: logSum(logits) };
  }

  /** What it chose of that; told once, later calls before another offer change nothing. */
  chosen(id: number): void {
    if (!this.#last) return;
    this.#scores.push(this.#last.logits[id]! - this.#last.sum);
    this.#last = null;
  }

  /** Natural logarithm of the probability of the nth token chosen. */
  at(n: number): number {
    return this.#scores[n] ?? Number.NEGATIVE_INFINITY;
  }
}
