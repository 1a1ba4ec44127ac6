import sharp from 'sharp';

/** Cells a picture is brought to: at 704 x 396 px one is 22 px wide and high, about a cup across a table. */
const COLUMNS = 32;
const ROWS = 18;
const CHANNELS = 3;

/** A picture at very low resolution: the mean colour of each cell, 8 bits a channel, rows from the top. */
export type Signature = Uint8Array;

/** @throws Error for bytes that are no picture */
export async function signatureOf(jpeg: Uint8Array): Promise<Signature> {
  return sharp(jpeg)
    .removeAlpha()
    .toColourspace('srgb')
    .resize(COLUMNS, ROWS, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
}

/**
 * How unlike two pictures are, 0..255: the greatest difference of a cell in a channel. A mean would not see a small thing that
 * was put down; noise and compression are evened out within the cells.
 */
export function difference(a: Signature, b: Signature): number {
  let most = 0;
  for (let at = 0; at < COLUMNS * ROWS * CHANNELS; at += 1) {
    const apart = Math.abs(a[at]! - b[at]!);
    if (apart > most) most = apart;
  }
  return most;
}

/**
 * How unlike two sets of pictures are, 0..255: the Hausdorff distance over `difference`, so that a picture in either set that
 * none in the other is like counts, whichever came first. Nothing is like an empty set.
 */
export function setDifference(a: readonly Signature[], b: readonly Signature[]): number {
  const farthest = (from: readonly Signature[], to: readonly Signature[]) =>
    Math.max(...from.map((one) => Math.min(255, ...to.map((other) => difference(one, other)))));
  return a.length === 0 || b.length === 0 ? 255 : Math.max(farthest(a, b), farthest(b, a));
}
