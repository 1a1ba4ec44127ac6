import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { INPUT, SIZED } from './center-face.ts';
import { fixWeights, freeSizes } from './graph-edits.ts';

const HEAT_MODEL = join(import.meta.dirname, 'testing/heat-model.onnx');

async function heatOf(model: Uint8Array, batch: number, side: number): Promise<Float32Array> {
  const session = await InferenceSession.create(model, { logSeverityLevel: 4 });
  const pixels = Float32Array.from({ length: batch * 3 * side * side }, (_, n) => (n * 37) % 256);
  const outputs = await session.run({ [INPUT]: new Tensor('float32', pixels, [batch, 3, side, side]) });
  await session.release();
  return outputs['537']!.data as Float32Array;
}

describe('edits of a network’s file', () => {
  it('free a size that the runtime would insist on, and nothing else', async () => {
    const model = await readFile(HEAT_MODEL);
    const whole = await heatOf(model, 10, 256);
    await expect(heatOf(model, 1, 64)).rejects.toThrow();
    const length = model.length;
    // Four numbers of one input and four outputs.
    expect(freeSizes(model, SIZED)).toBe(20);
    expect(model.length).toBe(length);
    expect(freeSizes(model, SIZED)).toBe(0);
    expect(await heatOf(model, 1, 64)).toHaveLength(16 * 16);
    expect(await heatOf(model, 10, 256)).toEqual(whole);
  });

  it('make weights constant that were listed among the inputs', async () => {
    const model = await readFile(HEAT_MODEL);
    const before = await InferenceSession.create(model, { logSeverityLevel: 4 });
    const whole = await heatOf(model, 10, 256);
    expect(fixWeights(model, [INPUT])).toBe(7);
    expect(fixWeights(model, [INPUT])).toBe(0);
    const after = await InferenceSession.create(model, { logSeverityLevel: 4 });
    expect(after.inputNames).toEqual([INPUT]);
    expect(before.outputNames).toEqual(after.outputNames);
    const fixed = await heatOf(model, 10, 256);
    fixed.forEach((heat, n) => {
      expect(heat).toBeCloseTo(whole[n]!, 5);
    });
  });

  it('refuse bytes that are no such file', () => {
    expect(() => freeSizes(new TextEncoder().encode('not a model at all'), SIZED)).toThrow(RangeError);
    expect(freeSizes(new Uint8Array(), SIZED)).toBe(0);
  });
});
