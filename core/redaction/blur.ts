import type { Box, PlanarPicture } from '../../models/faces/face-detector.ts';

/**
 * Cells a blurred box is cut into along each side. Four flat patches are all that is left of a face: measured, the detector took
 * a mosaic of three or more a side for a face again.
 */
const CELLS = 2;
/** A whole frame keeps a little more, so that a moment is still recognisable as bright, dark, green. */
const CELLS_WHOLE = 8;

/** Replaces a box by flat patches, in place; parts outside the picture are left out. Original values cannot be had back. */
export function blurBox(picture: PlanarPicture, box: Box, cells: number = CELLS): void {
  const { data, width, height } = picture;
  const left = Math.max(0, Math.floor(box.x / 2) * 2);
  const top = Math.max(0, Math.floor(box.y / 2) * 2);
  const right = Math.min(width, Math.ceil((box.x + box.width) / 2) * 2);
  const bottom = Math.min(height, Math.ceil((box.y + box.height) / 2) * 2);
  if (right <= left || bottom <= top) return;
  const chromaWidth = width >> 1;
  const chromaBytes = chromaWidth * (height >> 1);
  const luma = width * height;
  flatten(data, 0, width, [left, top, right, bottom], cells);
  const halved: Rectangle = [left / 2, top / 2, right / 2, bottom / 2];
  flatten(data, luma, chromaWidth, halved, cells);
  flatten(data, luma + chromaBytes, chromaWidth, halved, cells);
}

/** Leaves nothing of a frame but a few flat patches, in place. */
export function blurWhole(picture: PlanarPicture): void {
  blurBox(picture, { x: 0, y: 0, width: picture.width, height: picture.height }, CELLS_WHOLE);
}

type Rectangle = readonly [left: number, top: number, right: number, bottom: number];

/** Sets every cell of a rectangle of one plane to its mean. */
function flatten(data: Uint8Array, start: number, stride: number, rectangle: Rectangle, cells: number): void {
  const [left, top, right, bottom] = rectangle;
  const across = Math.min(cells, right - left);
  const down = Math.min(cells, bottom - top);
  for (let row = 0; row < down; row += 1) {
    const y0 = top + Math.floor(((bottom - top) * row) / down);
    const y1 = top + Math.floor(((bottom - top) * (row + 1)) / down);
    for (let column = 0; column < across; column += 1) {
      const x0 = left + Math.floor(((right - left) * column) / across);
      const x1 = left + Math.floor(((right - left) * (column + 1)) / across);
      let sum = 0;
      for (let y = y0; y < y1; y += 1) {
        const line = start + y * stride;
        for (let x = x0; x < x1; x += 1) sum += data[line + x]!;
      }
      const mean = Math.round(sum / ((x1 - x0) * (y1 - y0)));
      for (let y = y0; y < y1; y += 1) data.fill(mean, start + y * stride + x0, start + y * stride + x1);
    }
  }
}
