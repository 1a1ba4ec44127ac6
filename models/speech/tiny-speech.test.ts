import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSpeechRecogniser } from './load-recogniser.ts';
import { type Phrase, SPEECH_RATE, type SpeechRecogniser } from './speech-recogniser.ts';
import { silence } from './testing/sounds.ts';
import { melody, placed, TINY_WHISPER, tinyMoonshine } from './testing/tiny-speech.ts';

const textOf = (phrases: readonly Phrase[]) => phrases.map(({ text }) => text);

describe('a multilingual Whisper', () => {
  let recogniser: SpeechRecogniser;
  beforeAll(async () => {
    recogniser = await loadSpeechRecogniser({ name: 'tiny-whisper', version: '1', folder: TINY_WHISPER });
  });
  afterAll(() => recogniser?.dispose());

  it.each(['do re mi', 'sol re ti', 'mi la'])(
    'writes down %s, with its times and the language it hears itself',
    async (notes) => {
      const sound = melody(notes);
      const phrases = await recogniser.recognise(placed(6, [[1, sound]]));
      expect(textOf(phrases)).toEqual([`${notes}.`]);
      const [phrase] = phrases;
      expect(phrase!.language).toBe('it');
      expect(phrase!.confidence).toBeGreaterThan(0.5);
      expect(Math.abs(phrase!.startMs - 1_000)).toBeLessThan(200);
      expect(Math.abs(phrase!.endMs - 1_000 - (sound.length * 1_000) / SPEECH_RATE)).toBeLessThan(200);
    },
  );
  it('parts phrases at their pause', async () => {
    const sound = placed(8, [
      [0.5, melody('do re mi')],
      [3, melody('ti do')],
    ]);
    const phrases = await recogniser.recognise(sound);
    expect(textOf(phrases)).toEqual(['do re mi.', 'ti do.']);
    expect(Math.abs(phrases[1]!.startMs - 3_000)).toBeLessThan(300);
  });
  it('hears the whole of more than 30 s, each phrase at its time', async () => {
    const sound = placed(36, [
      [2, melody('do mi sol')],
      [31.5, melody('sol re ti')],
    ]);
    const phrases = await recogniser.recognise(sound);
    expect(textOf(phrases)).toEqual(['do mi sol.', 'sol re ti.']);
    expect(Math.abs(phrases[1]!.startMs - 31_500)).toBeLessThan(300);
  });
  it('hears nothing in silence', async () => {
    expect(await recogniser.recognise(silence(5))).toEqual([]);
  });
  it('tells its version with its name', () => {
    expect(recogniser).toMatchObject({ name: 'tiny-whisper', version: '1', timesPhrases: true });
  });
});

describe('a Moonshine model', () => {
  let folder: string;
  let recogniser: SpeechRecogniser;
  beforeAll(async () => {
    folder = tinyMoonshine();
    recogniser = await loadSpeechRecogniser({ name: 'tiny-moonshine', version: '1', folder });
  });
  afterAll(async () => {
    await recogniser?.dispose();
    rmSync(dirname(folder), { recursive: true, force: true });
  });

  it('writes down what it hears as one phrase, as long as the sound', async () => {
    const phrases = await recogniser.recognise(placed(2, [[0.4, melody('fa la sol')]]));
    expect(textOf(phrases)).toEqual(['fa la sol.']);
    expect(phrases[0]).toMatchObject({ startMs: 0, endMs: 2_000, language: 'en' });
    expect(phrases[0]!.confidence).toBeGreaterThan(0.5);
  });
  it('cuts long sound at its quietest moments, so that phrases have times', async () => {
    const sound = placed(14, [
      [1, melody('do re mi')],
      [11.5, melody('ti do')],
    ]);
    const phrases = await recogniser.recognise(sound);
    expect(textOf(phrases)).toEqual([expect.stringMatching(/^do re mi/), 'ti do.']);
    expect(phrases[0]!.endMs).toBeLessThanOrEqual(11_500);
    expect(phrases[1]).toMatchObject({ startMs: phrases[0]!.endMs, endMs: 14_000 });
  });
  it('hears nothing in no sound, and stops when told to', async () => {
    expect(await recogniser.recognise(new Float32Array(0))).toEqual([]);
    expect(await recogniser.recognise(new Float32Array(800))).toEqual([]);
    const stopped = recogniser.recognise(placed(2, [[0, melody('do re')]]), { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });
  it('says that it does not time phrases', () => {
    expect(recogniser.timesPhrases).toBe(false);
  });
});
