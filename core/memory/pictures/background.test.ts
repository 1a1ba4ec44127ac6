import { describe, expect, it } from 'vitest';
import { fuse } from '../fusion.ts';
import { backgroundOf, stillHolds, strengthOf } from './background.ts';
import { captionOf } from './caption.ts';

describe('what a question is captioned with', () => {
  it.each([
    ['Where did I see a red bicycle?', 'a photo of a red bicycle'],
    ['When did I last see the two blue books?', 'a photo of two blue books'],
    ['show me my purple plant', 'a photo of purple plant'],
    ['see red bicycle', 'a photo of red bicycle'],
    ['red bicycle', 'a photo of red bicycle'],
    ['see', 'a photo of see'],
    ['?', 'a photo of '],
  ])('%s', (query, caption) => {
    expect(captionOf(query)).toBe(caption);
  });
});

describe('how clearly a picture is like a question', () => {
  it('means the same whatever range the cosines of a model lie in', () => {
    const clip = backgroundOf([0.2, 0.22, 0.24, 0.21, 0.23], 100);
    const siglip = backgroundOf([0.02, 0.022, 0.024, 0.021, 0.023], 100);
    expect(strengthOf(0.22, clip)).toBeCloseTo(0);
    expect(strengthOf(0.3, clip)).toBeCloseTo(strengthOf(0.03, siglip));
  });

  it('is not misled by a thing that a library does hold', () => {
    const without = backgroundOf([0.2, 0.21, 0.22, 0.23, 0.24], 100);
    const withOne = backgroundOf([0.2, 0.21, 0.22, 0.23, 0.9], 100);
    expect(withOne.median).toBe(without.median);
  });

  it('makes no find of everything where all texts come out alike', () => {
    expect(Number.isFinite(strengthOf(0.1, backgroundOf([0.1, 0.1, 0.1], 3)))).toBe(true);
  });

  it('is measured anew when a library has grown or shrunk', () => {
    const background = backgroundOf([0.1, 0.2], 100);
    expect([90, 110].map((rows) => stillHolds(background, rows))).toEqual([true, true]);
    expect([50, 126].map((rows) => stillHolds(background, rows))).toEqual([false, false]);
    expect(stillHolds(null, 0)).toBe(false);
  });
});

describe('pictures beside words', () => {
  const setting = { vectorWeight: 0.45 };
  const text = [
    { id: 'a', startMs: 1, value: 4 },
    { id: 'b', startMs: 2, value: 2 },
  ];
  const pictureSetting = { weight: 1, full: 2 };

  it('add nothing when none is like the question', () => {
    const weak = [
      { id: 'b', startMs: 2, value: -0.5, n: 0 },
      { id: 'c', startMs: 3, value: 0, n: 0 },
    ];
    const alone = fuse(text, [], setting);
    const beside = fuse(text, [], setting, weak, pictureSetting);
    expect(beside.map(({ id, score }) => [id, score])).toEqual(alone.map(({ id, score }) => [id, score]));
    expect(beside[1]!.picture).toEqual({ strength: -0.5, n: 0 });
  });

  it('bring up an episode that no word matches, and never outweigh the best match of words and picture', () => {
    const clear = [
      { id: 'c', startMs: 3, value: 2.5, n: 1 },
      { id: 'a', startMs: 1, value: 2, n: 0 },
    ];
    const fused = fuse(text, [], setting, clear, pictureSetting);
    expect(fused.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
    expect(fused.every(({ score }) => score > 0 && score <= 1)).toBe(true);
  });
});
