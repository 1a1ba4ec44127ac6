import type { TextReader } from '../../models/ocr/text-reader.ts';
import type { VisibleText } from '../contract/index.ts';
import type { TextLine } from './observation.ts';
import { cleanLines, isLegible } from './text-cleaning.ts';
import { formRows, stackedPairs } from './text-layout.ts';
import { bestReading, type TextTrack, trackRows } from './text-tracks.ts';

/** A frame to read: RGB, 3 bytes a pixel, upright; `atMs` is its instant, epoch ms. */
export interface TextFrame {
  rgb: Uint8Array;
  width: number;
  height: number;
  atMs: number;
}

/**
 * Reads the text that the frames of one segment show.
 * @param frames in time order
 * @returns in order of appearance; rows of one block are parted by line feeds
 * @throws what the reader throws; the signal's reason when aborted
 */
export type ReadText = (frames: readonly TextFrame[], signal?: AbortSignal) => Promise<VisibleText[]>;

/** Grid on which frames are compared, and the mean luma difference (of 255) in a cell at which a frame is a new one. */
const GRID = 32;
const CHANGED = 1.5;
/** Rows are one block when they share this part of the frames in which either shows. */
const SEEN_TOGETHER = 0.5;

/** Mean luma of each cell of the grid. */
function lumaGrid({ rgb, width, height }: TextFrame): Float64Array {
  const sums = new Float64Array(GRID * GRID);
  const counts = new Float64Array(GRID * GRID);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * GRID) / height) * GRID;
    for (let x = 0; x < width; x++) {
      const cell = row + Math.floor((x * GRID) / width);
      const at = (y * width + x) * 3;
      // BT.601 luma.
      sums[cell]! += 0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!;
      counts[cell]!++;
    }
  }
  return sums.map((sum, i) => sum / Math.max(1, counts[i]!));
}

function changed(a: Float64Array, b: Float64Array): boolean {
  return a.some((value, i) => Math.abs(value - b[i]!) >= CHANGED);
}

/** Sets of track indexes that form one block each. */
function formBlocks(tracks: readonly TextTrack[], frames: readonly TextLine[][]): number[][] {
  const trackOf = new Map<TextLine, number>();
  tracks.forEach((track, index) => {
    for (const { row } of track.readings) trackOf.set(row, index);
  });
  const together = new Map<string, number>();
  for (const rows of frames) {
    for (const [i, j] of stackedPairs(rows)) {
      const pair = [trackOf.get(rows[i]!)!, trackOf.get(rows[j]!)!].sort((a, b) => a - b).join(' ');
      together.set(pair, (together.get(pair) ?? 0) + 1);
    }
  }
  const group = tracks.map((_, index) => index);
  for (const [pair, count] of together) {
    const [a, b] = pair.split(' ').map(Number) as [number, number];
    const either = new Set([...tracks[a]!.readings, ...tracks[b]!.readings].map((reading) => reading.frame))
      .size;
    if (count < SEEN_TOGETHER * either) continue;
    const [from, to] = [group[b]!, group[a]!];
    group.forEach((value, index) => {
      if (value === from) group[index] = to;
    });
  }
  return [...new Set(group)].map((id) => group.flatMap((value, index) => (value === id ? [index] : [])));
}

/**
 * The tracks of a block from top to bottom. The camera moves, so heights are compared within a frame: with the track of
 * the block that is seen most.
 */
function inReadingOrder(members: readonly number[], tracks: readonly TextTrack[]): number[] {
  const ofMember = members.map((index) => tracks[index]!.readings);
  const most = ofMember.reduce((best, next) => (next.length > best.length ? next : best), []);
  const anchor = new Map(most.map(({ frame, row }) => [frame, row.box]));
  const place = (index: number) => {
    const { readings } = tracks[index]!;
    const { frame, row } = readings.find((reading) => anchor.has(reading.frame)) ?? readings[0]!;
    const origin = anchor.get(frame) ?? most[0]!.row.box;
    return { index, x: row.box.x - origin.x, y: row.box.y - origin.y };
  };
  return members
    .map(place)
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .map(({ index }) => index);
}

/**
 * Makes the text step of perception. Without a reader it finds no text.
 * @param reader stays the caller's to dispose of
 */
export function createTextObserver(reader: TextReader | null): ReadText {
  return async (frames, signal) => {
    if (!reader) return [];
    const rowsOf: TextLine[][] = [];
    let shown: { grid: Float64Array; lines: TextLine[] } | null = null;
    for (const frame of frames) {
      signal?.throwIfAborted();
      const grid = lumaGrid(frame);
      if (!shown || changed(grid, shown.grid)) {
        shown = { grid, lines: cleanLines(await reader.read(frame.rgb, frame.width, frame.height, signal)) };
      }
      // Rows are compared by identity later: a frame that repeats another still gets rows of its own.
      const rows = formRows(shown.lines, frame.width / frame.height).filter(isLegible);
      rowsOf.push(rows.map((row) => ({ ...row })));
    }
    const tracks = trackRows(rowsOf);
    const best = tracks.map(bestReading);
    const found = formBlocks(tracks, rowsOf).flatMap((members): VisibleText[] => {
      const rows = inReadingOrder(members, tracks).filter((index) => best[index] !== null);
      if (rows.length === 0) return [];
      const seen = rows.flatMap((index) =>
        tracks[index]!.readings.map((reading) => frames[reading.frame]!.atMs),
      );
      const sum = rows.reduce((total, index) => total + best[index]!.confidence, 0);
      return [
        {
          text: rows.map((index) => best[index]!.text).join('\n'),
          confidence: Math.min(1, sum / rows.length),
          firstMs: Math.round(Math.min(...seen)),
          lastMs: Math.round(Math.max(...seen)),
        },
      ];
    });
    return found.sort((a, b) => a.firstMs - b.firstMs);
  };
}
