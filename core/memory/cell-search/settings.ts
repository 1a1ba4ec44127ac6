/** Where the paper and its released code differ, or a part can be left out to be measured. */
export interface CellSettings {
  /** Context views take part. */
  views: boolean;
  /** Labels and triples of the episodic graph take part in the ranking. */
  graph: boolean;
  /** One hop over "before" and over shared entities. */
  expansion: boolean;
  /** Facts: left out; only in the roles (released code); or as a score of their own that can add candidates (the paper). */
  semantic: 'off' | 'roles' | 'candidates';
  /** First and last of what was asked for are told apart by time. */
  order: boolean;
  /** What a unit starts from: fused words and meaning, or the cosine alone (released code). */
  base: 'fused' | 'cosine';
  /**
   * How units give to their episodes. `rank`: score/(rank + 1) of one list over all scales (released code). `score`: an episode keeps its
   * own score, and adds from each scale the best of its views, by weight and `viewShare`.
   */
  projection: 'rank' | 'score';
  /** Parts of a view's, a neighbour's and a fact's score beside an episode's own, with the `score` projection. */
  viewShare: number;
  hopShare: number;
  factShare: number;
  /** Factor on the weights of word overlap; 1 as in the released code. */
  overlapShare: number;
}

/** The released code, as far as it can be without its language models. */
export const AS_RELEASED: CellSettings = {
  views: true,
  graph: true,
  expansion: true,
  semantic: 'roles',
  order: false,
  base: 'cosine',
  projection: 'rank',
  viewShare: 1,
  hopShare: 1,
  factShare: 0,
  overlapShare: 1,
};

/**
 * What core/evaluation/cell-retrieval.ts found best, or not worse, on the development sets: words and meaning fused as a base, an event's
 * own score kept, a little of its views', no hop; see docs/decisions.md.
 */
export const CELL_SETTINGS: CellSettings = {
  views: true,
  graph: true,
  expansion: false,
  semantic: 'candidates',
  order: true,
  base: 'fused',
  projection: 'score',
  viewShare: 0.05,
  hopShare: 0.2,
  factShare: 0.2,
  overlapShare: 0.5,
};
