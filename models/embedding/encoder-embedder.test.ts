import { cpSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoTokenizer } from '@huggingface/transformers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelEntry } from '../catalogue/index.ts';
import { TINY_CLS_ENCODER, TINY_ENCODER, TINY_ENCODER_FOLDER } from './testing/tiny-encoder.ts';
import type { ClosableEmbedder } from './text-embedder.ts';
import { loadTextEmbedder } from './text-host.ts';
import { textModelOf } from './text-model.ts';

const TEXTS = ['a red cup', 'the train to the city was late again today', 'tea', ''];
const opened: ClosableEmbedder[] = [];

async function load(entry: ModelEntry, folder = TINY_ENCODER_FOLDER): Promise<ClosableEmbedder> {
  const { id, title } = entry;
  const embedder = await loadTextEmbedder(textModelOf({ id, title, entry, folder, builtIn: false })!);
  opened.push(embedder);
  return embedder;
}

/** The last layer for one text, straight from the runtime: a row a token. */
async function lastLayer(text: string): Promise<Float32Array[]> {
  const tokenizer = await AutoTokenizer.from_pretrained(TINY_ENCODER_FOLDER, { local_files_only: true });
  const ids = tokenizer.encode(text).map(BigInt);
  const session = await InferenceSession.create(join(TINY_ENCODER_FOLDER, 'onnx/model.onnx'));
  const shape = [1, ids.length];
  const { last_hidden_state: hidden } = await session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids), shape),
    attention_mask: new Tensor(
      'int64',
      BigInt64Array.from(ids, () => 1n),
      shape,
    ),
  });
  const values = hidden!.data as Float32Array;
  await session.release();
  return ids.map((_, t) => values.slice(t * 32, t * 32 + 32));
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function expectClose(found: Float32Array, wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((value, i) => {
    expect(found[i]).toBeCloseTo(value, 5);
  });
}

afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.dispose();
});

describe('a sentence encoder', () => {
  it('gives the mean over a text’s tokens, at unit length, in the order of the texts', async () => {
    const vectors = await (await load(TINY_ENCODER)).embed(TEXTS, 'passage');
    expect(vectors).toHaveLength(TEXTS.length);
    for (const [i, text] of TEXTS.entries()) {
      const rows = await lastLayer(text);
      const mean = Array.from({ length: 32 }, (_, d) => rows.reduce((sum, row) => sum + row[d]!, 0));
      expectClose(vectors[i]!, unit(mean));
    }
  });

  it('gives the first token’s vector where the model was trained so, with its prefix before questions', async () => {
    const embedder = await load(TINY_CLS_ENCODER);
    const [passage] = await embedder.embed(['a red cup'], 'passage');
    const [query] = await embedder.embed(['a red cup'], 'query');
    expectClose(passage!, unit([...(await lastLayer('a red cup'))[0]!]));
    expectClose(query!, unit([...(await lastLayer('look for a red cup'))[0]!]));
  });

  it('gives a text the same vector alone and among many longer ones', async () => {
    const embedder = await load(TINY_ENCODER);
    const [alone] = await embedder.embed(['tea'], 'passage');
    const many = await embedder.embed([...Array.from({ length: 40 }, () => TEXTS[1]!), 'tea'], 'passage');
    expectClose(many[40]!, [...alone!]);
  });

  it('cuts a text at the model’s limit', async () => {
    const embedder = await load(TINY_ENCODER);
    const [long, longer] = await embedder.embed(['ab '.repeat(500), 'ab '.repeat(50_000)], 'passage');
    expectClose(long!, [...longer!]);
  });

  it('stops when told to', async () => {
    const work = (await load(TINY_ENCODER)).embed(TEXTS, 'query', AbortSignal.abort());
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('refuses a model whose vectors have another length than the catalogue says', async () => {
    const embedder = await load({ ...TINY_ENCODER, text: { ...TINY_ENCODER.text!, dims: 48 } });
    await expect(embedder.embed(['tea'], 'query')).rejects.toMatchObject({ code: 'run-failed' });
  });
});

describe('a sentence encoder that is not whole', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'footnote-encoder-'));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  it('is told with a code, naming what is missing', async () => {
    await expect(load(TINY_ENCODER, join(dir, 'nowhere'))).rejects.toMatchObject({
      code: 'load-failed',
      message: expect.stringContaining('config.json is missing'),
    });
  });

  it('is told with a code when its weights are cut, and loads once they are right again', async () => {
    const folder = join(dir, 'cut');
    cpSync(TINY_ENCODER_FOLDER, folder, { recursive: true });
    truncateSync(join(folder, 'onnx/model.onnx'), 1_000);
    await expect(load(TINY_ENCODER, folder)).rejects.toMatchObject({ code: 'load-failed' });
    cpSync(TINY_ENCODER_FOLDER, folder, { recursive: true });
    expect(await (await load(TINY_ENCODER, folder)).embed(['tea'], 'query')).toHaveLength(1);
  });
});
