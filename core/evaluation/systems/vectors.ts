/** Small exact vector work: streams of a set are thousands of vectors at most. */
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Mean direction of unit vectors, of unit length; null when there are none or they cancel out. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  const first = vectors[0];
  if (!first) return null;
  const sum = new Float32Array(first.length);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((value) => value / length) : null;
}

export interface Scored<T> {
  of: T;
  score: number;
}

/** Best first; equal scores keep the given order, so that results never depend on the sort. */
export function best<T>(items: readonly T[], score: (item: T) => number): Scored<T>[] {
  return items.map((of) => ({ of, score: score(of) })).sort((a, b) => b.score - a.score);
}

/** Values brought to [0, 1]; all 1 when they are equal (EM²Mem's min-max). */
export function minMax(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return values.map((value) => (high > low ? (value - low) / (high - low) : 1));
}

export async function embedQuery(embedder: TextEmbedder, text: string): Promise<Float32Array> {
  return (await embedder.embed([text], 'query'))[0]!;
}
