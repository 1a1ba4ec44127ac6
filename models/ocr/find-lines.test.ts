import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLines } from './find-lines.ts';
import { joinLines } from './join-lines.ts';
import { corners, smallestBox } from './oriented-box.ts';

describe('finding lines in a probability map', () => {
  it('finds one grown box a blob, and leaves out specks and doubtful areas', () => {
    const width = 100;
    const height = 60;
    const map = new Float32Array(width * height);
    const fill = (x0: number, y0: number, x1: number, y1: number, value: number) => {
      for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) map[y * width + x] = value;
    };
    fill(10, 10, 60, 18, 0.95);
    fill(10, 40, 60, 48, 0.4);
    fill(90, 50, 91, 51, 1);
    const found = findLines(map, width, height);
    expect(found).toHaveLength(1);
    const { box, confidence } = found[0]!;
    expect(confidence).toBeCloseTo(0.95, 1);
    expect(box.centreX).toBeCloseTo(34.5);
    expect(box.centreY).toBeCloseTo(13.5);
    expect(box.width).toBeGreaterThan(55);
    expect(box.height).toBeGreaterThan(12);
    expect(box.angle).toBeCloseTo(0);
  });

  it('finds nothing in an empty map', () => {
    expect(findLines(new Float32Array(0), 0, 0)).toEqual([]);
    expect(findLines(new Float32Array(64), 8, 8)).toEqual([]);
  });
});

describe('the smallest box', () => {
  it('holds every point, level or not', () => {
    const point = fc.record({ x: fc.integer({ min: -50, max: 50 }), y: fc.integer({ min: -50, max: 50 }) });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (points) => {
        const box = smallestBox(points);
        expect(Math.abs(box.angle)).toBeLessThanOrEqual(Math.PI / 4 + 1e-9);
        for (const { x, y } of points) {
          const dx = x - box.centreX;
          const dy = y - box.centreY;
          const u = dx * Math.cos(box.angle) + dy * Math.sin(box.angle);
          const v = -dx * Math.sin(box.angle) + dy * Math.cos(box.angle);
          expect(Math.abs(u)).toBeLessThanOrEqual(box.width / 2 + 1e-6);
          expect(Math.abs(v)).toBeLessThanOrEqual(box.height / 2 + 1e-6);
        }
      }),
      { seed: 20250314 },
    );
  });

  it('recovers a tilted rectangle from its corners', () => {
    const tilted = { centreX: 40, centreY: 30, width: 50, height: 10, angle: 0.3 };
    const found = smallestBox(corners(tilted));
    expect(found.width).toBeCloseTo(50);
    expect(found.height).toBeCloseTo(10);
    expect(found.angle).toBeCloseTo(0.3);
  });
});

describe('joining pieces of a line', () => {
  const level = { height: 20, angle: 0 };

  it('joins pieces side by side and leaves columns, other lines and other sizes apart', () => {
    const joined = joinLines([
      { ...level, centreX: 100, centreY: 50, width: 80 },
      { ...level, centreX: 30, centreY: 51, width: 70 },
      { ...level, centreX: 300, centreY: 50, width: 80 },
      { ...level, centreX: 60, centreY: 80, width: 140 },
      { ...level, height: 60, centreX: 390, centreY: 50, width: 100 },
    ]);
    expect(joined).toHaveLength(4);
    const first = joined.find((box) => Math.abs(box.centreX - 67.5) < 1);
    expect(first?.width).toBeCloseTo(145, 0);
  });
});
