import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ModelError } from '../errors.ts';
import { isMissing } from './files.ts';

/** Left free on the disk beyond what a model takes, bytes: other programs need some too. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** Bytes that must be free on a disk for so many bytes of a model. */
export function roomFor(bytes: number): number {
  return bytes + SPARE_BYTES;
}

/** @throws ModelError no-space when a folder's disk has no room for so many bytes */
export async function needRoom(
  freeBytes: (folder: string) => Promise<number>,
  folder: string,
  bytes: number,
): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= roomFor(bytes)) return;
  const mb = (n: number) => Math.ceil(n / 1e6);
  throw new ModelError(
    'no-space',
    `The model needs ${mb(roomFor(bytes))} MB of disk and ${mb(free)} MB are free. Free some space and try again; what has arrived is kept.`,
  );
}

/** Bytes free on a folder's disk. */
export async function freeOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Bytes free where a folder is, or will be. */
export async function freeWhere(folder: string, ask: (folder: string) => Promise<number>): Promise<number> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      return await ask(at);
    } catch (error) {
      if (!isMissing(error) || dirname(at) === at) throw error;
    }
  }
}
