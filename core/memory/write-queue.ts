import { Turns } from '../../models/turns.ts';

/** Tries a write again when another handle committed in between. */
const CONFLICT = /commit conflict|concurrent|retryable/i;
const CONFLICT_TRIES = 4;
const CONFLICT_WAIT_MS = 60;

/** One writer: jobs run one after the other, in the order they came, whatever happened to the one before. */
export class WriteQueue {
  readonly #turns = new Turns();

  /** Runs `job` after those before it; a commit conflict is tried again a few times. */
  run<T>(job: () => Promise<T>): Promise<T> {
    return this.#turns.take(() => withRetries(job));
  }

  /** Resolves when everything asked for so far is done. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }
}

async function withRetries<T>(job: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await job();
    } catch (error) {
      if (attempt >= CONFLICT_TRIES || !CONFLICT.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, CONFLICT_WAIT_MS * attempt));
    }
  }
}
