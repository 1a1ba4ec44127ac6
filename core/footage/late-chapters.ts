import type { Recording } from '../contract/index.ts';
import type { Footage } from './examine.ts';
import { type Take, takePrefix } from './takes.ts';

/** Chapters that arrive later belong to a recording at most this far from their own time. */
const NEAR_MS = 24 * 3_600_000;
/** A low-resolution copy and its master are equally long to within this. */
const SAME_LENGTH_MS = 1500;
const PROXY_NAME = /\.lr[vf]$/i;

/**
 * The recording in the library that these chapters belong to: one that already holds a chapter of the take, else one of
 * the same take key whose chapter numbers leave room, nearest in time.
 * @param startMs where the take's own clock puts it, epoch ms
 */
export function findJoin(
  take: Take,
  startMs: number,
  known: readonly Recording[],
  knownChapters: ReadonlyMap<string, { recordingId: string; path: string }>,
): Recording | null {
  const ids = new Set(take.chapters.map((chapter) => chapter.id));
  const holders = new Set(
    take.chapters.flatMap((chapter) => knownChapters.get(chapter.id)?.recordingId ?? []),
  );
  const holder = known.find(
    (recording) => holders.has(recording.id) || recording.chapters.some((chapter) => ids.has(chapter.id)),
  );
  if (holder) return holder;
  if (takePrefix(take.chapters[0]!) === null) return null;
  const distance = (recording: Recording) =>
    Math.min(Math.abs(recording.startMs - startMs), Math.abs(recording.endMs - startMs));
  const candidates = known.filter(
    (recording) =>
      recording.takeKey === take.key &&
      distance(recording) <= NEAR_MS &&
      !recording.chapters.some((chapter) =>
        take.chapters.some((one) => one.named.chapter === chapter.number),
      ),
  );
  candidates.sort((a, b) => distance(a) - distance(b));
  return candidates[0] ?? null;
}

/**
 * The chapter in the library that was read from this file's counterpart: the master of a low-resolution copy, or the copy
 * of a master. Null when there is none.
 */
export function findCounterpart(
  footage: Footage,
  known: readonly Recording[],
): { recording: Recording; path: string } | null {
  const prefix = takePrefix(footage);
  if (prefix === null) return null;
  const isProxy = footage.named.role === 'proxy';
  for (const recording of known) {
    if (!recording.takeKey.startsWith(prefix)) continue;
    for (const chapter of recording.chapters) {
      if (
        chapter.number === footage.named.chapter &&
        PROXY_NAME.test(chapter.path) !== isProxy &&
        Math.abs(chapter.durationMs - footage.media.durationMs) <= SAME_LENGTH_MS
      ) {
        return { recording, path: chapter.path };
      }
    }
  }
  return null;
}
