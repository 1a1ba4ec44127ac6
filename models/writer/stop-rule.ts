import { StoppingCriteria } from '@huggingface/transformers';

/**
 * Ends a generation between two tokens: when the caller aborts, or at an instant. The library has no such rule of its own
 * (its time limit is accepted and ignored).
 */
export class StopRule extends StoppingCriteria {
  /** What ended the generation; null when it ended by itself. */
  reason: 'abort' | 'deadline' | null = null;
  readonly #signal: AbortSignal;
  readonly #deadline: number;

  /** @param deadline on the clock of performance.now(), ms */
  constructor(signal: AbortSignal, deadline: number) {
    super();
    this.#signal = signal;
    this.#deadline = deadline;
  }

  override _call(sequences: number[][]): boolean[] {
    if (this.#signal.aborted) this.reason = 'abort';
    else if (performance.now() >= this.#deadline) this.reason = 'deadline';
    return sequences.map(() => this.reason !== null);
  }
}
