/** Personalised PageRank over an undirected weighted graph, by power iteration. */

/** Both ends of each edge in one list: `from[n]` to `from[n + 1]` are the places in `to` and `weight` of node n's edges. */
export interface Graph {
  nodes: number;
  from: Uint32Array;
  to: Uint32Array;
  weight: Float64Array;
}

/** A graph of its edges (a, b, weight > 0), nodes numbered from 0. */
export function graphOf(nodes: number, edges: readonly (readonly [number, number, number])[]): Graph {
  const from = new Uint32Array(nodes + 1);
  for (const [a, b] of edges) {
    from[a + 1]!++;
    from[b + 1]!++;
  }
  for (let n = 0; n < nodes; n++) from[n + 1]! += from[n]!;
  const next = from.slice();
  const to = new Uint32Array(2 * edges.length);
  const weight = new Float64Array(2 * edges.length);
  const put = (a: number, b: number, value: number): void => {
    const at = next[a]!++;
    to[at] = b;
    weight[at] = value;
  };
  for (const [a, b, value] of edges) {
    put(a, b, value);
    put(b, a, value);
  }
  return { nodes, from, to, weight };
}

/** Edges of a node. */
export const degreeOf = (graph: Graph, node: number): number => graph.from[node + 1]! - graph.from[node]!;

const ROUNDS_MAX = 100;
/** Change of all ranks together at which they count as settled. */
const SETTLED = 1e-8;

/**
 * @param reset where walks begin (non-negative); brought to sum 1. All 0 gives all 0
 * @param damping probability that a walk goes on, 0 to 1 (HippoRAG: 0.5)
 * @returns share of the time a walk is at each node; sums to 1
 */
export function personalisedPageRank(graph: Graph, reset: Float64Array, damping: number): Float64Array {
  const { nodes, from, to, weight } = graph;
  const total = reset.reduce((sum, value) => sum + value, 0);
  if (!(total > 0)) return new Float64Array(nodes);
  const start = reset.map((value) => value / total);
  const out = new Float64Array(nodes);
  for (let n = 0; n < nodes; n++) for (let e = from[n]!; e < from[n + 1]!; e++) out[n]! += weight[e]!;
  let rank = start;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = new Float64Array(nodes);
    let stuck = 0;
    for (let n = 0; n < nodes; n++) {
      const value = rank[n]!;
      if (value === 0) continue;
      if (out[n] === 0) stuck += value;
      else for (let e = from[n]!; e < from[n + 1]!; e++) next[to[e]!]! += (value * weight[e]!) / out[n]!;
    }
    let change = 0;
    for (let n = 0; n < nodes; n++) {
      // A walk that cannot go on begins anew.
      next[n] = damping * (next[n]! + stuck * start[n]!) + (1 - damping) * start[n]!;
      change += Math.abs(next[n]! - rank[n]!);
    }
    rank = next;
    if (change < SETTLED) break;
  }
  return rank;
}
