/** Samples a second of the sound it takes. */
export const SPEECH_RATE = 16_000;

/** Something that was said. */
export interface Phrase {
  /** ms from the first sample. */
  startMs: number;
  endMs: number;
  text: string;
  /** Geometric mean of its tokens' probabilities, 0..1. */
  confidence: number;
  /** BCP 47 code of the language heard. */
  language: string;
}

/** Turns speech into words. Replaceable: the name is kept with what it heard. */
export interface SpeechRecogniser {
  readonly name: string;
  /** Of its weights. */
  readonly version: string;
  /**
   * Whether it tells when within the sound each phrase is said. One that does not gives each stretch of sound as one phrase, so it
   * is given one breath at a time.
   */
  readonly timesPhrases: boolean;
  /**
   * Writes down what is said. Give it stretches in which somebody speaks (see `models/voice-activity`): on silence and noise the
   * models invent words, and what is invented in spite of that is left out by their own doubts only.
   * @param samples mono, −1..1, SPEECH_RATE a second, of any length; over 29 s are cut at quiet moments
   * @returns phrases in time order; empty when nothing is said
   * @throws ModelError run-failed; the signal's reason when aborted
   */
  recognise(samples: Float32Array, options?: { signal?: AbortSignal }): Promise<Phrase[]>;
  /** Frees the model's memory once what runs has ended; nothing may be recognised afterwards. */
  dispose(): Promise<void>;
}
