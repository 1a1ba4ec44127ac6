import type { PlanarPicture } from '../../models/faces/face-detector.ts';
import type { ColourMatrix } from '../footage/picture-filter.ts';

/** Red and blue weights of luma (ITU-R BT.709 and BT.601). */
const WEIGHTS = { bt709: [0.2126, 0.0722], bt601: [0.299, 0.114] } as const;

/** @returns interleaved RGB, 3 bytes a px */
export function toRgb(picture: PlanarPicture, matrix: ColourMatrix): Uint8Array {
  const { data, width, height } = picture;
  const [kr, kb] = WEIGHTS[matrix];
  const kg = 1 - kr - kb;
  const chroma = 255 / 112;
  const redV = chroma * (1 - kr);
  const blueU = chroma * (1 - kb);
  const greenU = (blueU * kb) / kg;
  const greenV = (redV * kr) / kg;
  const chromaWidth = width >> 1;
  const uStart = width * height;
  const vStart = uStart + chromaWidth * (height >> 1);
  // A clamped array rounds and cuts to 0..255.
  const rgb = new Uint8ClampedArray(width * height * 3);
  for (let y = 0, at = 0, to = 0; y < height; y += 1) {
    const chromaRow = (y >> 1) * chromaWidth;
    for (let x = 0; x < width; x += 1, at += 1, to += 3) {
      const luma = (data[at]! - 16) * (255 / 219);
      const u = data[uStart + chromaRow + (x >> 1)]! - 128;
      const v = data[vStart + chromaRow + (x >> 1)]! - 128;
      rgb[to] = luma + redV * v;
      rgb[to + 1] = luma - greenU * u - greenV * v;
      rgb[to + 2] = luma + blueU * u;
    }
  }
  return new Uint8Array(rgb.buffer);
}
