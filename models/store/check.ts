import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { ModelFile } from '../catalogue/entry.ts';
import { ModelError } from '../errors.ts';

/** How a file is recognised. */
export type Pin = Pick<ModelFile, 'size' | 'sha256' | 'gitBlob'>;

/** What a file on disk turned out to be. */
export interface Found {
  size: number;
  sha256: string;
}

const POINTER_HEAD = 'version https://git-lfs.github.com/spec/v1';
/** Enough of a file's beginning to tell a page or a pointer from a model. */
export const HEAD_BYTES = 256;

/**
 * What a model file can never begin with: a page that a server or a login portal sent in its place, or the text that stands for a large file
 * in a git repository.
 * @param head the first bytes, HEAD_BYTES are enough
 * @returns what it is instead, in words; null when nothing is wrong
 */
export function impostor(head: Uint8Array): string | null {
  const text = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1').trimStart();
  if (text.startsWith(POINTER_HEAD)) return 'a git pointer, not the file it stands for';
  if (/^<(!doctype|html|\?xml|head|body)/i.test(text)) return 'a web page, not a file of the model';
  return null;
}

async function headOf(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Reads a file through: its size, SHA-256, and git's id of it. */
async function digest(
  path: string,
  signal?: AbortSignal,
): Promise<Found & { gitBlob: (size: number) => string }> {
  const sha256 = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path, {
    ...(signal ? { signal } : {}),
    highWaterMark: 1 << 20,
  })) {
    sha256.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  const hex = sha256.digest('hex');
  return {
    size,
    sha256: hex,
    gitBlob: (bytes) => gitId(`${POINTER_HEAD}\noid sha256:${hex}\nsize ${bytes}\n`),
  };
}

/** Git's id of a blob: SHA-1 of "blob <size>\0" and the content. */
export function gitId(content: string | Buffer): string {
  const hash = createHash('sha1').update(`blob ${Buffer.byteLength(content)}\0`);
  return hash.update(content).digest('hex');
}

/**
 * Reads a file and holds it against its pin.
 * @param name how to call it in an error
 * @throws ModelError wrong-content, with what was found and what was expected
 */
export async function examine(path: string, pin: Pin, name: string, signal?: AbortSignal): Promise<Found> {
  const wrong = (why: string) => new ModelError('wrong-content', `${name} is not what it should be: ${why}.`);
  const instead = impostor(await headOf(path));
  if (instead) throw wrong(`it is ${instead}`);
  const found = await digest(path, signal);
  if (found.size === 0) throw wrong('it is empty');
  if (pin.size !== null && found.size !== pin.size) {
    throw wrong(`it has ${found.size} bytes and should have ${pin.size}`);
  }
  if (pin.sha256 !== null && found.sha256 !== pin.sha256) {
    throw wrong(`its SHA-256 is ${found.sha256} and should be ${pin.sha256}`);
  }
  if (pin.sha256 === null && pin.gitBlob) {
    // Only settings of some kB are kept in git as they are, so reading one again whole costs nothing.
    const id = pin.gitBlob.pointer ? found.gitBlob(found.size) : gitId(await readFile(path));
    if (id !== pin.gitBlob.id) throw wrong(`its git id is ${id} and should be ${pin.gitBlob.id}`);
  }
  if (name.endsWith('.json')) {
    try {
      JSON.parse(await readFile(path, 'utf8'));
    } catch (error) {
      throw new ModelError('wrong-content', `${name} is not what it should be: it is not JSON.`, {
        cause: error,
      });
    }
  }
  return { size: found.size, sha256: found.sha256 };
}
