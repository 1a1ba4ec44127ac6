import { describe, expect, it } from 'vitest';
import { decodeLine } from './decode-line.ts';

const glyphs = ['a', 'b', '.'];
const classes = glyphs.length + 2;
const blank = 0;
const spaceClass = classes - 1;

/** One step: the class that wins, its probability, and the space's share of the rest. */
function steps(...rows: [winner: number, probability: number, space?: number][]): Float32Array {
  const out = new Float32Array(rows.length * classes);
  rows.forEach(([winner, probability, space = 0], i) => {
    out[i * classes + winner] = probability;
    if (winner !== spaceClass) out[i * classes + spaceClass] = space;
  });
  return out;
}

const decode = (...rows: Parameters<typeof steps>) =>
  decodeLine(steps(...rows), rows.length, classes, glyphs);

describe('decoding a line', () => {
  it('drops repeats and blanks, and keeps a glyph that a blank repeats', () => {
    expect(decode([1, 1], [1, 1], [blank, 1], [1, 1], [2, 1]).text).toBe('aab');
  });

  it('writes a space where the reader saw one or half believed in one, and only between glyphs', () => {
    expect(decode([1, 1], [spaceClass, 0.9], [2, 1]).text).toBe('a b');
    expect(decode([1, 1], [blank, 0.9, 0.03], [blank, 0.9, 0.03], [2, 1]).text).toBe('a b');
    expect(decode([1, 1], [blank, 0.9, 0.01], [2, 1]).text).toBe('ab');
    expect(decode([spaceClass, 0.9], [1, 1], [spaceClass, 0.9]).text).toBe('a');
  });

  it('asks for more before a small letter after a full stop, as in an address', () => {
    expect(decode([1, 1], [3, 1], [blank, 0.8, 0.2], [2, 1]).text).toBe('a.b');
    expect(decode([1, 1], [3, 1], [spaceClass, 0.6], [2, 1]).text).toBe('a. b');
  });

  it('gives the mean of the glyphs as confidence, and 0 for no glyphs', () => {
    expect(decode([1, 0.5], [blank, 0.1], [2, 1]).confidence).toBeCloseTo(0.75);
    expect(decode([blank, 1]).confidence).toBe(0);
    expect(decodeLine(new Float32Array(0), 0, classes, glyphs)).toEqual({ text: '', confidence: 0 });
  });
});
