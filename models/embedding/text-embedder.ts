/** Text to vectors. Every embedder is replaceable: its name and size are stored with what it embedded. */
export interface TextEmbedder {
  /** Stable name with version, stored beside the vectors ("footnote-static-1"). */
  readonly name: string;
  /** Vector length. */
  readonly dims: number;
  /**
   * @param texts any number of texts, each of any length (longer ones are cut at the model's limit)
   * @param kind some models embed questions and passages differently
   * @returns one unit-length Float32Array of `dims` numbers a text, in order
   */
  embed(texts: readonly string[], kind: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]>;
}

/** One that holds a session of its own. */
export interface ClosableEmbedder extends TextEmbedder {
  /** Frees the session; nothing may be embedded afterwards. */
  dispose(): Promise<void>;
}
