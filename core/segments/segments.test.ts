import { describe, expect, it } from 'vitest';
import { cutSegments, episodeId, frameOffsets } from './segments.ts';

describe('cutSegments', () => {
  it('cuts every 30 seconds and keeps a last piece of a second or more', () => {
    expect(cutSegments(70_000).map((s) => s.durationMs)).toEqual([30_000, 30_000, 10_000]);
    expect(cutSegments(61_000).map((s) => s.durationMs)).toEqual([30_000, 30_000, 1_000]);
  });
  it('joins a last piece under a second to the segment before', () => {
    expect(cutSegments(60_999).map((s) => s.durationMs)).toEqual([30_000, 30_999]);
  });
  it('keeps a whole chapter shorter than a second as one segment', () => {
    expect(cutSegments(400)).toEqual([{ index: 0, offsetMs: 0, durationMs: 400 }]);
  });
  it('gives nothing for a chapter without length', () => {
    expect(cutSegments(0)).toEqual([]);
    expect(cutSegments(Number.NaN)).toEqual([]);
  });
});

describe('frameOffsets', () => {
  it('takes the middle of equal slices, never the very last frame', () => {
    expect(frameOffsets(8_000)).toEqual([500, 1500, 2500, 3500, 4500, 5500, 6500, 7500]);
  });
});

describe('episodeId', () => {
  it('sorts as the segments do', () => {
    expect(episodeId('fabc', 2) < episodeId('fabc', 10)).toBe(true);
  });
});
