import { cp, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldOutScenes } from '../../writer/testing/scenes.ts';
import { type DualEncoder, loadDualEncoder } from './dual-encoder.ts';
import { drawJpeg, TINY_CLIP_FOLDER, TINY_CLIP_MODEL } from './testing/tiny-clip.ts';

const RED_CUP = { place: 'table', object: 'cup', colour: 'red', count: 1, seed: 3 } as const;
const BLUE_BAG = { place: 'street', object: 'bag', colour: 'blue', count: 1, seed: 5 } as const;

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

let encoder: DualEncoder;
beforeAll(async () => {
  encoder = await loadDualEncoder(TINY_CLIP_MODEL);
});
afterAll(() => encoder.dispose());

describe('a pair of towers', () => {
  it('gives unit vectors of one space: a text is nearest the picture it is true of', async () => {
    const pictures = await encoder.embedImages([await drawJpeg(RED_CUP), await drawJpeg(BLUE_BAG)]);
    const texts = await encoder.embedTexts(['a red cup', 'a blue bag']);
    for (const vector of [...pictures, ...texts]) {
      expect(vector).toHaveLength(64);
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
    }
    expect(cosine(texts[0]!, pictures[0]!)).toBeGreaterThan(cosine(texts[0]!, pictures[1]!) + 0.1);
    expect(cosine(texts[1]!, pictures[1]!)).toBeGreaterThan(cosine(texts[1]!, pictures[0]!) + 0.1);
  });

  it('gives the same vectors in a batch as one by one', async () => {
    const jpegs = await Promise.all(heldOutScenes(6).map((scene) => drawJpeg(scene)));
    const together = await encoder.embedImages(jpegs);
    for (const [n, jpeg] of jpegs.entries()) {
      const [alone] = await encoder.embedImages([jpeg]);
      // Activations are quantised over what runs together, so the last digits differ.
      expect(cosine(alone!, together[n]!)).toBeGreaterThan(0.99);
    }
    expect(await encoder.embedImages([])).toEqual([]);
    expect(await encoder.embedTexts([])).toEqual([]);
  });

  it('says which bytes are no picture, and embeds the rest', async () => {
    const jpeg = await drawJpeg(RED_CUP);
    const vectors = await encoder.embedImages([new Uint8Array(0), jpeg, Buffer.from('no picture')]);
    expect(vectors.map((vector) => vector?.length ?? null)).toEqual([null, 64, null]);
  });

  it('cuts a text that is too long, and takes one that says nothing', async () => {
    const [long, empty] = await encoder.embedTexts(['a red cup '.repeat(500), '']);
    expect(long).toHaveLength(64);
    expect(empty).toHaveLength(64);
  });

  it('stops when asked to', async () => {
    const abort = new AbortController();
    abort.abort();
    await expect(encoder.embedTexts(['a cup'], abort.signal)).rejects.toThrow(/abort/i);
    await expect(encoder.embedImages([await drawJpeg(RED_CUP)], abort.signal)).rejects.toThrow(/abort/i);
  });

  it('fills texts up to the same length where the model was trained so', async () => {
    const padded = await loadDualEncoder({
      ...TINY_CLIP_MODEL,
      call: { ...TINY_CLIP_MODEL.call, padToMax: true, lowerCase: true },
    });
    const [shouted, said] = await padded.embedTexts(['A RED CUP', 'a red cup']);
    expect(shouted).toEqual(said);
    await padded.dispose();
  });

  it('refuses work once it is closed', async () => {
    const other = await loadDualEncoder(TINY_CLIP_MODEL);
    await other.embedTexts(['a cup']);
    await other.dispose();
    await expect(other.embedTexts(['a cup'])).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('a model that cannot be loaded', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'footnote-clip-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  const broken = async (name: string, harm: (folder: string) => Promise<void>) => {
    const folder = join(dir, name);
    await cp(TINY_CLIP_FOLDER, folder, { recursive: true });
    await harm(folder);
    return { ...TINY_CLIP_MODEL, folder };
  };

  it('names the file that is missing, and still does what needs it not', async () => {
    const half = await loadDualEncoder(
      await broken('half', (folder) => rm(join(folder, 'onnx', 'vision_model_quantized.onnx'))),
    );
    await expect(half.embedImages([await drawJpeg(RED_CUP)])).rejects.toMatchObject({
      code: 'load-failed',
      message: expect.stringContaining('vision_model_quantized.onnx'),
    });
    expect(await half.embedTexts(['a red cup'])).toHaveLength(1);
    await half.dispose();
  });

  it('is told from one that is there: cut weights, another kind, vectors of another length', async () => {
    const cut = await loadDualEncoder(
      await broken('cut', (folder) => truncate(join(folder, 'onnx', 'text_model_quantized.onnx'), 1000)),
    );
    await expect(cut.embedTexts(['a cup'])).rejects.toMatchObject({ code: 'load-failed' });
    await expect(
      loadDualEncoder(await broken('none', (folder) => rm(join(folder, 'config.json')))),
    ).rejects.toMatchObject({ code: 'load-failed' });
    const longer = await loadDualEncoder({
      ...TINY_CLIP_MODEL,
      call: { ...TINY_CLIP_MODEL.call, dims: 512 },
    });
    await expect(longer.embedTexts(['a cup'])).rejects.toMatchObject({ code: 'run-failed' });
    await longer.dispose();
  });
});
