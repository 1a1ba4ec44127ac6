import fc from 'fast-check';
import { expect, it } from 'vitest';
import { degreeOf, graphOf, personalisedPageRank } from './personalised-pagerank.ts';

it('agrees with the ranks worked out by hand on two joined nodes', () => {
  // Reset at node 0, damping d: r0 = (1 - d) + d r1 and r1 = d r0, so r0 = 1 / (1 + d).
  const rank = personalisedPageRank(graphOf(2, [[0, 1, 3]]), Float64Array.of(1, 0), 0.5);
  expect(rank[0]).toBeCloseTo(2 / 3, 6);
  expect(rank[1]).toBeCloseTo(1 / 3, 6);
});

it('goes along heavier edges more', () => {
  const graph = graphOf(3, [
    [0, 1, 3],
    [0, 2, 1],
  ]);
  const rank = personalisedPageRank(graph, Float64Array.of(1, 0, 0), 0.5);
  expect(rank[1]! / rank[2]!).toBeCloseTo(3, 6);
  expect(degreeOf(graph, 0)).toBe(2);
});

it('gives nothing to what cannot be reached, and all zeros without a reset', () => {
  const graph = graphOf(4, [[0, 1, 1]]);
  const rank = personalisedPageRank(graph, Float64Array.of(0, 1, 0, 0), 0.85);
  expect([rank[2], rank[3]]).toEqual([0, 0]);
  expect([...personalisedPageRank(graph, new Float64Array(4), 0.5)]).toEqual([0, 0, 0, 0]);
});

it('is a distribution on any graph', () => {
  const edge = fc.tuple(fc.nat(9), fc.nat(9), fc.double({ min: 0.01, max: 5, noNaN: true }));
  fc.assert(
    fc.property(
      fc.array(edge, { maxLength: 30 }),
      fc.nat(9),
      fc.double({ min: 0, max: 0.95, noNaN: true }),
      (edges, at, damping) => {
        const reset = new Float64Array(10);
        reset[at] = 2;
        const rank = personalisedPageRank(graphOf(10, edges), reset, damping);
        expect(rank.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
        expect(Math.min(...rank)).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});
