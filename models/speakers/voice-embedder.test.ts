import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiss } from '../speech/testing/sounds.ts';
import { likeness, loadVoiceEmbedder, VOICE_EMBEDDING_RATE, type VoiceEmbedder } from './voice-embedder.ts';

const GE2E = join(import.meta.dirname, 'ge2e/model.onnx');
/** Gives back frames of the features themselves: what Kaldi-based models are given. */
const FEATURES = join(import.meta.dirname, 'testing/features.onnx');

/** A buzz in the throat with two resonances: vowels of one speaker, more or less. */
function vowels(seconds: number, pitch: number, formants: readonly number[]): Float32Array {
  const step = (2 * Math.PI) / VOICE_EMBEDDING_RATE;
  return Float32Array.from({ length: seconds * VOICE_EMBEDDING_RATE }, (_, n) => {
    const wobble = pitch * (1 + 0.03 * Math.sin(step * n * 3));
    let sum = 0;
    for (let harmonic = 1; harmonic * pitch < 4_000; harmonic++) {
      const near = formants.reduce(
        (most, f) => Math.max(most, Math.exp(-(((harmonic * pitch - f) / 180) ** 2))),
        0.02,
      );
      sum += near * Math.sin(step * n * wobble * harmonic);
    }
    return 0.05 * sum;
  });
}

/** Weights of others are not in the repository; models/speakers/make puts them there. */
const made = existsSync(GE2E);

describe.skipIf(!made)('telling what a voice is like (needs models/speakers/make)', () => {
  let embedder: VoiceEmbedder;
  beforeAll(async () => {
    embedder = await loadVoiceEmbedder({ name: 'ge2e', file: GE2E, features: 'samples' });
  });
  afterAll(() => embedder?.dispose());

  it('gives vectors of unit length, the same for the same sound', async () => {
    const sound = vowels(3, 120, [600, 1_200]);
    const vector = await embedder.embed(sound);
    expect(vector).toHaveLength(256);
    expect(likeness(vector, vector)).toBeCloseTo(1, 5);
    expect(await embedder.embed(sound)).toEqual(vector);
  });
  it('hears the same voice louder, softer and shorter, and another one', async () => {
    const low = vowels(3, 110, [500, 1_100]);
    const whole = await embedder.embed(low);
    const soft = await embedder.embed(low.map((sample) => sample * 0.02));
    const short = await embedder.embed(low.subarray(0, 2 * VOICE_EMBEDDING_RATE));
    const other = await embedder.embed(vowels(3, 230, [850, 2_000]));
    expect(likeness(whole, soft)).toBeGreaterThan(0.9);
    expect(likeness(whole, short)).toBeGreaterThan(0.9);
    expect(likeness(whole, other)).toBeLessThan(0.8);
  });
  it('refuses less sound than tells anything', async () => {
    await expect(embedder.embed(hiss(1).subarray(0, 4_000))).rejects.toMatchObject({ code: 'run-failed' });
  });
  it('stops when told to', async () => {
    await expect(embedder.embed(hiss(2), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe("models that take Kaldi's features", () => {
  it('are given 80 bands without their mean, as Kaldi computes them', async () => {
    const embedder = await loadVoiceEmbedder({ name: 'features', file: FEATURES, features: 'kaldi-fbank' });
    const step = (2 * Math.PI) / VOICE_EMBEDDING_RATE;
    const sound = Float32Array.from(
      { length: VOICE_EMBEDDING_RATE },
      (_, n) => 0.3 * Math.sin(220 * step * n) + 0.1 * Math.sin(1_800 * step * n * (1 + n / 64_000)),
    );
    const frames = await embedder.embed(sound);
    await embedder.dispose();
    expect(frames).toHaveLength(98 * 80);
    // From kaldi-native-fbank 1.23 (dither 0, Hamming) for the same sound, without the mean: frame, band, value.
    const truth: [number, number, number][] = [
      [0, 5, 0.005],
      [0, 40, 8.652],
      [40, 12, 0.844],
      [40, 70, 0.454],
      [97, 30, -0.055],
      [97, 60, 0.858],
    ];
    // Vectors come at unit length: one value tells by how much they were shrunk.
    const scale = 8.652 / frames[40]!;
    for (const [frame, band, value] of truth)
      expect(frames[frame * 80 + band]! * scale).toBeCloseTo(value, 2);
  });
});

describe.skipIf(!made)('a voice model that cannot be loaded', () => {
  it('is said to be, by name', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'footnote-speakers-'));
    const cut = join(dir, 'cut.onnx');
    await copyFile(GE2E, cut);
    await truncate(cut, 100_000);
    for (const file of [cut, join(dir, 'gone.onnx')]) {
      await expect(loadVoiceEmbedder({ name: 'ge2e', file, features: 'samples' })).rejects.toMatchObject({
        code: 'load-failed',
        message: 'The voice model ge2e cannot be loaded.',
      });
    }
    await rm(dir, { recursive: true });
  });
});
