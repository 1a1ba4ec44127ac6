import type { HalfLuma } from '../redaction/clip-frame.ts';

/** Studio-range luma: black and the span to white. */
const BLACK = 16;
const SPAN = 219;
/** A frame whose mean and whose brightest parts are under these shows nothing, 0..1. */
const BLACK_MEAN = 0.03;
const BLACK_BRIGHT = 0.12;
/** Every n-th px of a row and every n-th row are measured. */
const STEP = 2;

export interface PictureMeasure {
  /** Mean luma, 0..1. */
  luma: number;
  black: boolean;
  /** Mean absolute luma difference to the frame before, 0..1; null for the first. */
  difference: number | null;
}

/** Measures light and change from frame to frame. */
export class PictureMeter {
  #before: HalfLuma | null = null;

  measure(half: HalfLuma): PictureMeasure {
    const { data, width, height } = half;
    const before = this.#before?.data;
    let sum = 0;
    let change = 0;
    let bright = 0;
    let count = 0;
    const brightFrom = BLACK + BLACK_BRIGHT * SPAN;
    for (let y = 0; y < height; y += STEP) {
      for (let at = y * width; at < (y + 1) * width; at += STEP) {
        const value = data[at]!;
        sum += value;
        if (value > brightFrom) bright += 1;
        if (before) {
          const difference = value - before[at]!;
          change += difference < 0 ? -difference : difference;
        }
        count += 1;
      }
    }
    this.#before = half;
    const luma = Math.max(0, Math.min(1, (sum / count - BLACK) / SPAN));
    return {
      luma,
      // One px in a hundred may be noise or a clock.
      black: luma < BLACK_MEAN && bright < count / 100,
      difference: before ? change / count / SPAN : null,
    };
  }
}
