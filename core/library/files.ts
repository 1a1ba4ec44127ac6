import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads and parses a JSON file; null when it does not exist. @throws SyntaxError when it is not JSON */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Bytes and files below a folder; zero when it does not exist. */
export async function folderSize(dir: string): Promise<{ bytes: number; files: number }> {
  let bytes = 0;
  let files = 0;
  let entries: import('node:fs').Dirent[];
  try {
    entries = await readdir(dir, { withFileTypes: true, recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { bytes, files };
    throw error;
  }
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    try {
      bytes += (await stat(join(entry.parentPath, entry.name))).size;
      files += 1;
    } catch (error) {
      // Compaction and forgetting remove files while we count.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return { bytes, files };
}
