import { type Footage, roughTime } from './examine.ts';

/** Files of one continuous take, in chapter order. */
export interface Take {
  /** Identity of the take among its camera's files, by which late chapters find their recording. */
  key: string;
  chapters: Footage[];
}

/** Only these cameras split one take over files and say so in their names. */
const CHAPTERED = new Set(['gopro', 'insta360']);
/** Longest take believed; chapters farther apart than this belong to a counter that was reset. */
const LONGEST_TAKE_MS = 24 * 3_600_000;
/** Chapters in different folders must share their creation_time or follow on within this, ms. */
const FOLLOWS_ON_MS = 60_000;
const SAME_TAG_MS = 2000;

/** "gopro:0042": the part of a take key that the name alone gives; null for files without takes. */
export function takePrefix(footage: Footage): string | null {
  const { family, take } = footage.named;
  return take !== null && CHAPTERED.has(family) ? `${family}:${take}:` : null;
}

/** Chapters of one take share picture size and codec; two cameras that use one name often do not. */
export function takeKey(footage: Footage): string {
  const prefix = takePrefix(footage);
  if (prefix === null) return `${footage.family}:${footage.id}`;
  const { video } = footage.media;
  const picture = video ? `${video.codec}:${video.width}x${video.height}` : 'none';
  return `${prefix}${picture}`;
}

/**
 * Puts the files of one take together: by the camera's numbers, never by how names sort. Two cameras that use the same
 * name stay apart (folder, time, picture), a take that goes on in the card's next folder stays together.
 */
export function groupTakes(footage: readonly Footage[]): Take[] {
  const byKey = new Map<string, Footage[]>();
  for (const one of footage) {
    const key = takeKey(one);
    byKey.set(key, [...(byKey.get(key) ?? []), one]);
  }
  const takes: Take[] = [];
  for (const [key, files] of byKey) {
    for (const chapters of splitIntoTakes(files)) takes.push({ key, chapters });
  }
  return takes;
}

function splitIntoTakes(files: readonly Footage[]): Footage[][] {
  const ordered = [...files].sort(
    (a, b) =>
      a.named.chapter - b.named.chapter ||
      roughTime(a) - roughTime(b) ||
      (a.file.path < b.file.path ? -1 : 1),
  );
  const takes: Footage[][] = [];
  // First within each folder, where a card keeps a take; what is left may follow on from another folder.
  for (const one of ordered) {
    const home = takes.find((take) => take[0]!.file.folder === one.file.folder && accepts(take, one));
    if (home) home.push(one);
    else takes.push([one]);
  }
  for (let i = 0; i < takes.length; i += 1) {
    for (let j = takes.length - 1; j > i; j -= 1) {
      if (!continues(takes[i]!, takes[j]!)) continue;
      takes[i]!.push(...takes[j]!);
      takes[i]!.sort((a, b) => a.named.chapter - b.named.chapter);
      takes.splice(j, 1);
    }
  }
  return takes;
}

function accepts(take: readonly Footage[], one: Footage): boolean {
  return (
    take.every((other) => other.named.chapter !== one.named.chapter) &&
    Math.abs(roughTime(take[0]!) - roughTime(one)) <= LONGEST_TAKE_MS
  );
}

/** Whether chapters found in another folder are surely of this take: numbers fit, and the time does to the minute. */
function continues(take: readonly Footage[], other: readonly Footage[]): boolean {
  if (!other.every((one) => accepts(take, one))) return false;
  return take.some((a) =>
    other.some((b) => {
      const [first, second] = a.named.chapter < b.named.chapter ? [a, b] : [b, a];
      if (second.named.chapter !== first.named.chapter + 1) return false;
      const apart = roughTime(second) - roughTime(first);
      return Math.abs(apart) <= SAME_TAG_MS || Math.abs(apart - first.media.durationMs) <= FOLLOWS_ON_MS;
    }),
  );
}
