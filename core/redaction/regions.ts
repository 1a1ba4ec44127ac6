import type { Box } from '../../models/faces/face-detector.ts';

/** Side of a tile as a share of the picture's short side. */
const TILE_SHARE = 2 / 3;
/** Tiles overlap by at least this share of their side: a face on a seam is whole in one of two. */
const TILE_OVERLAP = 0.15;
/** Side of the region around a known face, in face sizes: the model wants to see the head's surroundings. */
const AROUND_FACE = 3.5;
const AROUND_FACE_MIN = 96;

/**
 * Overlapping square tiles, in reading order: 3 × 2 for 16:9, 2 × 2 for a square. Faces a full look misses (under a sixteenth of
 * the picture's longest side) are large enough in a tile.
 */
export function tilesOf(width: number, height: number): Box[] {
  const side = Math.round(Math.min(width, height) * TILE_SHARE);
  const columns = starts(width, side);
  return starts(height, side).flatMap((y) => columns.map((x) => ({ x, y, width: side, height: side })));
}

function starts(length: number, side: number): number[] {
  const count = Math.max(2, Math.ceil((length - side) / (side * (1 - TILE_OVERLAP))) + 1);
  return Array.from({ length: count }, (_, i) => Math.round(((length - side) * i) / (count - 1)));
}

function squareAround(box: Box, sides: number): Box {
  const side = Math.max(AROUND_FACE_MIN, Math.max(box.width, box.height) * sides);
  return {
    x: box.x + box.width / 2 - side / 2,
    y: box.y + box.height / 2 - side / 2,
    width: side,
    height: side,
  };
}

/** The square around a face in which the model sees it best. */
export function around(face: Box): Box {
  return squareAround(face, AROUND_FACE);
}

/** Side of the region in which a blurred place is looked at again, in sides of the place. */
const SURROUNDINGS = 2;
/** Padding around what is found there, in its sides. */
const PADDING = 0.25;

/** The square around a blurred place, wide enough for what shows beside it. */
export function surroundings(cover: Box): Box {
  return squareAround(cover, SURROUNDINGS);
}

/** A box with a margin on every side. */
export function padded({ x, y, width, height }: Box): Box {
  return {
    x: x - width * PADDING,
    y: y - height * PADDING,
    width: width * (1 + 2 * PADDING),
    height: height * (1 + 2 * PADDING),
  };
}
