import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomic } from '../durable-file.ts';
import { ModelError } from '../errors.ts';

/** A path of the catalogue (with `/`) below a folder. */
export function below(folder: string, path: string): string {
  return join(folder, ...path.split('/'));
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Turns a failed read or write into what it means to a person; anything else is passed on. */
export function storeError(error: unknown, what: string): unknown {
  if (error instanceof ModelError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ModelError(
      'no-space',
      'The disk is full. Free some space and try again; what has arrived is kept.',
      {
        cause: error,
      },
    );
  }
  if (typeof code === 'string' && code.startsWith('E')) {
    return new ModelError('store-failed', `${what} (${code}).`, { cause: error });
  }
  return error;
}

/** Size in bytes of a regular file; null when there is none. */
export async function fileSize(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes JSON so that a reader sees the old content or the new, never a part. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeAtomic(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Reads a JSON file; null when it is missing or no JSON. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Bytes of all files below a folder; 0 when it does not exist.
 * @param ending only files whose names end so
 */
export async function bytesBelow(folder: string, ending = ''): Promise<number> {
  let bytes = 0;
  try {
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
      if (entry.isFile() && entry.name.endsWith(ending))
        bytes += (await fileSize(join(entry.parentPath, entry.name))) ?? 0;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return bytes;
}
