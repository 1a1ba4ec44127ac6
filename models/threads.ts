import { availableParallelism } from 'node:os';

/** Threads of one operator: half of the cores, since frames are read and searches answered on the others. */
export function sessionThreads(cores = availableParallelism()): number {
  return Math.max(1, Math.floor(cores / 2));
}
