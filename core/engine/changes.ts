import { EventPublisher } from '@orpc/server';

/** At most this often a watcher hears of one thing. */
const QUIET_MS = 200;

/** Latest-value publishing: watchers get the newest state, never a backlog, at most five times a second. */
export class Changes<T extends object> {
  // One value is enough: a watcher that is slow wants the newest state only.
  #publisher = new EventPublisher<Record<string, T>>({ maxBufferedEvents: 1 });
  #waiting = new Map<string, { value: T; timer: NodeJS.Timeout }>();
  #lastMs = new Map<string, number>();

  publish(key: string, value: T): void {
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting.value = value;
      return;
    }
    const dueMs = (this.#lastMs.get(key) ?? 0) + QUIET_MS - Date.now();
    if (dueMs <= 0) {
      this.#send(key, value);
      return;
    }
    const timer = setTimeout(() => {
      const latest = this.#waiting.get(key)!;
      this.#waiting.delete(key);
      this.#send(key, latest.value);
    }, dueMs);
    this.#waiting.set(key, { value, timer });
  }

  #send(key: string, value: T): void {
    this.#lastMs.set(key, Date.now());
    this.#publisher.publish(key, value);
  }

  /** New values of `key` from now on, until the signal aborts. */
  watch(key: string, signal: AbortSignal | undefined): AsyncGenerator<T> {
    return this.#publisher.subscribe(key, signal ? { signal } : {});
  }
}
