import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Moves a finished file to its place so that after a power cut it is there whole or not at all.
 * @param from on the same disk as `to`
 */
export async function settleFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await syncPath(from, 'r+');
  await rename(from, to);
  // A folder cannot be opened on Windows, where a rename is safe without it.
  if (process.platform !== 'win32') await syncPath(dirname(to), 'r');
}

async function syncPath(path: string, flags: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
