import { setPriority } from 'node:os';

/**
 * A little below normal (Windows knows no finer step than that): about a third of a core while others want it. Far below, an import would
 * stand still beside anything else that is busy.
 */
const A_LITTLE_LOWER = 4;

/**
 * Lets other processes go first: this one does work that nobody waits for. Called before sessions are made and children started, for these
 * take over the priority their process has then (on Linux it belongs to each thread).
 */
export function giveWay(): void {
  try {
    setPriority(A_LITTLE_LOWER);
  } catch {
    // A system that forbids it: a question asked meanwhile takes longer, and nothing else changes.
  }
}
