import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, truncateSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSpeechRecogniser } from './load-recogniser.ts';
import { SPEECH_RATE, type SpeechRecogniser } from './speech-recogniser.ts';
import { NOBODY } from './testing/sounds.ts';
import { wordErrorRate } from './testing/word-errors.ts';

const SHARED = join(import.meta.dirname, '../../../shared');
const WHISPER = join(SHARED, 'models/openai/whisper-tiny.en');
const FOOTAGE = join(SHARED, 'data/footage');
const there = existsSync(WHISPER) && existsSync(FOOTAGE);

const NASA =
  "This is the optical and science segment of the Webb space telescope in one of the largest cleanrooms in the world at NASA's Goddard Space Flight Center in Greenbelt, Maryland.";
const SONNET = "One. From fairest creatures we desire increase, that thereby beauty's rose might never die";

function soundOf(file: string, stream: string): Float32Array {
  const args = [
    '-v',
    'error',
    '-i',
    join(FOOTAGE, file),
    '-map',
    stream,
    '-ac',
    '1',
    '-ar',
    `${SPEECH_RATE}`,
  ];
  // models/ knows no footage, so the door to ffmpeg is not at hand: the binary that npm brings is always there.
  const { path } = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string };
  const bytes = execFileSync(process.env.FOOTNOTE_FFMPEG ?? path, [...args, '-f', 'f32le', '-'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
const textOf = (phrases: { text: string }[]) => phrases.map(({ text }) => text).join(' ');

describe('loading a speech model', () => {
  it('says which cannot be loaded when its folder is empty or missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footnote-speech-'));
    await writeFile(join(folder, 'config.json'), '{}');
    for (const wrong of [folder, join(folder, 'gone')]) {
      await expect(
        loadSpeechRecogniser({ name: 'whisper-test', version: 'test', folder: wrong }),
      ).rejects.toMatchObject({
        code: 'load-failed',
        message: 'The speech model whisper-test cannot be loaded.',
      });
    }
    await rm(folder, { recursive: true });
  });
});

const title = there
  ? 'recognising speech'
  : 'recognising speech: skipped, no whisper-tiny.en at ../shared/models';
describe.skipIf(!there)(title, () => {
  let recogniser: SpeechRecogniser;
  beforeAll(async () => {
    recogniser = await loadSpeechRecogniser({
      name: 'whisper-tiny.en',
      version: 'test',
      folder: WHISPER,
      dtype: 'q8',
    });
  });
  afterAll(() => recogniser?.dispose());

  it('writes down what a narrator says, phrase by phrase', async () => {
    const phrases = await recogniser.recognise(soundOf('nasa-webb-speech.mp4', '0:a:1'));
    // The one error is "clean rooms" for "cleanrooms", counted twice.
    expect(wordErrorRate(NASA, textOf(phrases))).toBeLessThanOrEqual(2 / 30);
    expect(phrases.length).toBeGreaterThan(1);
    let endMs = 0;
    for (const phrase of phrases) {
      expect(phrase.startMs).toBeGreaterThanOrEqual(endMs);
      expect(phrase.endMs).toBeGreaterThan(phrase.startMs);
      endMs = phrase.endMs;
      expect(phrase).toMatchObject({ language: 'en' });
      expect(phrase.confidence).toBeGreaterThan(0.7);
      expect(phrase.confidence).toBeLessThanOrEqual(1);
    }
    expect(endMs).toBeLessThanOrEqual(13_100);
  });
  it('writes down what a reader reads', async () => {
    const phrases = await recogniser.recognise(soundOf('audio-only-speech.mp4', '0:a:0'));
    expect(wordErrorRate(SONNET, textOf(phrases).replace('1.', 'One.'))).toBe(0);
  });
  it('keeps the times of sound longer than it hears at once', async () => {
    const once = soundOf('nasa-webb-speech.mp4', '0:a:1').subarray(0, 12.3 * SPEECH_RATE);
    const samples = new Float32Array(45 * SPEECH_RATE);
    samples.set(once, 0);
    samples.set(once, 31 * SPEECH_RATE);
    const phrases = await recogniser.recognise(samples);
    expect(wordErrorRate(`${NASA} ${NASA}`, textOf(phrases))).toBeLessThanOrEqual(6 / 60);
    expect(phrases.filter(({ startMs }) => startMs > 28_000)[0]!.startMs).toBeLessThan(33_000);
    expect(phrases.at(-1)!.endMs).toBeGreaterThan(41_000);
  });
  it.each(Object.entries(NOBODY))(
    'invents nothing on %s, even where no voice was looked for',
    async (_, sound) => {
      expect(await recogniser.recognise(sound(20))).toEqual([]);
    },
  );
  it('hears nothing in no sound', async () => {
    expect(await recogniser.recognise(new Float32Array(0))).toEqual([]);
    expect(await recogniser.recognise(new Float32Array(20))).toEqual([]);
  });
  it('stops when told to, and recognises the next', async () => {
    const abort = new AbortController();
    const long = recogniser.recognise(soundOf('nasa-webb-speech.mp4', '0:a:1'), { signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    await expect(long).rejects.toMatchObject({ name: 'AbortError' });
    expect(await recogniser.recognise(soundOf('audio-only-speech.mp4', '0:a:0'))).toHaveLength(1);
  });
  it('refuses weights that are cut off', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'footnote-speech-')), 'whisper-cut');
    cpSync(WHISPER, folder, { recursive: true });
    truncateSync(join(folder, 'onnx/decoder_model_merged_quantized.onnx'), 1_000_000);
    await expect(
      loadSpeechRecogniser({ name: 'whisper-cut', version: 'test', folder }),
    ).rejects.toMatchObject({
      code: 'load-failed',
    });
    await rm(join(folder, '..'), { recursive: true });
  });
});
