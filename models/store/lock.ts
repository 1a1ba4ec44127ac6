import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';

/** A lock not renewed for so long belongs to a process that is gone; the holder renews it every second. */
const STALE_MS = 6_000;
const RENEW_MS = 1_000;
const ASK_AGAIN_MS = 250;

/**
 * Runs `act` while no other process does anything under the same lock, waiting for it as long as need be.
 * @param path of the lock itself
 * @param onWait called once when another process holds it
 * @param act gets a signal that also fires when the lock was lost (this machine slept too long and another process went on)
 */
export async function withLock<T>(
  path: string,
  signal: AbortSignal,
  onWait: () => void,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const lost = new AbortController();
  let release: (() => Promise<void>) | null = null;
  for (let waited = false; !release; ) {
    signal.throwIfAborted();
    try {
      release = await lockfile.lock(path, {
        lockfilePath: path,
        realpath: false,
        stale: STALE_MS,
        update: RENEW_MS,
        onCompromised: (error) => lost.abort(error),
      });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ELOCKED') throw error;
      if (!waited) onWait();
      waited = true;
      await sleep(ASK_AGAIN_MS, undefined, { signal });
    }
  }
  try {
    return await act(AbortSignal.any([signal, lost.signal]));
  } finally {
    // A lost lock is not ours to give back.
    if (!lost.signal.aborted) await release();
  }
}
