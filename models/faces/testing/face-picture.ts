import sharp from 'sharp';
import type { Box, PlanarPicture } from '../face.ts';
import { drawnFace } from './drawn-face.ts';

export interface PlacedFace {
  /** Height of the drawn head and shoulders, px; the face in it is about 0.42 of that. */
  height: number;
  /** Top left corner of the drawing. */
  x: number;
  y: number;
}

/** A picture with drawn faces on a plain ground, as planar YUV (BT.601, studio range). */
export async function facePicture(
  width: number,
  height: number,
  faces: readonly PlacedFace[],
): Promise<PlanarPicture> {
  const background = { r: 143, g: 163, b: 160 };
  const layers = await Promise.all(
    faces.map(async (face) => ({ input: await drawnFace(face.height), left: face.x, top: face.y })),
  );
  const { data: rgb } = await sharp({ create: { width, height, channels: 3, background } })
    .composite(layers)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return planarOf(rgb, width, height);
}

/** Interleaved RGB as planar YUV (BT.601, studio range); both sides even. */
export function planarOf(rgb: Uint8Array, width: number, height: number): PlanarPicture {
  const data = new Uint8Array((width * height * 3) / 2);
  const uStart = width * height;
  const vStart = uStart + uStart / 4;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const [r, g, b] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
      data[y * width + x] = 16 + 0.257 * r + 0.504 * g + 0.098 * b;
      if (x % 2 === 0 && y % 2 === 0) {
        const c = (y / 2) * (width / 2) + x / 2;
        data[uStart + c] = 128 - 0.148 * r - 0.291 * g + 0.439 * b;
        data[vStart + c] = 128 + 0.439 * r - 0.368 * g - 0.071 * b;
      }
    }
  }
  return { data, width, height };
}

/** Where the face is in a placed drawing. */
export function faceIn({ height, x, y }: PlacedFace): Box {
  const side = height * 0.44;
  const width = (height * 400) / 480;
  return { x: x + width / 2 - side / 2, y: y + height * 0.29, width: side, height: side };
}
