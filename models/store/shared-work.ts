/** Work that several callers wait for: done once, told to all, stopped when the last of them gives up. */
export class SharedWork<P> {
  readonly #running = new Map<string, Running<P>>();

  /**
   * Joins the work of this key, beginning it when nobody has.
   * @param work gets a signal that fires when all callers have given up
   * @throws the signal's reason when this caller gives up; what the work threw otherwise
   */
  join(
    key: string,
    signal: AbortSignal | undefined,
    onProgress: ((progress: P) => void) | undefined,
    work: (signal: AbortSignal, tell: (progress: P) => void) => Promise<void>,
  ): Promise<void> {
    signal?.throwIfAborted();
    const running = this.#running.get(key) ?? this.#begin(key, work);
    running.callers += 1;
    if (onProgress) running.listeners.add(onProgress);
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        running.callers -= 1;
        if (onProgress) running.listeners.delete(onProgress);
        if (running.callers > 0) {
          reject(signal?.reason);
          return;
        }
        // Later callers begin anew rather than join what is being stopped.
        if (this.#running.get(key) === running) this.#running.delete(key);
        running.abort.abort(signal?.reason);
        // The work puts its house in order first: when this settles, nothing writes any more.
        const given = () => reject(signal?.reason);
        running.done.then(given, given);
      };
      signal?.addEventListener('abort', leave, { once: true });
      running.done.then(
        () => {
          signal?.removeEventListener('abort', leave);
          if (!signal?.aborted) resolve();
        },
        (error: unknown) => {
          signal?.removeEventListener('abort', leave);
          if (!signal?.aborted) reject(error);
        },
      );
    });
  }

  #begin(key: string, work: (signal: AbortSignal, tell: (progress: P) => void) => Promise<void>): Running<P> {
    const abort = new AbortController();
    const listeners = new Set<(progress: P) => void>();
    // Begun a moment later, when the first caller listens.
    const begun = Promise.resolve().then(() =>
      work(abort.signal, (progress) => {
        for (const listener of listeners) listener(progress);
      }),
    );
    const done = begun.finally(() => {
      if (this.#running.get(key)?.abort === abort) this.#running.delete(key);
    });
    const running: Running<P> = { abort, listeners, done, callers: 0 };
    this.#running.set(key, running);
    return running;
  }
}

interface Running<P> {
  abort: AbortController;
  listeners: Set<(progress: P) => void>;
  done: Promise<void>;
  callers: number;
}
