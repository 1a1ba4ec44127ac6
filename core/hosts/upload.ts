import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FootnoteError, toFootnoteError } from '../contract/errors.ts';

const BATCH = /^[a-z0-9-]{8,64}$/i;
const MAX_NAME = 255;

/**
 * Turns the relative path a browser gives into path parts inside a batch's folder.
 * @throws FootnoteError BAD_REQUEST for anything that would leave the folder or cannot be a file name
 */
export function safeParts(relative: string): string[] {
  const parts = relative.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  const bad =
    parts.length === 0 ||
    parts.length > 32 ||
    parts.some((part) => part === '..' || part.includes('\0') || Buffer.byteLength(part) > MAX_NAME);
  if (bad) throw new FootnoteError('BAD_REQUEST', 'This file name cannot be taken.');
  return parts;
}

/**
 * Streams one dropped file's bytes into the library's inbox. A browser does not tell where a dropped file lies, so here,
 * and only here, a copy is made; it is removed when its import has ended.
 * @returns the path to import
 */
export async function receiveUpload(
  inboxDir: string,
  batch: string,
  relative: string,
  request: IncomingMessage,
): Promise<string> {
  if (!BATCH.test(batch)) throw new FootnoteError('BAD_REQUEST', 'This upload has no valid batch.');
  const path = join(inboxDir, batch, ...safeParts(relative));
  if (!path.startsWith(join(inboxDir, batch) + sep))
    throw new FootnoteError('BAD_REQUEST', 'This file name cannot be taken.');
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  try {
    await pipeline(request, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new FootnoteError('BAD_REQUEST', 'This file was handed over already.');
    await rm(path, { force: true });
    throw toFootnoteError(error);
  }
  return path;
}
