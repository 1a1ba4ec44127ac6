import type { EntryName, FromEngine, ToEngine } from './messages.ts';

/** A process as main holds it: Electron's UtilityProcess, as far as it is used here. */
export interface Child {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
}

/** Main's side of the engine's children: starts them and passes messages through, unread. */
export class RelayedChildren {
  readonly #fork: (entry: EntryName) => Child;
  readonly #send: (message: ToEngine) => void;
  readonly #children = new Map<number, Child>();

  constructor(fork: (entry: EntryName) => Child, send: (message: ToEngine) => void) {
    this.#fork = fork;
    this.#send = send;
  }

  /** Takes what the engine says; anything that is not about children is ignored. */
  receive(message: FromEngine): void {
    if (message.type === 'start-child') this.#start(message.child, message.entry);
    else if (message.type === 'tell-child') this.#children.get(message.child)?.postMessage(message.message);
    else if (message.type === 'end-child') this.#children.get(message.child)?.kill();
  }

  /** The engine is gone: its children have nobody to work for. */
  endAll(): void {
    for (const child of this.#children.values()) child.kill();
    this.#children.clear();
  }

  #start(number: number, entry: EntryName): void {
    const child = this.#fork(entry);
    this.#children.set(number, child);
    child.on('message', (message) => this.#send({ type: 'child-says', child: number, message }));
    child.once('exit', (code) => {
      // Ended with the engine: there is no one left to tell.
      if (this.#children.delete(number)) this.#send({ type: 'child-ended', child: number, code });
    });
  }
}
