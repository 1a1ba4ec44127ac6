/** One row that a channel returned, with that channel's own measure (higher is better). */
export interface Hit {
  id: string;
  startMs: number;
  value: number;
}

/** Scores nearer than this are one score: identical texts differ by rounding alone. */
const SAME = 1e-5;

/** A row with what both channels say of it; null where the channel did not return it. */
export interface FusedHit {
  id: string;
  startMs: number;
  /** In (0, 1]; the best possible is 1. Ranks within one search; see `cosine` and `textScore` for absolute measures. */
  score: number;
  cosine: number | null;
  textScore: number | null;
}

/** How two channels become one ranking. */
export interface FusionSetting {
  /** Weight of the vector channel, 0 to 1; the text channel has the rest. */
  vectorWeight: number;
}

/**
 * Weighted fusion of normalised scores: BM25 is divided by the best of this search, a cosine is placed between the
 * weakest and the best of this search's vector hits, and both are summed by weight. Ranks alone (RRF) would let a weak
 * vector channel outvote a strong text match; scores keep how clear a match is.
 * @param text full-text hits, BM25
 * @param vector vector hits, cosine
 * @returns best first; of equal ones (the same thing done again) the later first, so that the order never depends on the store's
 */
export function fuse(text: readonly Hit[], vector: readonly Hit[], setting: FusionSetting): FusedHit[] {
  const byId = new Map<string, Omit<FusedHit, 'score'>>();
  for (const { id, startMs, value } of text) byId.set(id, { id, startMs, cosine: null, textScore: value });
  for (const { id, startMs, value } of vector) {
    byId.set(id, { id, startMs, cosine: value, textScore: byId.get(id)?.textScore ?? null });
  }
  const bestText = Math.max(0, ...text.map((hit) => hit.value));
  const cosines = vector.map((hit) => hit.value);
  const bestCosine = Math.max(...cosines);
  const spread = bestCosine - Math.min(...cosines);
  const fused = [...byId.values()].map((hit) => {
    const textPart = hit.textScore !== null && bestText > 0 ? hit.textScore / bestText : 0;
    const vectorPart = hit.cosine === null ? 0 : spread > 0 ? 1 - (bestCosine - hit.cosine) / spread : 1;
    const score = (1 - setting.vectorWeight) * textPart + setting.vectorWeight * vectorPart;
    return { ...hit, score: Math.min(1, Math.max(Number.EPSILON, score)) };
  });
  return fused.sort(
    (a, b) =>
      Math.round(b.score / SAME) - Math.round(a.score / SAME) ||
      b.startMs - a.startMs ||
      (a.id < b.id ? 1 : -1),
  );
}
