import type { Box, PlanarPicture } from './face.ts';

/** How a model wants its picture: RGB floats, px by px or plane by plane. */
export interface Layout {
  width: number;
  height: number;
  /** Numbers from one px to the next, and from one colour to the next. */
  pixelStep: number;
  colourStep: number;
  /** Value of black and of full white. */
  black: number;
  white: number;
}

/** How a region was laid into the model's input: picture px = offset + input px × scale. */
export interface Placement {
  offsetX: number;
  offsetY: number;
  scale: number;
}

// ITU-R BT.601, studio range, to 0..1.
const TO_UNIT = 1 / 255;
const LUMA = 1.164 * TO_UNIT;
const RED_V = 1.596 * TO_UNIT;
const GREEN_U = 0.391 * TO_UNIT;
const GREEN_V = 0.813 * TO_UNIT;
const BLUE_U = 2.018 * TO_UNIT;

/**
 * Scales a region into a model's input, centred, with its shape kept; what lies outside the picture is black. Every input value is the
 * mean of four picture px spread over its footprint, so downscaling does not alias.
 * @param out width × height × 3 numbers, overwritten
 */
export function sampleRegion(
  picture: PlanarPicture,
  region: Box,
  layout: Layout,
  out: Float32Array,
): Placement {
  const { data, width, height } = picture;
  const { pixelStep, colourStep, black } = layout;
  const gain = layout.white - black;
  const scale = Math.max(region.width / layout.width, region.height / layout.height);
  const offsetX = region.x + region.width / 2 - (layout.width * scale) / 2;
  const offsetY = region.y + region.height / 2 - (layout.height * scale) / 2;
  const chromaWidth = width >> 1;
  const uStart = width * height;
  const vStart = uStart + chromaWidth * (height >> 1);
  const spread = Math.max(scale, 1) / 4;

  const columns = spanOf(offsetX, scale, layout.width, width, region.x, region.width);
  const rows = spanOf(offsetY, scale, layout.height, height, region.y, region.height);
  const near = new Int32Array(layout.width);
  const far = new Int32Array(layout.width);
  const chroma = new Int32Array(layout.width);
  for (let x = columns.from; x < columns.to; x += 1) {
    const centre = offsetX + (x + 0.5) * scale;
    near[x] = clamp(centre - spread, width);
    far[x] = clamp(centre + spread, width);
    chroma[x] = clamp(centre, width) >> 1;
  }
  out.fill(black);
  for (let y = rows.from; y < rows.to; y += 1) {
    const centre = offsetY + (y + 0.5) * scale;
    const upper = clamp(centre - spread, height) * width;
    const lower = clamp(centre + spread, height) * width;
    const chromaRow = (clamp(centre, height) >> 1) * chromaWidth;
    let at = (y * layout.width + columns.from) * pixelStep;
    for (let x = columns.from; x < columns.to; x += 1) {
      const a = near[x]!;
      const b = far[x]!;
      const sum = data[upper + a]! + data[upper + b]! + data[lower + a]! + data[lower + b]!;
      const luma = (sum * 0.25 - 16) * LUMA;
      const c = chromaRow + chroma[x]!;
      const u = data[uStart + c]! - 128;
      const v = data[vStart + c]! - 128;
      out[at] = black + gain * (luma + RED_V * v);
      out[at + colourStep] = black + gain * (luma - GREEN_U * u - GREEN_V * v);
      out[at + 2 * colourStep] = black + gain * (luma + BLUE_U * u);
      at += pixelStep;
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
