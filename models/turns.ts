/** Work that must not overlap: each piece begins when the one before has ended, however that ended. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after what was asked for before; its failure belongs to this caller alone. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything asked for so far has ended; never fails. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
