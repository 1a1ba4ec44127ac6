import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './files.ts';

/** Takes a folder out of its place in one step, so that it is never seen half removed. */
export async function discard(folder: string, trash: string): Promise<boolean> {
  await mkdir(trash, { recursive: true });
  try {
    await rename(folder, join(trash, `${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}`));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export async function emptyTrash(trash: string): Promise<void> {
  try {
    for (const name of await readdir(trash)) await rm(join(trash, name), { recursive: true, force: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
