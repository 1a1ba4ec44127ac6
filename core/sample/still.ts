import sharp from 'sharp';
import type { Drawing } from './drawing.ts';
import { renderLettering } from './lettering.ts';

/** Draws one picture to a PNG file; transparent where nothing is drawn if `alpha` is set. */
export async function renderStill(drawing: Drawing, path: string, alpha = false): Promise<void> {
  const letters = await Promise.all(drawing.letters.map(renderLettering));
  const picture = sharp(Buffer.from(drawing.svg)).composite(letters);
  await (alpha ? picture : picture.removeAlpha()).png({ compressionLevel: 1 }).toFile(path);
}
