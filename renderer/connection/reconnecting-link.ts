import type { ClientContext, ClientLink, ClientOptions } from '@orpc/client';

/** One open way to the engine, and when it ends. */
export type Session = { link: ClientLink<ClientContext>; closed: Promise<void> };

/** `waiting` before the first session, `open` while there is one, `lost` when it ended or cannot be had. */
export type ConnectionState = 'waiting' | 'open' | 'lost';

export type LinkDoors = {
  /** Opens a session; rejects when the engine cannot be reached. */
  connect: () => Promise<Session>;
  /** Resolves after so many ms. */
  wait: (ms: number) => Promise<void>;
};

/** A call that the lost connection took with it. The call may or may not have been carried out. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection to the engine ended.');
    this.name = 'ConnectionLost';
  }
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** Wait before the n-th try in a row (from 1): doubled each time, at most five seconds. */
export function backOff(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1));
}

/**
 * A link that outlives the engine's process: calls made while nothing is open wait for the next session, calls in flight
 * when a session ends fail with ConnectionLost, and a new session is opened for as long as the page lives.
 */
export class ReconnectingLink implements ClientLink<ClientContext> {
  readonly #doors: LinkDoors;
  readonly #listeners = new Set<(state: ConnectionState) => void>();
  #state: ConnectionState = 'waiting';
  #session: Session | null = null;
  #waiting: Array<() => void> = [];
  #stopped = false;

  constructor(doors: LinkDoors) {
    this.#doors = doors;
  }

  /** Tells the listener the state now and at every change. @returns a function that ends it */
  onState(listener: (state: ConnectionState) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#state);
    return () => this.#listeners.delete(listener);
  }

  /** Opens sessions until `stop`. */
  async run(): Promise<void> {
    let failures = 0;
    while (!this.#stopped) {
      try {
        const session = await this.#doors.connect();
        failures = 0;
        this.#session = session;
        this.#enter('open');
        for (const wake of this.#waiting.splice(0)) wake();
        await session.closed;
      } catch {
        failures += 1;
      }
      this.#session = null;
      if (this.#stopped) return;
      this.#enter('lost');
      await this.#doors.wait(backOff(failures));
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  async call(
    path: readonly string[],
    input: unknown,
    options: ClientOptions<ClientContext>,
  ): Promise<unknown> {
    const session = await this.#open(options.signal);
    try {
      return await Promise.race([
        session.link.call(path, input, options),
        session.closed.then(() => {
          throw new ConnectionLost();
        }),
      ]);
    } catch (error) {
      throw session === this.#session || options.signal?.aborted ? error : new ConnectionLost();
    }
  }

  #open(signal: AbortSignal | undefined): Promise<Session> {
    if (this.#session) return Promise.resolve(this.#session);
    return new Promise((resolve, reject) => {
      const wake = () => {
        signal?.removeEventListener('abort', give);
        if (this.#session) resolve(this.#session);
        else reject(new ConnectionLost());
      };
      const give = () => {
        this.#waiting = this.#waiting.filter((other) => other !== wake);
        reject(signal?.reason);
      };
      this.#waiting.push(wake);
      signal?.addEventListener('abort', give, { once: true });
    });
  }

  #enter(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
