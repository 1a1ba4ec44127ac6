import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOBODY } from '../speech/testing/sounds.ts';
import { speechSpans } from './speech-spans.ts';
import { loadVoiceDetector, type VoiceDetector } from './voice-detector.ts';

let detector: VoiceDetector;
beforeAll(async () => {
  detector = (await loadVoiceDetector())!;
});
afterAll(() => detector?.dispose());

describe('hearing whether somebody speaks', () => {
  it.each(Object.entries(NOBODY))('hears nobody in %s', async (_, sound) => {
    expect(speechSpans(await detector.probabilities(sound(15)))).toEqual([]);
  });
  it('judges every 32 ms begun, and nothing of no sound', async () => {
    expect(await detector.probabilities(new Float32Array(16_000))).toHaveLength(32);
    expect(await detector.probabilities(new Float32Array(16_001))).toHaveLength(32);
    expect(await detector.probabilities(new Float32Array(0))).toHaveLength(0);
  });
  it('judges the same sound the same again', async () => {
    const sound = NOBODY.music!(3);
    expect(await detector.probabilities(sound)).toEqual(await detector.probabilities(sound));
  });
  it('stops when told to', async () => {
    const stopped = detector.probabilities(new Float32Array(160_000), AbortSignal.abort());
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });
  it('says what is wrong with weights that cannot be loaded', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'footnote-voice-'));
    const weights = join(dir, 'broken.onnx');
    await writeFile(weights, 'no weights');
    const reasons: string[] = [];
    const onMissing = (reason: string) => reasons.push(reason);
    expect(await loadVoiceDetector({ weights, onMissing })).toBeNull();
    expect(await loadVoiceDetector({ weights: join(dir, 'gone.onnx'), onMissing })).toBeNull();
    expect(reasons).toHaveLength(2);
    await rm(dir, { recursive: true });
  });
});
