import { Tensor } from '@huggingface/transformers';
import { describe, expect, it } from 'vitest';
import { WhisperListener, WhisperPrompt, type WhisperTokens } from './whisper-prompt.ts';

const MULTILINGUAL: WhisperTokens = {
  start: 2,
  end: 1,
  noSpeech: 7,
  timestampBegin: 9,
  transcribe: 5,
  languages: new Map([
    [3, 'en'],
    [4, 'pl'],
  ]),
  suppressed: [0],
};
const ENGLISH: WhisperTokens = { ...MULTILINGUAL, transcribe: null, languages: new Map() };

/** Chooses greedily among logits, one row a step, as the library does. */
function generate(tokens: WhisperTokens, steps: number[][]) {
  const listener = new WhisperListener(tokens);
  const prompt = new WhisperPrompt(tokens, listener);
  const ids = [BigInt(tokens.start)];
  for (const step of steps) {
    const logits = new Tensor('float32', Float32Array.from(step), [1, step.length]);
    prompt._call([ids], listener._call([ids], logits));
    const values = logits.data as Float32Array;
    ids.push(BigInt(values.indexOf(Math.max(...values))));
  }
  const sequence = ids.map(Number);
  return { sequence, opening: listener.opening!, said: listener.said(sequence) };
}
/** Logits of twelve tokens: these values, all others very unlikely. */
const row = (values: Record<number, number>) =>
  Array.from({ length: 12 }, (_, id) => (values[id] === undefined ? -50 : Math.log(values[id])));

describe('asking a Whisper model', () => {
  it('tells a multilingual one the language it hears, then to transcribe, whatever it would say', () => {
    const { sequence, opening, said } = generate(MULTILINGUAL, [
      row({ 3: 0.2, 4: 0.6, 6: 0.1, 7: 0.1 }),
      row({ 6: 1 }),
      row({ 9: 1 }),
      row({ 6: 0.5, 8: 0.5, 10: 0.01 }),
      row({ 1: 1 }),
    ]);
    expect(sequence.slice(0, 4)).toEqual([2, 4, 5, 9]);
    expect(opening.language).toBe('pl');
    expect(opening.languageProbability).toBeCloseTo(0.75, 5);
    expect(opening.noSpeech).toBeCloseTo(0.1, 5);
    expect(said.map(({ id }) => id)).toEqual([9, 6]);
    expect(Math.exp(said[1]!.logProbability)).toBeCloseTo(0.495, 2);
  });
  it('tells an English-only one nothing', () => {
    const { sequence, opening, said } = generate(ENGLISH, [
      row({ 9: 0.4, 7: 0.6 }),
      row({ 6: 1 }),
      row({ 1: 1 }),
    ]);
    expect(sequence[1]).toBe(7);
    expect(opening).toMatchObject({ language: 'en', languageProbability: 1 });
    expect(opening.noSpeech).toBeCloseTo(0.6, 5);
    expect(said).toHaveLength(2);
  });
  it('never lets it choose what is no speech', () => {
    const { sequence } = generate(ENGLISH, [row({ 9: 1 }), row({ 0: 0.9, 6: 0.1 }), row({ 1: 1 })]);
    expect(sequence).toEqual([2, 9, 6, 1]);
  });
});
