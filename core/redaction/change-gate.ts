import type { Box } from '../../models/faces/face-detector.ts';
import type { HalfLuma } from './clip-frame.ts';

/** Side of the blocks compared, px of half luma: a face of 15 px fills most of one. */
const BLOCK = 8;
/** Mean difference of a block, of 255, at which its region counts as changed: above sensor noise, below any new thing. */
const CHANGED = 5;

/** Remembers how a region looked when it was last searched, and tells whether it still looks so. */
export class ChangeGate {
  readonly #region: Box;
  #reference: Uint8Array | null = null;

  /** @param region px of the whole picture */
  constructor(region: Box) {
    this.#region = region;
  }

  /** Whether any block of the region differs from the reference; true without one. */
  changed(half: HalfLuma): boolean {
    const reference = this.#reference;
    if (!reference) return true;
    const { left, top, right, bottom } = this.#span(half);
    const width = right - left;
    for (let y = top; y < bottom; y += BLOCK) {
      const rows = Math.min(BLOCK, bottom - y);
      for (let x = left; x < right; x += BLOCK) {
        const columns = Math.min(BLOCK, right - x);
        let sum = 0;
        // Every other px, as on a chequerboard: half the work, the same mean.
        for (let dy = 0; dy < rows; dy += 1) {
          let at = (y + dy) * half.width + x + (dy & 1);
          let was = (y - top + dy) * width + (x - left) + (dy & 1);
          for (let dx = dy & 1; dx < columns; dx += 2, at += 2, was += 2) {
            const difference = half.data[at]! - reference[was]!;
            sum += difference < 0 ? -difference : difference;
          }
        }
        if (sum * 2 > CHANGED * rows * columns) return true;
      }
    }
    return false;
  }

  /** Takes this picture as the reference. */
  remember(half: HalfLuma): void {
    const { left, top, right, bottom } = this.#span(half);
    const width = right - left;
    this.#reference ??= new Uint8Array(width * (bottom - top));
    for (let y = top; y < bottom; y += 1) {
      this.#reference.set(
        half.data.subarray(y * half.width + left, y * half.width + right),
        (y - top) * width,
      );
    }
  }

  #span(half: HalfLuma) {
    const { x, y, width, height } = this.#region;
    return {
      left: Math.max(0, Math.floor(x / 2)),
      top: Math.max(0, Math.floor(y / 2)),
      right: Math.min(half.width, Math.ceil((x + width) / 2)),
      bottom: Math.min(half.height, Math.ceil((y + height) / 2)),
    };
  }
}
