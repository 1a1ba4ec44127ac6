/** Pictures and texts to vectors of one space: a text is near the pictures that it is true of. */
export interface PictureEmbedder {
  /** Stable name with version, stored beside the vectors. */
  readonly name: string;
  /** Vector length. */
  readonly dims: number;
  /**
   * @param jpegs any number of encoded pictures, of any size
   * @returns one unit-length Float32Array of `dims` numbers a picture, in order; null for bytes that are no picture
   * @throws ModelError load-failed, run-failed, process-died, timed-out, closed; the signal's reason when aborted
   */
  embedImages(jpegs: readonly Uint8Array[], signal?: AbortSignal): Promise<(Float32Array | null)[]>;
  /**
   * @param texts any number of texts; longer ones are cut at the model's limit
   * @returns one unit-length Float32Array of `dims` numbers a text, in order
   * @throws as `embedImages`
   */
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}
