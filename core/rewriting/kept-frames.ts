import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Episode } from '../contract/index.ts';
import { FRAME_MS, openDecode } from '../footage/decode.ts';
import { colourMatrix } from '../footage/picture-filter.ts';
import { probe } from '../footage/probe.ts';
import type { Library } from '../library/library.ts';
import { clipFrame } from '../redaction/clip-frame.ts';
import { jpegOf } from '../redaction/keyframes.ts';
import { frameOffsets } from '../segments/segments.ts';

/**
 * The frames a writer looks at, from what the library keeps of a segment: at each sample instant the keyframe where there is one, else the
 * redacted clip's picture of it. The original is not needed.
 * @returns JPEGs in time order; empty when nothing that is kept can be read
 * @throws FootnoteError CANCELLED when the signal aborts
 */
export async function keptFrames(
  library: Library,
  episode: Episode,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const samples = frameOffsets(episode.endMs - episode.startMs);
  const frames = new Map<number, Uint8Array>();
  for (const { atMs, file } of episode.keyframes) {
    const jpeg = await readFile(join(library.keyframesDir(episode.recordingId), file)).catch(() => null);
    if (jpeg) frames.set(nearest(samples, atMs - episode.startMs), jpeg);
  }
  if (episode.clip !== null && frames.size < samples.length) {
    const path = join(library.clipsDir(episode.recordingId), episode.clip);
    for (const [n, jpeg] of await clipFrames(path, samples, signal)) {
      if (!frames.has(n)) frames.set(n, jpeg);
    }
  }
  return [...frames].sort(([a], [b]) => a - b).map(([, jpeg]) => jpeg);
}

function nearest(samples: readonly number[], offsetMs: number): number {
  const apart = samples.map((sample) => Math.abs(sample - offsetMs));
  return apart.indexOf(Math.min(...apart));
}

/** A clip's pictures at offsets, by their place in the list; those a clip that cannot be read does not give are left out. */
export async function clipFrames(
  path: string,
  offsets: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>();
  try {
    const picture = await probe(path);
    if (!picture.video) return found;
    const matrix = colourMatrix(picture.video);
    const request = { picture, toneMap: false, sound: null, fromMs: 0, signal, onSound: () => undefined };
    const decode = openDecode(request);
    const last = Math.round(offsets.at(-1)! / FRAME_MS);
    let index = 0;
    for await (const pixels of decode.frames()) {
      const n = offsets.findIndex((offset) => Math.round(offset / FRAME_MS) === index);
      if (n >= 0) found.set(n, await jpegOf(clipFrame(index, pixels, decode.width, decode.height), matrix));
      index += 1;
      if (index > last) break;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    // The keyframes remain.
  }
  return found;
}
