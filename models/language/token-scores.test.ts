import { describe, expect, it } from 'vitest';
import { choiceOf, placeOf, spellings } from './token-scores.ts';

const row = (...probabilities: number[]) => Float32Array.from(probabilities, (p) => Math.log(p) + 3);

describe('a place in a text', () => {
  it('has the log-probabilities of its token and of the likeliest, and the entropy', () => {
    const place = placeOf(row(0.2, 0.7, 0.1), 0);
    expect(place.logProbability).toBeCloseTo(Math.log(0.2), 5);
    expect(place.best).toBeCloseTo(Math.log(0.7), 5);
    const entropy = -(0.2 * Math.log(0.2) + 0.7 * Math.log(0.7) + 0.1 * Math.log(0.1));
    expect(place.entropy).toBeCloseTo(entropy, 5);
  });

  it('stays finite for logits beyond what exp can hold, and for impossible tokens', () => {
    const place = placeOf(Float32Array.of(1000, 900, Number.NEGATIVE_INFINITY), 1);
    expect(place.logProbability).toBe(-100);
    expect(place.best).toBeCloseTo(0, 9);
    expect(place.entropy).toBeCloseTo(0, 9);
    expect(placeOf(Float32Array.of(0, Number.NEGATIVE_INFINITY), 1).logProbability).toBe(
      Number.NEGATIVE_INFINITY,
    );
  });
});

describe('choosing among answers', () => {
  it('counts every way to write an answer, and says how much of the model they hold', () => {
    // Yes, " yes", No, something else
    const { probabilities, mass } = choiceOf(row(0.3, 0.15, 0.05, 0.5), [[0, 1], [2]]);
    expect(probabilities[0]).toBeCloseTo(0.9, 5);
    expect(probabilities[1]).toBeCloseTo(0.1, 5);
    expect(mass).toBeCloseTo(0.5, 5);
  });

  it('leaves out a token that begins both', () => {
    const { probabilities } = choiceOf(row(0.2, 0.2, 0.6), [
      [0, 2],
      [1, 2],
    ]);
    expect(probabilities[0]).toBeCloseTo(0.5, 5);
    expect(() => choiceOf(row(0.5, 0.5), [[0], [0]])).toThrow(/begin alike/);
  });

  it('takes words in any case, and single letters as they are', () => {
    expect(spellings('Yes')).toEqual(['Yes', ' Yes', 'yes', ' yes', 'YES', ' YES']);
    expect(spellings('A')).toEqual(['A', ' A']);
  });
});
