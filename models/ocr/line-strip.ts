import type { OrientedBox } from './oriented-box.ts';

/** Height in px at which the recogniser reads a line. */
export const STRIP_HEIGHT = 48;
/** A longer line is squeezed to this many px: beyond it there is no text, only a bad box. */
const MAX_WIDTH = 2400;
/** A box this much taller than wide holds a line that runs up or down. */
const VERTICAL_RATIO = 1.5;

export interface Picture {
  /** RGB, 3 bytes a pixel, row by row. */
  rgb: Uint8Array;
  width: number;
  height: number;
}

/** A levelled cut-out of one line: RGB, `STRIP_HEIGHT` px high. */
export interface Strip {
  rgb: Uint8Array;
  width: number;
}

/** True for a line that runs up or down and must be turned before it is read. */
export function isVertical(box: OrientedBox): boolean {
  return box.height >= box.width * VERTICAL_RATIO;
}

/** The same box seen with the picture turned a quarter, clockwise for 1, counter-clockwise for −1. */
export function turned(box: OrientedBox, direction: 1 | -1): OrientedBox {
  return {
    ...box,
    width: box.height,
    height: box.width,
    angle: box.angle + (direction * Math.PI) / 2,
  };
}

/**
 * Cuts a line out, levels it and brings it to reading height: bilinear, averaged over the source pixels it covers where
 * the line is taller than that.
 */
export function cutStrip(picture: Picture, box: OrientedBox): Strip {
  const { rgb, width: sourceWidth, height: sourceHeight } = picture;
  const wanted = Math.round((STRIP_HEIGHT * box.width) / Math.max(1, box.height));
  const width = Math.max(8, Math.min(MAX_WIDTH, wanted));
  const stepU = box.width / width;
  const stepV = box.height / STRIP_HEIGHT;
  const taps = Math.max(1, Math.min(4, Math.round(stepV)));
  const cos = Math.cos(box.angle);
  const sin = Math.sin(box.angle);
  const out = new Uint8Array(width * STRIP_HEIGHT * 3);
  const maxX = sourceWidth - 1;
  const maxY = sourceHeight - 1;
  const weight = 1 / (taps * taps);
  for (let row = 0; row < STRIP_HEIGHT; row++) {
    for (let column = 0; column < width; column++) {
      let r = 0;
      let g = 0;
      let b = 0;
      for (let tap = 0; tap < taps * taps; tap++) {
        const subU = ((tap % taps) + 0.5) / taps;
        const subV = (Math.floor(tap / taps) + 0.5) / taps;
        const u = (column + subU) * stepU - box.width / 2;
        const v = (row + subV) * stepV - box.height / 2;
        const x = Math.min(maxX, Math.max(0, box.centreX + u * cos - v * sin));
        const y = Math.min(maxY, Math.max(0, box.centreY + u * sin + v * cos));
        const x0 = Math.floor(x);
        const y0 = Math.floor(y);
        const fx = x - x0;
        const fy = y - y0;
        const right = x0 < maxX ? 3 : 0;
        const down = y0 < maxY ? sourceWidth * 3 : 0;
        const at = (y0 * sourceWidth + x0) * 3;
        const w00 = (1 - fx) * (1 - fy) * weight;
        const w10 = fx * (1 - fy) * weight;
        const w01 = (1 - fx) * fy * weight;
        const w11 = fx * fy * weight;
        r += rgb[at]! * w00 + rgb[at + right]! * w10 + rgb[at + down]! * w01 + rgb[at + right + down]! * w11;
        g +=
          rgb[at + 1]! * w00 +
          rgb[at + right + 1]! * w10 +
          rgb[at + down + 1]! * w01 +
          rgb[at + right + down + 1]! * w11;
        b +=
          rgb[at + 2]! * w00 +
          rgb[at + right + 2]! * w10 +
          rgb[at + down + 2]! * w01 +
          rgb[at + right + down + 2]! * w11;
      }
      const target = (row * width + column) * 3;
      out[target] = Math.round(r);
      out[target + 1] = Math.round(g);
      out[target + 2] = Math.round(b);
    }
  }
  return { rgb: out, width };
}
