import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ColourMatrix } from '../footage/picture-filter.ts';
import type { ClipFrame, HalfLuma } from './clip-frame.ts';
import { toRgb } from './colour.ts';
import { settleFile } from './safe-file.ts';

/** EM²Mem: keyframes kept a segment. */
export const KEYFRAMES = 3;
const JPEG_QUALITY = 80;
/** Mean luma (16 is black, 235 white) under which a frame shows nothing. */
const DARK = 24;

// Nothing is decoded twice: libvips need not remember.
sharp.cache(false);

/** Sharpness of a picture: mean squared Laplacian of its half-size luma. */
export function sharpness({ data, width, height }: HalfLuma): number {
  let sum = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const edge = 4 * data[at]! - data[at - 1]! - data[at + 1]! - data[at - width]! - data[at + width]!;
      sum += edge * edge;
    }
  }
  return sum / Math.max(1, (width - 2) * (height - 2));
}

export function meanLuma({ data }: HalfLuma): number {
  let sum = 0;
  for (const value of data) sum += value;
  return sum / Math.max(1, data.length);
}

/**
 * Chooses a segment's keyframes: the sharpest of each third of its sample frames that is not black. Fewer when there are fewer
 * frames; one when all are black.
 * @param samples in time order
 */
export function chooseKeyframes(samples: readonly ClipFrame[]): ClipFrame[] {
  const lit = samples.filter((frame) => meanLuma(frame.half) >= DARK);
  if (lit.length === 0) return samples.slice(0, 1);
  const count = Math.min(KEYFRAMES, lit.length);
  return Array.from({ length: count }, (_, n) => {
    const third = lit.slice(Math.floor((lit.length * n) / count), Math.floor((lit.length * (n + 1)) / count));
    return third.reduce((best, frame) => (sharpness(frame.half) > sharpness(best.half) ? frame : best));
  });
}

/** One redacted frame as a JPEG. */
export async function jpegOf({ picture }: ClipFrame, matrix: ColourMatrix): Promise<Buffer> {
  const { width, height } = picture;
  return sharp(toRgb(picture, matrix), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

/**
 * Writes one redacted frame as a JPEG, whole or not at all.
 * @param name file name without ending
 * @returns the file's name
 */
export async function writeKeyframe(
  frame: ClipFrame,
  matrix: ColourMatrix,
  where: { name: string; dir: string; workDir: string },
): Promise<string> {
  const jpeg = await jpegOf(frame, matrix);
  const file = `${where.name}.jpg`;
  const temporary = join(where.workDir, `${where.name}.part.jpg`);
  try {
    await writeFile(temporary, jpeg);
    await settleFile(temporary, join(where.dir, file));
  } finally {
    await rm(temporary, { force: true });
  }
  return file;
}
