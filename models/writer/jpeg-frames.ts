import sharp from 'sharp';
import { ModelError } from '../errors.ts';
import type { Frame } from './vision-writer.ts';

/**
 * JPEGs as frames, upright as stored, in order.
 * @throws ModelError run-failed for bytes that are no picture
 */
export async function framesOfJpegs(jpegs: readonly Uint8Array[]): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (const jpeg of jpegs) {
    try {
      const { data, info } = await sharp(jpeg)
        .removeAlpha()
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      frames.push({ rgb: data, width: info.width, height: info.height });
    } catch (error) {
      throw new ModelError('run-failed', 'A frame is no picture that can be read.', { cause: error });
    }
  }
  return frames;
}
