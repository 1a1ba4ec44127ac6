import sharp, { type Sharp } from 'sharp';
import type { Drawing } from './drawing.ts';
import { renderLettering } from './lettering.ts';

/** Draws one picture with its letters, opaque unless `alpha` is set; a transparent drawing stays so where nothing is drawn. */
export async function drawStill(drawing: Drawing, alpha = false): Promise<Sharp> {
  const letters = await Promise.all(drawing.letters.map(renderLettering));
  const picture = sharp(Buffer.from(drawing.svg)).composite(letters);
  return (alpha ? picture : picture.removeAlpha()).png({ compressionLevel: 1 });
}
