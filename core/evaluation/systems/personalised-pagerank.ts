/** Personalised PageRank over an undirected weighted graph, by power iteration. */

/** Nodes are numbers from 0; `edges[n]` are its neighbours with weights, each edge listed at both ends. */
export type Graph = readonly (readonly { to: number; weight: number }[])[];

const ROUNDS_MAX = 100;
const SETTLED = 1e-9;

/**
 * @param reset how a walk begins (non-negative, not all 0); brought to sum 1
 * @param damping probability that a walk goes on, 0 to 1 (HippoRAG: 0.5)
 * @returns share of the time a walk is at each node; sums to 1
 */
export function personalisedPageRank(graph: Graph, reset: Float64Array, damping: number): Float64Array {
  const total = reset.reduce((sum, value) => sum + value, 0);
  if (!(total > 0)) return new Float64Array(graph.length);
  const start = reset.map((value) => value / total);
  const out = graph.map((edges) => edges.reduce((sum, { weight }) => sum + weight, 0));
  let rank = start.slice();
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = new Float64Array(graph.length);
    let stuck = 0;
    for (const [node, edges] of graph.entries()) {
      const value = rank[node]!;
      if (value === 0) continue;
      if (out[node] === 0) stuck += value;
      else for (const { to, weight } of edges) next[to]! += (value * weight) / out[node]!;
    }
    let change = 0;
    for (let node = 0; node < next.length; node++) {
      // A walk that cannot go on begins anew.
      next[node] = damping * (next[node]! + stuck * start[node]!) + (1 - damping) * start[node]!;
      change += Math.abs(next[node]! - rank[node]!);
    }
    rank = next;
    if (change < SETTLED) break;
  }
  return rank;
}
