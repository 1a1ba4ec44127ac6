import type { TextLine } from './observation.ts';
import { glyphs } from './text-cleaning.ts';

/** Readings of one line differ by at most this share of their glyphs. */
const NOISE = 0.25;
/** A reading cut off by the edge of the picture holds at least this share of the whole. */
const CUT_OFF = 0.5;
/** The whole is preferred to a cut-off reading when it was read at least this often, compared with that one. */
const WHOLE_SHARE = 0.5;
/** A line seen in a single frame must be read at least this surely. */
const SINGLE_SIGHT_FLOOR = 0.75;

/** How many of a track's latest readings a new one is compared with. */
const LOOK_BACK = 8;

/** One row of text followed through the frames of a segment. */
export interface TextTrack {
  readings: { frame: number; row: TextLine }[];
}

/** Case, spaces and the shapes a reader confuses do not tell two readings apart. */
function key(text: string): string {
  return glyphs(text).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

/** The digits of a text, in order. */
function numbers(text: string): string {
  return text.replace(/[^\p{N}]/gu, '');
}

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(swap, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}

/**
 * How alike two readings are as readings of one line: 1 for the same, 0 for different lines. Texts whose numbers differ
 * are different: a clock that moves on, another platform, another price.
 */
export function likeness(a: string, b: string): number {
  const keyA = key(a);
  const keyB = key(b);
  if (keyA === keyB) return 1;
  const [numbersA, numbersB] = [numbers(a), numbers(b)];
  if (numbersA !== '' && numbersB !== '' && numbersA !== numbersB) return 0;
  const longer = keyA.length >= keyB.length ? keyA : keyB;
  const shorter = longer === keyA ? keyB : keyA;
  if (longer.includes(shorter) && shorter.length >= CUT_OFF * longer.length) return 1 - NOISE;
  if (numbersA !== numbersB) return 0;
  const share = distance(keyA, keyB) / longer.length;
  return share <= NOISE ? 1 - share : 0;
}

/** The best of its latest readings, but nothing when any of them shows other numbers. */
function likenessToTrack(track: TextTrack, text: string): number {
  const latest = track.readings.slice(-LOOK_BACK).map(({ row }) => row.text);
  const own = numbers(text);
  const conflict = latest.some((other) => own !== '' && numbers(other) !== '' && numbers(other) !== own);
  return conflict ? 0 : Math.max(...latest.map((other) => likeness(other, text)));
}

/**
 * Follows rows through frames: each row joins the track whose last readings it is most like, one row a track and frame;
 * position only decides between equals, for the camera moves.
 */
export function trackRows(frames: readonly TextLine[][]): TextTrack[] {
  const tracks: TextTrack[] = [];
  frames.forEach((rows, frame) => {
    const pairs = rows.flatMap((row, index) =>
      tracks.map((track) => {
        const last = track.readings.at(-1)!.row;
        const like = likenessToTrack(track, row.text);
        const moved = Math.hypot(last.box.x - row.box.x, last.box.y - row.box.y);
        return { row, index, track, like, moved };
      }),
    );
    const takenRows = new Set<number>();
    const takenTracks = new Set<TextTrack>();
    for (const { row, index, track, like } of pairs.sort((a, b) => b.like - a.like || a.moved - b.moved)) {
      if (like === 0 || takenRows.has(index) || takenTracks.has(track)) continue;
      takenRows.add(index);
      takenTracks.add(track);
      track.readings.push({ frame, row });
    }
    rows.forEach((row, index) => {
      if (!takenRows.has(index)) tracks.push({ readings: [{ frame, row }] });
    });
  });
  return tracks;
}

/**
 * The spelling to keep: the one with most confidence over all frames, unless a surely read longer one holds it whole.
 * @returns null when the track is too weak to be text
 */
export function bestReading(track: TextTrack): { text: string; confidence: number } | null {
  const spellings = new Map<string, { total: number; confidence: number }>();
  for (const { row } of track.readings) {
    const known = spellings.get(row.text) ?? { total: 0, confidence: 0 };
    spellings.set(row.text, {
      total: known.total + row.confidence,
      confidence: Math.max(known.confidence, row.confidence),
    });
  }
  const ranked = [...spellings].sort(([, a], [, b]) => b.total - a.total || b.confidence - a.confidence);
  const [most, mostly] = ranked[0]!;
  const [text, { confidence }] =
    ranked
      .filter(([other, { total }]) => key(other).includes(key(most)) && total >= WHOLE_SHARE * mostly.total)
      .sort(([a], [b]) => key(b).length - key(a).length)[0] ?? ranked[0]!;
  if (track.readings.length === 1 && confidence < SINGLE_SIGHT_FLOOR) return null;
  return { text, confidence };
}
