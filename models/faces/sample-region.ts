import type { Box, PlanarPicture } from './face.ts';

/** How a region was laid into the model's square input: picture px = offset + input px × scale. */
export interface Placement {
  offsetX: number;
  offsetY: number;
  scale: number;
}

// ITU-R BT.601, studio range, to −1..1.
const TO_UNIT = 2 / 255;
const LUMA = 1.164 * TO_UNIT;
const RED_V = 1.596 * TO_UNIT;
const GREEN_U = 0.391 * TO_UNIT;
const GREEN_V = 0.813 * TO_UNIT;
const BLUE_U = 2.018 * TO_UNIT;

/**
 * Scales a region into a square of interleaved RGB floats in −1..1, centred, with its shape kept; what lies outside the picture
 * is black. Every input value is the mean of four picture px spread over its footprint, so downscaling does not alias.
 * @param out side × side × 3 numbers, overwritten
 */
export function sampleRegion(
  picture: PlanarPicture,
  region: Box,
  side: number,
  out: Float32Array,
): Placement {
  const { data, width, height } = picture;
  const scale = Math.max(region.width, region.height) / side;
  const offsetX = region.x + region.width / 2 - (side * scale) / 2;
  const offsetY = region.y + region.height / 2 - (side * scale) / 2;
  const chromaWidth = width >> 1;
  const uStart = width * height;
  const vStart = uStart + chromaWidth * (height >> 1);
  const spread = Math.max(scale, 1) / 4;

  const columns = spanOf(offsetX, scale, side, width, region.x, region.width);
  const rows = spanOf(offsetY, scale, side, height, region.y, region.height);
  const near = new Int32Array(side);
  const far = new Int32Array(side);
  const chroma = new Int32Array(side);
  for (let x = columns.from; x < columns.to; x += 1) {
    const centre = offsetX + (x + 0.5) * scale;
    near[x] = clamp(centre - spread, width);
    far[x] = clamp(centre + spread, width);
    chroma[x] = clamp(centre, width) >> 1;
  }
  out.fill(-1);
  for (let y = rows.from; y < rows.to; y += 1) {
    const centre = offsetY + (y + 0.5) * scale;
    const upper = clamp(centre - spread, height) * width;
    const lower = clamp(centre + spread, height) * width;
    const chromaRow = (clamp(centre, height) >> 1) * chromaWidth;
    let at = (y * side + columns.from) * 3;
    for (let x = columns.from; x < columns.to; x += 1) {
      const a = near[x]!;
      const b = far[x]!;
      const sum = data[upper + a]! + data[upper + b]! + data[lower + a]! + data[lower + b]!;
      const luma = (sum * 0.25 - 16) * LUMA - 1;
      const c = chromaRow + chroma[x]!;
      const u = data[uStart + c]! - 128;
      const v = data[vStart + c]! - 128;
      out[at] = luma + RED_V * v;
      out[at + 1] = luma - GREEN_U * u - GREEN_V * v;
      out[at + 2] = luma + BLUE_U * u;
      at += 3;
    }
  }
  return { offsetX, offsetY, scale };
}

function clamp(value: number, size: number): number {
  return value < 0 ? 0 : value >= size ? size - 1 : Math.floor(value);
}

/** Input columns or rows whose centres fall both inside the picture and inside the region. */
function spanOf(offset: number, scale: number, side: number, size: number, start: number, length: number) {
  const low = Math.max(0, start);
  const high = Math.min(size, start + length);
  const from = Math.max(0, Math.ceil((low - offset) / scale - 0.5));
  const to = Math.min(side, Math.ceil((high - offset) / scale - 0.5));
  return { from, to: Math.max(from, to) };
}
