import { corners, type OrientedBox, smallestBox } from './oriented-box.ts';

/** Boxes further apart than this, in line heights along the line, are two columns; measured after unclipping. */
const MAX_GAP = 0.3;
/** Boxes of one line differ in height by at most this factor. */
const MAX_HEIGHT_RATIO = 1.5;
/** And in tilt by at most this, radians (8 degrees). */
const MAX_TILT = 0.14;
/** How far, in heights, the middle of one may lie off the other's reading axis. */
const MAX_OFFSET = 0.3;

function belongs(a: OrientedBox, b: OrientedBox): boolean {
  if (a.height >= a.width || b.height >= b.width) {
    // A lone narrow glyph has no tilt of its own; two of them say nothing about a line.
    if (a.height >= a.width && b.height >= b.width) return false;
  } else if (Math.abs(a.angle - b.angle) > MAX_TILT) return false;
  const low = Math.min(a.height, b.height);
  const high = Math.max(a.height, b.height);
  if (high > low * MAX_HEIGHT_RATIO) return false;
  const axis = a.width >= b.width ? a.angle : b.angle;
  const dx = b.centreX - a.centreX;
  const dy = b.centreY - a.centreY;
  const along = Math.abs(dx * Math.cos(axis) + dy * Math.sin(axis));
  const across = Math.abs(-dx * Math.sin(axis) + dy * Math.cos(axis));
  return across <= MAX_OFFSET * low && along - (a.width + b.width) / 2 <= MAX_GAP * low;
}

/**
 * Joins pieces of one line that the detector found apart. Their boxes overlap once unclipped, so that read one by one
 * they would see parts of each other's glyphs.
 */
export function joinLines(boxes: readonly OrientedBox[]): OrientedBox[] {
  const lines = [...boxes].sort((a, b) => a.centreX - b.centreX);
  for (let i = 0; i < lines.length; i++) {
    for (let j = i + 1; j < lines.length; j++) {
      if (!belongs(lines[i]!, lines[j]!)) continue;
      lines[i] = smallestBox([...corners(lines[i]!), ...corners(lines[j]!)]);
      lines.splice(j, 1);
      j = i;
    }
  }
  return lines;
}
