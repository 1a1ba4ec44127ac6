import { describe, expect, it } from 'vitest';
import { spansOfTokens } from './whisper-tokens.ts';

const BEGIN = 1000;
const tokens = (...ids: number[]) => ids.map((id) => ({ id, logProbability: -0.1 }));
const at = (seconds: number) => BEGIN + seconds * 50;
const spans = (...ids: number[]) =>
  spansOfTokens(tokens(...ids), BEGIN, 10_000).map(({ startMs, endMs, tokens: words }) => [
    startMs,
    endMs,
    words.map(({ id }) => id),
  ]);

describe('cutting output at its times', () => {
  it('gives each phrase its own span', () => {
    expect(spans(at(0), 1, 2, at(2.4), at(2.4), 3, at(4.8))).toEqual([
      [0, 2400, [1, 2]],
      [2400, 4800, [3]],
    ]);
  });
  it('lets a phrase that was cut off end with the sound', () => {
    expect(spans(at(1), 1, 2)).toEqual([[1000, 10_000, [1, 2]]]);
  });
  it('never ends before it starts, nor after the sound', () => {
    expect(spans(at(4), 1, at(2), at(2), 2, at(29))).toEqual([
      [4000, 4000, [1]],
      [2000, 10_000, [2]],
    ]);
  });
  it('is nothing when nothing was said', () => {
    expect(spans()).toEqual([]);
    expect(spans(at(0), at(5))).toEqual([]);
  });
});
