import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLines, isLegible, mendText } from './text-cleaning.ts';

const line = (text: string, confidence = 0.99) => ({
  text,
  confidence,
  box: { x: 0.1, y: 0.1, width: 0.3, height: 0.05 },
});

describe('mending what was read', () => {
  it.each([
    ['KRAK0W', 'KRAKOW'],
    ['PLATF0RM 4', 'PLATFORM 4'],
    ['WlFl:latte2025', 'WIFI:latte2025'],
    ['８：００，open', '8:00,open'],
    ['8:00 -19:00', '8:00 - 19:00'],
    ['two\u0000\u202Elines\n here', 'two lines here'],
  ])('%j becomes %j', (read, mended) => {
    expect(mendText(read)).toBe(mended);
  });

  it.each(['100', 'B0', 'GX010042', 'Illinois', 'Al', 'well', '14-03-2025', 'A0', '-5 to 3', '出口，北'])(
    '%j stays as it is',
    (text) => {
      expect(mendText(text)).toBe(text);
    },
  );

  it('leaves nothing to mend a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(mendText(mendText(text))).toBe(mendText(text));
      }),
      { seed: 20250314 },
    );
  });
});

describe('keeping what is text', () => {
  it('drops doubtful lines and lines without a letter or digit', () => {
    expect(
      cleanLines([line('EXIT'), line('EXIT', 0.5), line('----'), line('|'), line('EXIT', Number.NaN)]),
    ).toEqual([line('EXIT')]);
  });

  it.each([
    ['4', 0.99, false],
    ['IIIIIII', 0.99, false],
    ['-----------', 0.99, false],
    ['L1', 0.95, true],
    ['L1', 0.8, false],
    ['出口', 0.8, false],
    ['出口方向', 0.9, true],
    ['1111', 0.95, true],
    ['EXIT', 0.7, true],
  ])('%j read with %f is kept: %j', (text, confidence, kept) => {
    expect(isLegible(line(text, confidence))).toBe(kept);
  });
});
