const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A process that lived this long was well: the next failure is counted as the first. */
const WELL_AFTER_MS = 60_000;

/** How long to wait before a process that died is started again: doubled each time, forgotten once it lives. */
export class Restarts {
  #failures = 0;

  /**
   * @param livedMs how long the process ran
   * @returns ms to wait
   */
  after(livedMs: number): number {
    this.#failures = livedMs >= WELL_AFTER_MS ? 1 : this.#failures + 1;
    return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1));
  }
}
