import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { FootnoteError } from '../contract/errors.ts';

/**
 * Content fingerprint: the first 96 bits of a SHA-256 over the size, the first and last MiB and 16 evenly spaced blocks
 * of 64 KiB. Small files are read whole. Reading all of a 100 GB card only to know whether it was imported before would
 * take longer than importing it; encoded video differs in nearly every block, so two takes that agree in size and in all
 * samples are the same take. What it does not notice is a file changed only between the samples, which no camera does.
 */
const EDGE_BYTES = 1024 * 1024;
const SAMPLE_BYTES = 64 * 1024;
const SAMPLES = 16;
const VERSION = 'footnote-fingerprint-1';

/**
 * Fingerprint of a file by content, never by name or date; reads at most 3 MiB. Sizes beyond 4 GiB are handled.
 * @returns "f" + 24 hex digits
 * @throws FootnoteError FILE_MISSING, FILE_UNREADABLE, CANCELLED
 */
export async function fingerprint(path: string, options: { signal?: AbortSignal } = {}): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const hash = createHash('sha256').update(`${VERSION}\n${size}\n`);
      for (const [start, length] of spans(size)) {
        options.signal?.throwIfAborted();
        const block = Buffer.alloc(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await file.read(block, filled, length - filled, start + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        hash.update(block.subarray(0, filled));
      }
      return `f${hash.digest('hex').slice(0, 24)}`;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (options.signal?.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');
    const missing = (error as { code?: unknown }).code === 'ENOENT';
    throw new FootnoteError(
      missing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      missing
        ? 'The file is not there any more.'
        : 'This file could not be read; the card or the cable may be bad.',
      {},
      { cause: error },
    );
  }
}

/** Parts of a file that count, as [start, length] in bytes, in order. */
function spans(size: number): [number, number][] {
  const sampled = 2 * EDGE_BYTES + SAMPLES * SAMPLE_BYTES;
  if (size <= sampled) return size === 0 ? [] : [[0, size]];
  const inner = size - 2 * EDGE_BYTES - SAMPLE_BYTES;
  const result: [number, number][] = [[0, EDGE_BYTES]];
  for (let n = 0; n < SAMPLES; n += 1) {
    result.push([EDGE_BYTES + Math.floor((inner * n) / (SAMPLES - 1)), SAMPLE_BYTES]);
  }
  result.push([size - EDGE_BYTES, EDGE_BYTES]);
  return result;
}
