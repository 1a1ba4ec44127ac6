import { readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Removes copies that a browser handed over and no unfinished import needs: a tab may be closed before its import was asked for.
 * @param needed paths that unfinished imports name
 */
export async function sweepInbox(inboxDir: string, needed: readonly string[]): Promise<void> {
  const batches = await readdir(inboxDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const batch of batches) {
    const folder = join(inboxDir, batch);
    const wanted = needed.some((path) => path === folder || path.startsWith(folder + sep));
    if (!wanted) await rm(folder, { recursive: true, force: true });
  }
}
