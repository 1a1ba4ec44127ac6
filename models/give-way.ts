import { constants, setPriority } from 'node:os';

/**
 * Lets other processes go first: this one does work that nobody waits for. Called before sessions are made and children started, for these
 * take over the priority their process has then (on Linux it belongs to each thread).
 */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A system that forbids it: a question asked meanwhile takes longer, and nothing else changes.
  }
}
