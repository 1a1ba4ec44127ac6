import { availableParallelism } from 'node:os';

/** The store keeps this many cores for reading and computes on the others. */
const CORES_KEPT_FOR_READING = 2;

/** With a single thread to compute on, building a full-text index over some ten thousand rows never ends (LanceDB 0.31). */
const THREADS_MIN = 2;

/** Gives the store enough threads on a small machine. It reads this once, at its first work: call before connecting. */
export function ensureStoreThreads(): void {
  if (availableParallelism() - CORES_KEPT_FOR_READING >= THREADS_MIN) return;
  process.env.LANCE_CPU_THREADS ??= String(THREADS_MIN);
}
