/** One row that a channel returned, with that channel's own measure (higher is better). */
export interface Hit {
  id: string;
  startMs: number;
  value: number;
}

/** Scores nearer than this are one score: identical texts differ by rounding alone. */
const SAME = 1e-5;

const PICTURES_OFF: PictureSetting = { weight: 0, full: 1 };

/** A row with what both channels say of it; null where the channel did not return it. */
export interface FusedHit {
  id: string;
  startMs: number;
  /** In (0, 1]; the best possible is 1. Ranks within one search; see `cosine` and `textScore` for absolute measures. */
  score: number;
  cosine: number | null;
  textScore: number | null;
  /** How clearly its best keyframe looks like what is asked for, and which that is; null where the picture channel did not return it. */
  picture: { strength: number; n: number } | null;
}

/** How two channels become one ranking. */
export interface FusionSetting {
  /** Weight of the vector channel, 0 to 1; the text channel has the rest. */
  vectorWeight: number;
}

/** How the picture channel is added to the ranking of the other two. */
export interface PictureSetting {
  /** What a picture that counts in full adds, where the best text match is 1. */
  weight: number;
  /** Strength from which a picture counts in full. */
  full: number;
}

/**
 * Weighted fusion of normalised scores: BM25 is divided by the best of this search, a cosine is placed between the
 * weakest and the best of this search's vector hits, and both are summed by weight. Ranks alone (RRF) would let a weak
 * vector channel outvote a strong text match; scores keep how clear a match is.
 *
 * Pictures are added on top. The nearest picture exists whatever is asked for, so theirs is not placed between the weakest and the best
 * of a search: a strength of 0 or less adds nothing, and then the ranking is that of the text alone.
 * @param text full-text hits, BM25
 * @param vector vector hits, cosine
 * @param pictures episodes by their nearest keyframe; none without an image model
 * @returns best first; of equal ones (the same thing done again) the later first, so that the order never depends on the store's
 */
export function fuse(
  text: readonly Hit[],
  vector: readonly Hit[],
  setting: FusionSetting,
  pictures: readonly (Hit & { n: number })[] = [],
  pictureSetting: PictureSetting = PICTURES_OFF,
): FusedHit[] {
  const byId = new Map<string, Omit<FusedHit, 'score'>>();
  for (const { id, startMs, value } of text) {
    byId.set(id, { id, startMs, cosine: null, textScore: value, picture: null });
  }
  for (const { id, startMs, value } of vector) {
    byId.set(id, { id, startMs, cosine: value, textScore: byId.get(id)?.textScore ?? null, picture: null });
  }
  for (const { id, startMs, value, n } of pictures) {
    const known = byId.get(id);
    if (!known && value <= 0) continue;
    const others = known ?? { id, startMs, cosine: null, textScore: null };
    byId.set(id, { ...others, picture: { strength: value, n } });
  }
  const bestText = Math.max(0, ...text.map((hit) => hit.value));
  const cosines = vector.map((hit) => hit.value);
  const bestCosine = Math.max(...cosines);
  const spread = bestCosine - Math.min(...cosines);
  const whole = pictures.some(({ value }) => value > 0) ? 1 + pictureSetting.weight : 1;
  const fused = [...byId.values()].map((hit) => {
    const textPart = hit.textScore !== null && bestText > 0 ? hit.textScore / bestText : 0;
    const vectorPart = hit.cosine === null ? 0 : spread > 0 ? 1 - (bestCosine - hit.cosine) / spread : 1;
    const picturePart = Math.min(1, Math.max(0, (hit.picture?.strength ?? 0) / pictureSetting.full));
    const words = (1 - setting.vectorWeight) * textPart + setting.vectorWeight * vectorPart;
    const score = (words + pictureSetting.weight * picturePart) / whole;
    return { ...hit, score: Math.min(1, Math.max(Number.EPSILON, score)) };
  });
  return fused.sort(
    (a, b) =>
      Math.round(b.score / SAME) - Math.round(a.score / SAME) ||
      b.startMs - a.startMs ||
      (a.id < b.id ? 1 : -1),
  );
}
