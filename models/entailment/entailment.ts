/** A text and a sentence that may follow from it. */
export interface Pair {
  premise: string;
  hypothesis: string;
}

/** Whether the hypothesis follows from the premise, is open, or is contradicted: 0..1 each. */
export interface Entailment {
  entailment: number;
  /** Null where the judge only tells whether it follows. */
  neutral: number | null;
  contradiction: number | null;
}

/** Judges whether sentences follow from texts. */
export interface EntailmentJudge {
  /**
   * @returns one for each pair, in order
   * @throws ModelError run-failed, too-long when a hypothesis leaves no room for a premise, closed; the signal's reason when aborted
   */
  judge(pairs: readonly Pair[], signal?: AbortSignal): Promise<Entailment[]>;
  dispose(): Promise<void>;
}
