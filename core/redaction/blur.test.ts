import { describe, expect, it } from 'vitest';
import { blurBox, blurWhole } from './blur.ts';

function noise(width: number, height: number) {
  const data = new Uint8Array((width * height * 3) / 2).map((_, i) => (i * 7919 + (i % 13) * 31) % 256);
  return { data, width, height };
}

function distinct(values: Iterable<number>): number {
  return new Set(values).size;
}

function lumaOf(picture: { data: Uint8Array; width: number }, x: number, y: number, side: number): number[] {
  return Array.from({ length: side * side }, (_, i) => {
    return picture.data[(y + Math.floor(i / side)) * picture.width + x + (i % side)]!;
  });
}

describe('blurring', () => {
  it('leaves at most four values of a box, and everything else as it was', () => {
    const picture = noise(64, 48);
    const before = picture.data.slice();
    blurBox(picture, { x: 16, y: 8, width: 32, height: 32 });
    expect(distinct(lumaOf(picture, 16, 8, 32))).toBeLessThanOrEqual(4);
    expect(picture.data.subarray(0, 8 * 64)).toEqual(before.subarray(0, 8 * 64));
    const chroma = picture.data.subarray(64 * 48);
    const box = Array.from({ length: 16 }, (_, y) => [
      ...chroma.subarray((4 + y) * 32 + 8, (4 + y) * 32 + 24),
    ]);
    expect(distinct(box.flat())).toBeLessThanOrEqual(4);
  });

  it('covers a box of fractional px wholly and takes one that reaches over the edge', () => {
    const picture = noise(64, 48);
    blurBox(picture, { x: -10.5, y: -3.2, width: 31.7, height: 20.4 });
    expect(distinct(lumaOf(picture, 0, 0, 18))).toBeLessThanOrEqual(4);
  });

  it('does nothing for a box outside the picture', () => {
    const picture = noise(64, 48);
    const before = picture.data.slice();
    blurBox(picture, { x: 100, y: 0, width: 20, height: 20 });
    blurBox(picture, { x: 0, y: -30, width: 20, height: 20 });
    expect(picture.data).toEqual(before);
  });

  it('leaves only a few patches of a whole frame', () => {
    const picture = noise(64, 48);
    blurWhole(picture);
    expect(distinct(picture.data.subarray(0, 64 * 48))).toBeLessThanOrEqual(64);
  });
});
