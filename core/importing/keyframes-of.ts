import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observation } from '../perception/observation.ts';

/**
 * The stored keyframes of a segment as JPEGs in time order: what a writer looks at when the frames themselves are gone, after a
 * kill. Those that cannot be read are left out.
 * @param dir the recording's keyframe folder
 */
export async function keyframesOf(observation: Observation, dir: string): Promise<Uint8Array[]> {
  const frames = await Promise.all(
    observation.keyframes.map(({ file }) => readFile(join(dir, file)).catch(() => null)),
  );
  return frames.filter((frame) => frame !== null);
}
