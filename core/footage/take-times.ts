import type { Clock, Recording } from '../contract/index.ts';
import { type ClockInput, parseTag, readClock } from './clock.ts';
import type { Footage } from './examine.ts';
import { hasGoProMarks } from './families/identify.ts';
import { placeFromTags } from './place.ts';
import type { Take } from './takes.ts';
import { readTelemetry } from './telemetry.ts';

/** What telemetry tells of a take as a whole. */
export interface TakeGps {
  /** Start of the take's first chapter, epoch ms; null without a lock. */
  startMs: number | null;
  place: { lat: number; lon: number } | null;
  device: string | null;
  /** Start of a chapter by its own lock, by fingerprint, where it was looked for. */
  chapterStarts: Map<string, number>;
}

/** When a chapter lies: start in epoch ms, and footage known to be missing before it, ms. */
export interface ChapterTime {
  id: string;
  number: number;
  startMs: number;
  gapBeforeMs: number;
}

/** Offset of a camera's creation_time from UTC, as one take with GPS shows it. */
export interface CameraOffset {
  camera: string;
  tagMs: number;
  offsetMs: number;
}

/** A camera's clock is believed to stay as it was found for this long. */
const OFFSET_HOLDS_MS = 14 * 86_400_000;
/** creation_time of chapters that differ by less is the take's, written into each of them. */
const SHARED_TAG_MS = 2000;

/**
 * Looks for satellite time in a take: in the first chapter, and on in the next ones while there is no lock, and in each
 * chapter behind a gap, which the durations before it cannot place.
 */
export async function readTakeGps(take: Take, options: { signal?: AbortSignal }): Promise<TakeGps> {
  const gps: TakeGps = { startMs: null, place: null, device: null, chapterStarts: new Map() };
  let before: Footage | null = null;
  let elapsedMs: number | null = 0;
  for (const chapter of take.chapters) {
    const afterGap = before !== null && chapter.named.chapter !== before.named.chapter + 1;
    if (afterGap) elapsedMs = null;
    const knowsPlaces = chapter.media.gpmdIndex !== null || chapter.family === 'dji';
    if (knowsPlaces && (gps.startMs === null || afterGap)) {
      const telemetry = await readTelemetry(chapter.media, options);
      gps.device ??= telemetry?.device ?? null;
      const sample = telemetry && telemetry.source !== 'container' ? telemetry.samples[0] : undefined;
      if (sample) gps.place ??= { lat: sample.lat, lon: sample.lon };
      if (typeof telemetry?.gpsStartMs === 'number') {
        gps.chapterStarts.set(chapter.id, telemetry.gpsStartMs);
        if (elapsedMs !== null) gps.startMs ??= telemetry.gpsStartMs - elapsedMs;
      }
    }
    if (elapsedMs !== null) elapsedMs += chapter.media.durationMs;
    before = chapter;
  }
  return gps;
}

/** What takes with a lock show of each camera's clock. */
export function cameraOffsets(takes: readonly { take: Take; gps: TakeGps }[]): CameraOffset[] {
  const offsets: CameraOffset[] = [];
  for (const { take, gps } of takes) {
    const first = take.chapters[0]!;
    const tagMs = parseTag(first.media.tags.creation_time);
    const camera = cameraKey(first);
    if (gps.startMs === null || tagMs === null || camera === null) continue;
    offsets.push({ camera, tagMs, offsetMs: tagMs - gps.startMs });
  }
  return offsets;
}

function cameraKey(footage: Footage): string | null {
  if (!hasGoProMarks(footage.media) || !footage.media.tags.firmware) return null;
  return footage.media.tags.firmware;
}

function offsetFor(footage: Footage, offsets: readonly CameraOffset[]): number | null {
  const tagMs = parseTag(footage.media.tags.creation_time);
  const camera = cameraKey(footage);
  if (tagMs === null || camera === null) return null;
  const apart = (offset: CameraOffset) => Math.abs(offset.tagMs - tagMs);
  const near = offsets.filter((offset) => offset.camera === camera && apart(offset) <= OFFSET_HOLDS_MS);
  near.sort((a, b) => apart(a) - apart(b));
  return near[0]?.offsetMs ?? null;
}

/** The clock of a take: its first chapter's, by whatever is strongest anywhere in the take. */
export function takeClock(
  take: Take,
  gps: TakeGps,
  offsets: readonly CameraOffset[],
  options: Pick<ClockInput, 'zone' | 'shiftMs' | 'computerZone' | 'nowMs'>,
): Clock {
  const first = take.chapters[0]!;
  const clock = readClock({
    media: first.media,
    family: first.family,
    name: first.file.name,
    modifiedMs: first.file.modifiedMs,
    gpsStartMs: gps.startMs,
    place: gps.place ?? placeFromTags(first.media.tags),
    cameraOffsetMs: offsetFor(first, offsets),
    ...options,
  });
  if (first.named.family === 'gopro' && first.named.chapter > 1 && clock.basis !== 'gps') {
    // Newer cameras write the take's start into every chapter, so this one began later by chapters that are not here.
    return {
      ...clock,
      uncertain: true,
      note: `${clock.note} The take's beginning is missing, so it may be later.`,
    };
  }
  return clock;
}

/**
 * When each chapter begins. A chapter follows its predecessor by that one's real length, whatever its creation_time says
 * (chapters of one take share it); behind a gap it is placed by its own satellite time, by its own creation_time where
 * that differs from the first chapter's, else by the length a full chapter has.
 * @param known the recording these chapters join; its chapters keep their times
 */
export function placeChapters(
  take: Take,
  clock: Clock,
  gps: TakeGps,
  shiftMs: number,
  known: Recording | null,
): ChapterTime[] {
  const fixed = new Map((known?.chapters ?? []).map((chapter) => [chapter.number, chapter]));
  const placed: ChapterTime[] = [];
  const first = take.chapters[0]!;
  const firstTag = parseTag(first.media.tags.creation_time);
  let before: { number: number; endMs: number; durationMs: number } | null = null;
  const numbers = [...new Set([...fixed.keys(), ...take.chapters.map((c) => c.named.chapter)])].sort(
    (a, b) => a - b,
  );
  for (const number of numbers) {
    const chapter = take.chapters.find((one) => one.named.chapter === number);
    const there = fixed.get(number);
    if (!chapter || (there && there.id === chapter.id)) {
      if (!there) continue;
      before = { number, endMs: there.startMs + there.durationMs, durationMs: there.durationMs };
      if (chapter) {
        placed.push({ id: chapter.id, number, startMs: there.startMs, gapBeforeMs: there.gapBeforeMs });
      }
      continue;
    }
    const startMs = startOf(chapter, number);
    const gapBeforeMs = before && number !== before.number + 1 ? Math.max(0, startMs - before.endMs) : 0;
    placed.push({ id: chapter.id, number, startMs, gapBeforeMs });
    before = { number, endMs: startMs + chapter.media.durationMs, durationMs: chapter.media.durationMs };
  }
  return placed;

  function startOf(chapter: Footage, number: number): number {
    if (!before) return startWithoutPredecessor(chapter, number);
    if (number === before.number + 1) return before.endMs;
    const own = gps.chapterStarts.get(chapter.id);
    if (own !== undefined) return Math.max(before.endMs, own + shiftMs);
    const tag = parseTag(chapter.media.tags.creation_time);
    if (!known && tag !== null && firstTag !== null && Math.abs(tag - firstTag) > SHARED_TAG_MS) {
      return Math.max(before.endMs, clock.startMs + (tag - firstTag));
    }
    return before.endMs + (number - before.number - 1) * before.durationMs;
  }

  function startWithoutPredecessor(chapter: Footage, number: number): number {
    const next = fixed.get(number + 1);
    const isShared = next !== undefined && Math.abs(next.startMs - clock.startMs) <= SHARED_TAG_MS;
    if (!next || isShared || clock.basis === 'gps') return clock.startMs;
    return next.startMs - chapter.media.durationMs;
  }
}
