import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoresOf } from './question-scores.ts';
import {
  allAt,
  anyAt,
  coverage,
  coverageAt,
  exactSet,
  overlapRecall,
  recallAt,
  type VideoSpan,
  withinBudget,
} from './retrieval.ts';
import { mcNemar, mcNemarOf, pairedBootstrap } from './significance.ts';

/** A span in seconds. */
const span = (from: number, to: number, video: string | null = 'v'): VideoSpan => ({
  video,
  startMs: from * 1000,
  endMs: to * 1000,
});

const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 60 }), fc.constantFrom('a', 'b'))
    .map(([from, length, video]) => span(from, from + length, video)),
  { maxLength: 12 },
);

describe('any@k and all@k', () => {
  it('count the first k alone', () => {
    expect(anyAt(['x', 'y', 'z'], ['y', 'z'], 1)).toBe(0);
    expect(anyAt(['x', 'y', 'z'], ['y', 'z'], 2)).toBe(1);
    expect(allAt(['x', 'y', 'z'], ['y', 'z'], 2)).toBe(0);
    expect(allAt(['x', 'y', 'z'], ['y', 'z'], 3)).toBe(1);
    expect(allAt(['x'], [], 3)).toBe(0);
  });
});

describe('coverage', () => {
  it('is the covered share of the target’s seconds, what is covered twice once', () => {
    // 10 to 20 s and 15 to 25 s cover 15 of the 20 s from 10 to 30.
    expect(coverage([span(10, 20), span(15, 25)], [span(10, 30)])).toBeCloseTo(0.75);
    // Two targets that overlap are 15 s together.
    expect(coverage([span(0, 5)], [span(0, 10), span(5, 15)])).toBeCloseTo(1 / 3);
  });

  it('counts within the same video only, unless a video is not told', () => {
    expect(coverage([span(0, 30, 'a')], [span(0, 30, 'b')])).toBe(0);
    expect(coverage([span(0, 30, 'a')], [span(0, 30, null)])).toBe(1);
  });

  it('C@B cuts the item that crosses the budget, keeping its beginning', () => {
    const ranked = [span(100, 130), span(0, 30), span(200, 230)];
    // 45 s: the first item whole, 15 s of the second.
    expect(withinBudget(ranked, 45_000)).toEqual([span(100, 130), span(0, 15)]);
    expect(coverageAt(ranked, [span(10, 30)], 45)).toBeCloseTo(5 / 20);
    expect(coverageAt(ranked, [span(210, 220)], 60)).toBe(0);
    expect(coverageAt(ranked, [span(210, 220)], 75)).toBeCloseTo(5 / 10);
  });

  it('R@k is what the first k cover however long they are', () => {
    expect(recallAt([span(0, 600), span(700, 730)], [span(590, 610)], 1)).toBeCloseTo(0.5);
  });

  it('lies in [0, 1], grows with the budget, and is 1 for the targets themselves', () => {
    fc.assert(
      fc.property(spans, spans, fc.integer({ min: 1, max: 400 }), (ranked, targets, budget) => {
        const c = coverageAt(ranked, targets, budget);
        expect(c).toBeGreaterThanOrEqual(0);
        expect(c).toBeLessThanOrEqual(1 + 1e-12);
        expect(coverageAt(ranked, targets, budget + 30)).toBeGreaterThanOrEqual(c);
        if (targets.length > 0) expect(coverage(targets, targets)).toBeCloseTo(1);
      }),
    );
  });

  it('agrees with counting seconds one by one', () => {
    fc.assert(
      fc.property(spans, spans, (retrieved, targets) => {
        const seconds = (of: VideoSpan[]): Set<string> =>
          new Set(
            of.flatMap(({ video, startMs, endMs }) =>
              Array.from({ length: (endMs - startMs) / 1000 }, (_, n) => `${video}/${startMs / 1000 + n}`),
            ),
          );
        const wanted = seconds(targets);
        const had = seconds(retrieved);
        const both = [...wanted].filter((second) => had.has(second)).length;
        expect(coverage(retrieved, targets)).toBeCloseTo(wanted.size === 0 ? 0 : both / wanted.size);
      }),
    );
  });
});

it('any-overlap recall wants one shared instant in the same video', () => {
  expect(overlapRecall([span(0, 30)], [span(29, 40)])).toBe(1);
  expect(overlapRecall([span(0, 30)], [span(30, 40)])).toBe(0);
  expect(overlapRecall([span(0, 30, 'a')], [span(10, 20, 'b')])).toBe(0);
});

it('accuracy wants exactly the right set', () => {
  expect(exactSet([2, 0], [0, 2])).toBe(1);
  expect(exactSet([0], [0, 2])).toBe(0);
  expect(exactSet([0, 1, 2], [0, 2])).toBe(0);
  expect(exactSet([], [0])).toBe(0);
});

describe('scores of one question', () => {
  const question = {
    id: 'q',
    stream: 's',
    question: 'When?',
    choices: [],
    multiple: false,
    correct: null,
    answer: 'then',
    askedAtMs: 1e6,
    evidence: ['e2'],
    intervals: [{ stream: 's', video: null, startMs: 30_000, endMs: 60_000 }],
    kind: 'when',
    unanswerable: false,
  };
  const item = (n: number) => ({ episodeId: `e${n}`, startMs: (n - 1) * 30_000, endMs: n * 30_000 });

  it('pass over an episode that is named again', () => {
    const ranked = [item(1), item(1), item(1), item(1), item(1), item(2)];
    expect(scoresOf(question, ranked, null, new Map())).toMatchObject({ 'any@1': 0, 'any@5': 1, 'R@5': 1 });
  });

  it('leave out what does not apply', () => {
    expect(scoresOf({ ...question, unanswerable: true }, [item(2)], null, new Map())).toEqual({});
    expect(scoresOf({ ...question, evidence: [], correct: [1] }, [item(2)], null, new Map())).toEqual({
      accuracy: 0,
    });
  });
});

describe('McNemar’s exact test', () => {
  it('gives the binomial’s two tails', () => {
    // 1 of 6: 2 · (1 + 6) / 64; 2 of 10: 2 · (1 + 10 + 45) / 1024.
    expect(mcNemar(1, 5)).toBeCloseTo(14 / 64, 10);
    expect(mcNemar(8, 2)).toBeCloseTo(112 / 1024, 10);
    expect(mcNemar(0, 0)).toBe(1);
    expect(mcNemar(3, 3)).toBe(1);
  });

  it('is symmetric, in (0, 1], and bears a thousand questions', () => {
    fc.assert(
      fc.property(fc.nat(1200), fc.nat(1200), (b, c) => {
        const p = mcNemar(b, c);
        expect(p).toBe(mcNemar(c, b));
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
    expect(mcNemar(600, 500)).toBeGreaterThan(0.002);
    expect(mcNemar(600, 500)).toBeLessThan(0.004);
  });

  it('counts any score above 0 as right', () => {
    expect(mcNemarOf([0.2, 0.4, 0.1, 1, 1, 0], [0, 0, 0, 0, 0, 1])).toBeCloseTo(14 / 64, 10);
  });
});

describe('the paired bootstrap', () => {
  const a = [1, 1, 0, 1, 1, 1, 0, 1, 1, 1];
  const b = [0, 1, 0, 0, 1, 1, 0, 1, 0, 1];

  it('repeats itself with a seed and differs with another', () => {
    expect(pairedBootstrap(a, b, { seed: 7 })).toEqual(pairedBootstrap(a, b, { seed: 7 }));
    const noisy = Array.from({ length: 50 }, (_, n) => Math.sin(n * 12.9898));
    const zero = noisy.map(() => 0);
    expect(pairedBootstrap(noisy, zero, { seed: 7 }).ci95).not.toEqual(
      pairedBootstrap(noisy, zero, { seed: 8 }).ci95,
    );
  });

  it('holds the difference in its interval, which is a point for a constant difference', () => {
    const { difference, ci95 } = pairedBootstrap(a, b, { seed: 1 });
    expect(difference).toBeCloseTo(0.3);
    expect(ci95[0]).toBeLessThanOrEqual(0.3);
    expect(ci95[1]).toBeGreaterThanOrEqual(0.3);
    expect(pairedBootstrap([0.5, 0.7], [0.25, 0.45], { seed: 1 }).ci95[0]).toBeCloseTo(0.25);
  });

  it('has about the width that the normal approximation gives', () => {
    // 400 differences of variance 0.25: standard error 0.025.
    const ones = Array.from({ length: 400 }, (_, n) => n % 2);
    const { ci95 } = pairedBootstrap(
      ones,
      ones.map(() => 0),
      { seed: 3 },
    );
    expect(ci95[1] - ci95[0]).toBeGreaterThan(2 * 1.96 * 0.025 * 0.9);
    expect(ci95[1] - ci95[0]).toBeLessThan(2 * 1.96 * 0.025 * 1.1);
  });

  it('refuses scores of different questions', () => {
    expect(() => pairedBootstrap([1], [1, 0], { seed: 1 })).toThrow(RangeError);
  });
});
