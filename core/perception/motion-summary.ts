import type { Observation } from './observation.ts';
import type { PictureMeasure } from './picture-meter.ts';

/** Difference under which two frames are as good as the same picture: sensor noise. */
const STILL = 0.004;
/** Difference at which the picture may have changed as a whole, and how far it must stand out of the second around it. */
const CUT = 0.12;
const CUT_TIMES = 3;
const CUT_WINDOW = 5;

export interface MeasuredFrame extends PictureMeasure {
  /** Epoch ms. */
  atMs: number;
}

/** Motion and light of a segment from its frames, in time order. */
export function summariseMotion(frames: readonly MeasuredFrame[]): Pick<Observation, 'motion' | 'light'> {
  const pairs = frames.flatMap(({ difference, atMs }) => (difference === null ? [] : [{ difference, atMs }]));
  const mean = (values: readonly number[]) =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  const cuts = pairs.flatMap(({ difference, atMs }, i) => {
    if (difference < CUT) return [];
    const around = pairs
      .slice(Math.max(0, i - CUT_WINDOW), i + CUT_WINDOW + 1)
      .filter((pair) => pair.atMs !== atMs)
      .map((pair) => pair.difference)
      .sort((a, b) => a - b);
    const usual = around[Math.floor(around.length / 2)] ?? 0;
    return difference > usual * CUT_TIMES ? [atMs] : [];
  });
  return {
    motion: {
      level: mean(pairs.map((pair) => pair.difference)),
      still: mean(pairs.map((pair) => (pair.difference < STILL ? 1 : 0))),
      cuts,
    },
    light: {
      level: mean(frames.map((frame) => frame.luma)),
      black: mean(frames.map((frame) => (frame.black ? 1 : 0))),
    },
  };
}
