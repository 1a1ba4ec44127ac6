import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createStaticEmbedder } from './static-embedder.ts';
import { STATIC_EMBEDDER } from './static-identity.ts';

const embedder = await createStaticEmbedder();

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

async function nearness(a: string, b: string): Promise<number> {
  const [x, y] = await embedder.embed([a, b], 'passage');
  return cosine(x!, y!);
}

describe('the static embedding', () => {
  it('fits the repository: at most 8 MB', () => {
    const file = fileURLToPath(new URL('./static/model.onnx', import.meta.url));
    expect(statSync(file).size).toBeLessThanOrEqual(8_000_000);
  });

  it.each([
    ['where are my keys', 'I left my keys on the kitchen counter', 'the train to the city was late'],
    ['fixing a bike', 'I repair my bicycle in the garage', 'I cook rice for dinner'],
    ['meeting with the doctor', 'an appointment at the clinic', 'a game of football in the park'],
    ['drinking something hot', 'I make a cup of tea', 'I lock the front door'],
  ])('puts %j nearer to %j than to %j', async (query, near, far) => {
    expect(await nearness(query, near)).toBeGreaterThan((await nearness(query, far)) + 0.1);
  });

  it('takes no notice of case and accents', async () => {
    expect(await nearness('CAFÉ in KRAKÓW', 'cafe in krakow')).toBeCloseTo(1, 5);
  });

  it.each(['', '   ', '🙂', '日本語', '\0', '[UNK] [CLS]', 'x'.repeat(100_000), 'word '.repeat(50_000)])(
    'gives a unit vector for any text',
    async (text) => {
      const [vector] = await embedder.embed([text], 'query');
      expect(vector).toHaveLength(STATIC_EMBEDDER.dims);
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
    },
  );

  it('gives a text the same vector alone and among longer ones', async () => {
    const long = 'I walk past the station and buy a ticket. '.repeat(60);
    const [alone] = await embedder.embed(['tea'], 'passage');
    const batch = await embedder.embed([long, 'tea', ...Array.from({ length: 100 }, () => long)], 'passage');
    expect(batch).toHaveLength(102);
    expect(cosine(alone!, batch[1]!)).toBeCloseTo(1, 5);
  });

  it('stops when told to', async () => {
    await expect(embedder.embed(['a'], 'query', AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('says with a code that its files are missing or damaged', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'footnote-static-'));
    await expect(createStaticEmbedder({ folder })).rejects.toMatchObject({ code: 'load-failed' });
    writeFileSync(path.join(folder, 'model.onnx'), 'not a model');
    writeFileSync(path.join(folder, 'tokenizer.json'), '{}');
    await expect(createStaticEmbedder({ folder })).rejects.toMatchObject({ code: 'load-failed' });
    rmSync(folder, { recursive: true });
  });
});
