import { type FootnoteError, toFootnoteError } from '../contract/errors.ts';
import type { CameraFamily } from '../contract/index.ts';
import { parseTag } from './clock.ts';
import { cameraOf, familyOf, readName } from './families/identify.ts';
import type { NameInfo } from './families/naming.ts';
import { fingerprint } from './fingerprint.ts';
import type { MediaInfo } from './plan.ts';
import { isCutShort, probe } from './probe.ts';
import type { FoundFile } from './scan.ts';

/** A file that can be read as footage. */
export interface Footage {
  file: FoundFile;
  /** Content fingerprint. */
  id: string;
  named: NameInfo;
  media: MediaInfo;
  family: CameraFamily;
  camera: string | null;
  /** Only a first part of it is there. */
  isCut: boolean;
}

/** What asking one file gave: footage, or why it is none. */
export type Examined = { footage: Footage } | { problem: FootnoteError };

/**
 * Asks one file everything the plan needs. What is wrong with it becomes its problem and stops nothing else.
 * @throws FootnoteError CANCELLED, FFMPEG_MISSING
 */
export async function examine(file: FoundFile, options: { signal?: AbortSignal } = {}): Promise<Examined> {
  try {
    const media = await probe(file.path, options);
    const named = readName(file.name);
    return {
      footage: {
        file,
        id: await fingerprint(file.path, options),
        named,
        media,
        family: familyOf(named, media),
        camera: cameraOf(media),
        isCut: await isCutShort(file.path),
      },
    };
  } catch (error) {
    const problem = toFootnoteError(error, 'FILE_UNREADABLE');
    if (problem.code === 'CANCELLED' || problem.code === 'FFMPEG_MISSING') throw problem;
    return { problem };
  }
}

/** The file's own word on its time, epoch ms, only good for comparing files of one camera. */
export function roughTime(footage: Footage): number {
  return parseTag(footage.media.tags.creation_time) ?? footage.file.modifiedMs;
}

/** Runs `work` over items, at most `limit` at once, keeping their order. The first failure ends it. */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
