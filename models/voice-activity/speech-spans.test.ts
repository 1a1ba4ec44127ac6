import { describe, expect, it } from 'vitest';
import { joinSpans, quietestInstant, speechSpans } from './speech-spans.ts';
import { VOICE_FRAME_MS } from './voice-detector.ts';

/** Likelihoods from a drawing: '#' a voice, '-' perhaps, '.' none. */
function drawn(...parts: [mark: '#' | '-' | '.', frames: number][]): Float32Array {
  const value = { '#': 0.9, '-': 0.4, '.': 0.02 };
  return Float32Array.from(parts.flatMap(([mark, frames]) => new Array<number>(frames).fill(value[mark])));
}
const ms = (frames: number) => frames * VOICE_FRAME_MS;

describe('where somebody speaks', () => {
  it('is a span with a little sound on both sides', () => {
    expect(speechSpans(drawn(['.', 50], ['#', 50], ['.', 50]))).toEqual([
      { startMs: ms(50) - 200, endMs: ms(100) + 200 },
    ]);
  });
  it('goes on through a doubtful or short pause and ends at a real one', () => {
    expect(speechSpans(drawn(['#', 20], ['-', 30], ['#', 20], ['.', 8], ['#', 20]))).toHaveLength(1);
    expect(speechSpans(drawn(['#', 20], ['.', 30], ['#', 20]))).toHaveLength(2);
  });
  it('never begins with doubt, nor with a click', () => {
    expect(speechSpans(drawn(['-', 200]))).toEqual([]);
    expect(speechSpans(drawn(['.', 20], ['#', 5], ['.', 60]))).toEqual([]);
  });
  it('stays within the sound', () => {
    expect(speechSpans(drawn(['#', 40]))).toEqual([{ startMs: 0, endMs: ms(40) }]);
    expect(speechSpans(new Float32Array(0))).toEqual([]);
  });
  it('joins spans that are near enough', () => {
    const spans = [
      { startMs: 0, endMs: 10 },
      { startMs: 30, endMs: 40 },
      { startMs: 100, endMs: 110 },
    ];
    expect(joinSpans(spans, 20)).toEqual([
      { startMs: 0, endMs: 40 },
      { startMs: 100, endMs: 110 },
    ]);
  });
});

describe('where speech is best cut', () => {
  const whole = (probabilities: Float32Array) => ({ startMs: 0, endMs: ms(probabilities.length) });
  it('is the middle of the longest pause', () => {
    const sound = drawn(['#', 10], ['.', 4], ['#', 20], ['.', 10], ['#', 18]);
    expect(quietestInstant(sound, whole(sound), ms(62))).toBe(ms(39));
  });
  it('is where a voice is least likely when nobody pauses', () => {
    const sound = drawn(['#', 10], ['-', 1], ['#', 50]);
    expect(quietestInstant(sound, whole(sound), ms(61))).toBe(ms(10.5));
  });
  it('is nearest to where it was wanted among equals', () => {
    const sound = drawn(['#', 60]);
    expect(quietestInstant(sound, whole(sound), ms(60))).toBe(ms(59.5));
    expect(quietestInstant(new Float32Array(0), { startMs: 0, endMs: 0 }, 70)).toBe(70);
  });
});
