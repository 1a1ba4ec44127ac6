import { corners, type OrientedBox, smallestBox } from './oriented-box.ts';

/** Post-processing constants of PP-OCRv4's differentiable-binarisation detector, as its authors publish them. */
const PIXEL_THRESHOLD = 0.3;
const BOX_THRESHOLD = 0.6;
const UNCLIP_RATIO = 1.5;
/** Boxes with a shorter side than this, px of the map, are noise. */
const MIN_SIDE = 3;
/** The detector shrinks text before it marks it; more boxes than this in one picture are texture, not text. */
const MAX_BOXES = 200;

/** Mean probability inside a box. */
function score(map: Float32Array, width: number, height: number, box: OrientedBox): number {
  const points = corners(box);
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const cos = Math.cos(box.angle);
  const sin = Math.sin(box.angle);
  let sum = 0;
  let count = 0;
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= Math.min(height - 1, Math.max(...ys)); y++) {
    for (let x = Math.max(0, Math.floor(Math.min(...xs))); x <= Math.min(width - 1, Math.max(...xs)); x++) {
      const dx = x - box.centreX;
      const dy = y - box.centreY;
      if (Math.abs(dx * cos + dy * sin) > box.width / 2 + 0.5) continue;
      if (Math.abs(-dx * sin + dy * cos) > box.height / 2 + 0.5) continue;
      sum += map[y * width + x]!;
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

/** Undoes the detector's shrinking: a rectangle grows by area × ratio ÷ perimeter on every side. */
function unclip(box: OrientedBox): OrientedBox {
  const width = box.width + 1;
  const height = box.height + 1;
  const grow = (width * height * UNCLIP_RATIO) / (2 * (width + height));
  return { ...box, width: width + 2 * grow, height: height + 2 * grow };
}

/**
 * Boxes of text lines in a probability map.
 * @param map row-major, 0..1, `width` × `height`
 * @returns boxes in px of the map with the detector's confidence, in no promised order
 */
export function findLines(
  map: Float32Array,
  width: number,
  height: number,
): { box: OrientedBox; confidence: number }[] {
  const seen = new Uint8Array(width * height);
  const stack: number[] = [];
  const found: { box: OrientedBox; confidence: number }[] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || map[start]! <= PIXEL_THRESHOLD) continue;
    // Of each row only the outermost pixels can be on the hull.
    const rows = new Map<number, { min: number; max: number }>();
    stack.push(start);
    seen[start] = 1;
    while (stack.length > 0) {
      const at = stack.pop()!;
      const y = Math.floor(at / width);
      const x = at - y * width;
      const row = rows.get(y);
      if (!row) rows.set(y, { min: x, max: x });
      else if (x < row.min) row.min = x;
      else if (x > row.max) row.max = x;
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (seen[next] || map[next]! <= PIXEL_THRESHOLD) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    const points = [...rows].flatMap(([y, { min, max }]) =>
      min === max
        ? [{ x: min, y }]
        : [
            { x: min, y },
            { x: max, y },
          ],
    );
    const box = smallestBox(points);
    if (Math.min(box.width, box.height) + 1 < MIN_SIDE) continue;
    const confidence = score(map, width, height, box);
    if (confidence >= BOX_THRESHOLD) found.push({ box: unclip(box), confidence });
  }
  return found.sort((a, b) => b.confidence - a.confidence).slice(0, MAX_BOXES);
}
