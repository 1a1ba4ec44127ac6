import { Tensor } from '@huggingface/transformers';
import { describe, expect, it } from 'vitest';
import { draw, SeededSampler } from './seeded-sampler.ts';

/** Probabilities 0.5, 0.3, 0.15, 0.05. */
const LOGITS = Float32Array.from([0.5, 0.3, 0.15, 0.05], Math.log);
const AS_IT_IS = { temperature: 1, topP: 1 };

function shares(sampling: { temperature: number; topP: number }, draws = 2000): number[] {
  const counts = [0, 0, 0, 0];
  for (let n = 0; n < draws; n += 1) counts[draw(LOGITS, sampling, (n + 0.5) / draws)]! += 1;
  return counts.map((count) => count / draws);
}

describe('drawing a token', () => {
  it('draws each as often as it is likely', () => {
    shares(AS_IT_IS).forEach((share, n) => {
      expect(share).toBeCloseTo([0.5, 0.3, 0.15, 0.05][n]!, 3);
    });
  });

  it('sharpens below a temperature of one and flattens above', () => {
    // p^2 and p^0.5, made to sum to one.
    const power = (by: number) => {
      const raised = [0.5, 0.3, 0.15, 0.05].map((p) => p ** by);
      return raised.map((p) => p / raised.reduce((sum, one) => sum + one));
    };
    for (const temperature of [0.5, 2]) {
      shares({ temperature, topP: 1 }).forEach((share, n) => {
        expect(share).toBeCloseTo(power(1 / temperature)[n]!, 2);
      });
    }
  });

  it('draws from the fewest tokens that hold the mass asked for, in their proportion', () => {
    expect(shares({ temperature: 1, topP: 0.5 })).toEqual([1, 0, 0, 0]);
    const [first, second, third, fourth] = shares({ temperature: 1, topP: 0.79 });
    expect(first).toBeCloseTo(0.5 / 0.8, 2);
    expect(second).toBeCloseTo(0.3 / 0.8, 2);
    expect([third, fourth]).toEqual([0, 0]);
    expect(shares({ temperature: 1, topP: 1e-9 })).toEqual([1, 0, 0, 0]);
  });

  it('finds them also where nearly every token is unlikely', () => {
    const flat = new Float32Array(50_000).fill(-20);
    flat[7] = 0;
    // 50,000 e^-20 is a ten-thousandth of the whole: beyond 0.9999 the others come in, by their number.
    expect(draw(flat, { temperature: 1, topP: 0.9 }, 0.999)).toBe(7);
    expect(draw(flat, { temperature: 1, topP: 0.99999 }, 0.99999)).not.toBe(7);
  });

  it('never draws what cannot be', () => {
    const logits = Float32Array.of(Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY);
    for (const at of [0, 0.5, 1 - 1e-16]) expect(draw(logits, AS_IT_IS, at)).toBe(1);
  });
});

describe('the seeded sampler', () => {
  const sequence = (seed: number) => {
    const sampler = new SeededSampler({ seed, temperature: 1, topP: 1 });
    return Array.from({ length: 40 }, () => {
      const logits = new Tensor('float32', Float32Array.from(LOGITS), [1, 4]);
      const data = sampler._call([], logits).data as Float32Array;
      // All but the drawn one are out.
      expect([...data].filter((value) => value > Number.NEGATIVE_INFINITY)).toEqual([0]);
      return data.indexOf(0);
    });
  };

  it('repeats itself with a seed, also while another draws, and differs with another seed', () => {
    const first = sequence(11);
    expect(sequence(12)).not.toEqual(first);
    expect(sequence(11)).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(1);
  });
});
