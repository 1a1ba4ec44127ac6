import type { TextLine } from './observation.ts';

/** All measures are in heights of the lower of two lines, so that they hold at any distance from the camera. */
const SAME_ROW_OVERLAP = 0.5;
const ROW_HEIGHT_RATIO = 2;
/** Pieces nearer than this are one row; a value at the end of a row (a price, a time) may stand further off. */
const ROW_GAP = 2.5;
const VALUE_GAP = 12;
const VALUE = /^[^\p{L}]*\p{N}[^\p{L}]*(?:\p{L}{1,3})?$/u;
/** Rows nearer than this under each other, of like size and over each other, are one block: a sign, a receipt. */
const BLOCK_GAP = 1.6;
const BLOCK_HEIGHT_RATIO = 2.5;
const BLOCK_OVERLAP = 0.3;

type Box = TextLine['box'];

/** Length shared by two intervals; negative when they are apart. */
function shared(startA: number, lengthA: number, startB: number, lengthB: number): number {
  return Math.min(startA + lengthA, startB + lengthB) - Math.max(startA, startB);
}

function around(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/**
 * Whether `right` goes on where `left` ends.
 * @param aspect width of the frame over its height: brings widths into the unit of heights
 */
function continues(left: TextLine, right: TextLine, aspect: number): boolean {
  const low = Math.min(left.box.height, right.box.height);
  const high = Math.max(left.box.height, right.box.height);
  if (high > low * ROW_HEIGHT_RATIO) return false;
  if (shared(left.box.y, left.box.height, right.box.y, right.box.height) < SAME_ROW_OVERLAP * low)
    return false;
  const gap = ((right.box.x - left.box.x - left.box.width) * aspect) / low;
  return gap <= (VALUE.test(right.text) ? VALUE_GAP : ROW_GAP);
}

/** Joins the pieces of each row from left to right; confidence is the mean by length. */
export function formRows(lines: readonly TextLine[], aspect: number): TextLine[] {
  const rows: TextLine[] = [];
  for (const line of [...lines].sort((a, b) => a.box.x - b.box.x)) {
    const candidates = rows
      .map((row, index) => ({ row, index, gap: line.box.x - row.box.x - row.box.width }))
      .filter(({ row }) => continues(row, line, aspect))
      .sort((a, b) => a.gap - b.gap);
    const before = candidates[0];
    if (!before) {
      rows.push(line);
      continue;
    }
    const { row, index } = before;
    const size = row.text.length + line.text.length;
    rows[index] = {
      text: `${row.text} ${line.text}`,
      confidence: (row.confidence * row.text.length + line.confidence * line.text.length) / size,
      box: around(row.box, line.box),
    };
  }
  return rows.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
}

/** Whether two rows of one frame stand under each other as parts of one thing. */
function stacked(upper: TextLine, lower: TextLine): boolean {
  const low = Math.min(upper.box.height, lower.box.height);
  const high = Math.max(upper.box.height, lower.box.height);
  if (high > low * BLOCK_HEIGHT_RATIO) return false;
  const gap = lower.box.y - upper.box.y - upper.box.height;
  if (gap > BLOCK_GAP * low || lower.box.y < upper.box.y) return false;
  const narrower = Math.min(upper.box.width, lower.box.width);
  return shared(upper.box.x, upper.box.width, lower.box.x, lower.box.width) >= BLOCK_OVERLAP * narrower;
}

/** Pairs of row indexes that belong to one block. */
export function stackedPairs(rows: readonly TextLine[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < rows.length; i++) {
    for (let j = i + 1; j < rows.length; j++) {
      if (stacked(rows[i]!, rows[j]!) || stacked(rows[j]!, rows[i]!)) pairs.push([i, j]);
    }
  }
  return pairs;
}
