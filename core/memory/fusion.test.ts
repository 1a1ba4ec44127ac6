import { describe, expect, it } from 'vitest';
import { fuse, type Hit } from './fusion.ts';

const hit = (id: string, value: number, startMs = 0): Hit => ({ id, value, startMs });
const HALF = { vectorWeight: 0.5 };
const order = (text: Hit[], vector: Hit[], setting = HALF): string[] =>
  fuse(text, vector, setting).map((fused) => fused.id);

describe('fusion', () => {
  it('of nothing is nothing, and of one channel is that channel', () => {
    expect(fuse([], [], HALF)).toEqual([]);
    expect(order([hit('a', 3), hit('b', 5)], [])).toEqual(['b', 'a']);
    expect(order([], [hit('a', 0.2), hit('b', 0.4)])).toEqual(['b', 'a']);
  });

  it('lets a clear text match stand against a vector channel that prefers others by a little', () => {
    const text = [hit('clear', 12), hit('weak', 1)];
    const vector = [hit('other', 0.31), hit('weak', 0.3), hit('clear', 0.3), hit('far', 0)];
    expect(order(text, vector)[0]).toBe('clear');
  });

  it('follows the weight', () => {
    const text = [hit('word', 5), hit('none', 1)];
    const vector = [hit('meaning', 0.9), hit('word', 0.1)];
    expect(order(text, vector, { vectorWeight: 0.1 })[0]).toBe('word');
    expect(order(text, vector, { vectorWeight: 0.9 })[0]).toBe('meaning');
  });

  it('puts the later first among equals, also when they differ by rounding', () => {
    const text = [hit('early', 2, 10), hit('late', 2.000001, 20), hit('latest', 2, 30)];
    expect(order(text, [])).toEqual(['latest', 'late', 'early']);
  });

  it('keeps every score within (0, 1] and what each channel measured', () => {
    const fused = fuse([hit('a', 7)], [hit('a', 0.5), hit('b', -0.2)], HALF);
    expect(fused[0]).toEqual({ id: 'a', startMs: 0, score: 1, cosine: 0.5, textScore: 7, picture: null });
    expect(fused[1]?.score).toBeGreaterThan(0);
    expect(fused[1]).toMatchObject({ cosine: -0.2, textScore: null });
  });
});
