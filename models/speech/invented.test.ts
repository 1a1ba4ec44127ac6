import { describe, expect, it } from 'vitest';
import { isInvented, loops, withoutLoops } from './invented.ts';

const said = { text: 'I left the keys in the bowl.', durationMs: 2_000, logProbability: -0.3, noSpeech: 0.1 };

describe('words a recogniser made up', () => {
  it('are not those it is sure of', () => {
    expect(isInvented(said)).toBe(false);
    expect(isInvented({ ...said, noSpeech: 0.9 })).toBe(false);
  });
  it('are those it doubts, the sooner when it says that nobody speaks', () => {
    expect(isInvented({ ...said, logProbability: -1.2 })).toBe(true);
    expect(isInvented({ ...said, logProbability: -0.7 })).toBe(false);
    expect(isInvented({ ...said, logProbability: -0.7, noSpeech: 0.9 })).toBe(true);
  });
  it('are marks for sounds, and nothing at all', () => {
    for (const text of ['[Music]', '(wind blowing)', '♪ la la ♪', '...', '']) {
      expect(isInvented({ ...said, text }), text).toBe(true);
    }
  });
  it('are more than can be said in the time', () => {
    expect(
      isInvented({ ...said, text: 'the quick brown fox jumps over the lazy dog', durationMs: 400 }),
    ).toBe(true);
  });
  it('are one phrase over and over, and what was said before that stays', () => {
    const phrases = ['We go on.', 'The', 'The.', 'the', 'The'].map((text) => ({ text }));
    expect(withoutLoops(phrases)).toEqual([{ text: 'We go on.' }]);
    const answers = ['No.', 'No.', 'No.', 'Fail better.'].map((text) => ({ text }));
    expect(withoutLoops(answers)).toEqual(answers);
    const turns = Array.from({ length: 12 }, (_, i) => ({ text: i % 2 ? 'and the' : 'and then' }));
    expect(withoutLoops(turns)).toEqual([]);
    expect(withoutLoops([])).toEqual([]);
  });
  it('are loops, while people do say things twice or three times', () => {
    expect(loops('So, so, so, so, so, so')).toBe(true);
    expect(loops('thank you very much thank you very much thank you very much thank you very much')).toBe(
      true,
    );
    expect(loops('Ha '.repeat(60))).toBe(true);
    expect(loops('no, no, no, that is not mine')).toBe(false);
    expect(loops('one two three one two three and go')).toBe(false);
    expect(loops('')).toBe(false);
  });
});
