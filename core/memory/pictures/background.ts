import { photoOf } from './caption.ts';

/** How near the pictures of a library come to texts that are true of none of them. */
export interface Background {
  /** Pictures when it was measured. */
  rows: number;
  /** Median over such texts of the cosine of the nearest picture. */
  median: number;
  /** Their spread: 1.4826 times the median absolute deviation, which is the standard deviation of a normal distribution. */
  spread: number;
}

/** Makes a median absolute deviation comparable with a standard deviation. */
const MAD_TO_DEVIATION = 1.4826;
/** Cosines nearer than this are one: texts that all come out alike must not make every picture a find. */
const SPREAD_MIN = 1e-3;
/** Measured anew when there are this many times as many pictures, or as few: the best of more is nearer. */
const GROWN = 1.25;
const SHRUNK = 0.5;

/**
 * Things that hardly anybody's recordings show. One or two that a library does hold change a median little.
 */
const ABSENT = [
  'a giraffe',
  'a volcano',
  'a submarine',
  'a rocket launch',
  'a medieval castle',
  'a penguin',
  'a lion',
  'an elephant',
  'a hot-air balloon',
  'a lighthouse',
  'a coral reef',
  'a camel',
  'a steam locomotive',
  'a knight in armour',
  'a sand desert',
  'a polar bear',
  'an igloo',
  'a totem pole',
  'a cruise ship',
  'a space station',
  'a dinosaur skeleton',
  'a bullfight',
  'an oil platform',
  'a rice terrace',
  'a whale',
  'a fighter jet',
  'a pyramid',
  'a kangaroo',
  'a sumo wrestler',
  'an opera stage',
  'a combine harvester',
  'an iceberg',
] as const;

/** Captions that are true of nothing in a library. */
export const ABSENT_CAPTIONS: readonly string[] = ABSENT.map(photoOf);

/**
 * @param best for each caption the cosine of its nearest picture
 * @param rows pictures there are
 */
export function backgroundOf(best: readonly number[], rows: number): Background {
  const median = middle(best);
  const deviation = middle(best.map((value) => Math.abs(value - median)));
  return { rows, median, spread: Math.max(SPREAD_MIN, deviation * MAD_TO_DEVIATION) };
}

/** Whether a background was measured on about as many pictures as there are now. */
export function stillHolds(background: Background | null, rows: number): boolean {
  return background !== null && rows < background.rows * GROWN && rows > background.rows * SHRUNK;
}

/**
 * How much nearer a picture is to a question than the best picture is to a text about nothing there, in spreads. Cosines of different
 * models lie in different ranges (a true caption: about 0.3 with CLIP, 0.1 with SigLIP), and the nearest of many pictures is nearer
 * than that of few; both are in the background as well, so that one number means the same everywhere.
 */
export function strengthOf(cosine: number, background: Background): number {
  return (cosine - background.median) / background.spread;
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
