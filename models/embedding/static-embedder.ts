import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError } from '../errors.ts';
import { STATIC_EMBEDDER } from './static-identity.ts';
import type { ClosableEmbedder } from './text-embedder.ts';

/** A text's rows are averaged, so more of a long text only blurs it; this is some four pages. */
const TOKENS_MAX = 2048;

/** Texts of one call to the session; what a batch holds is bounded by its longest text too. */
const BATCH_TEXTS = 64;
const BATCH_TOKENS = 16_384;

/** The piece for what the vocabulary does not know; also what an empty text consists of. */
const UNKNOWN = 0;

export interface StaticEmbedderOptions {
  /** Folder with `model.onnx` and `tokenizer.json`; default: the one beside this file. */
  folder?: string;
}

/**
 * The embedding that needs no download: a table of word-piece vectors distilled from a sentence encoder (Model2Vec family;
 * `make/README.md` says how), averaged and brought to unit length. A lookup and a sum, so well under a millisecond a text, on one
 * thread. English; other Latin-script text meets fewer known pieces.
 * @throws ModelError load-failed when its files are missing or damaged
 */
export async function createStaticEmbedder(options: StaticEmbedderOptions = {}): Promise<ClosableEmbedder> {
  const folder = options.folder ?? fileURLToPath(new URL('./static', import.meta.url));
  let session: InferenceSession;
  let tokenizer: Tokenizer;
  try {
    tokenizer = new Tokenizer(JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8')), {});
    session = await InferenceSession.create(join(folder, 'model.onnx'), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
  } catch (error) {
    throw new ModelError('load-failed', 'The built-in text embedding cannot be loaded.', { cause: error });
  }
  return {
    ...STATIC_EMBEDDER,
    async embed(texts, _kind, signal) {
      const vectors: Float32Array[] = [];
      const rows = texts.map((text) => pieces(tokenizer, text));
      for (let at = 0; at < rows.length; ) {
        signal?.throwIfAborted();
        const batch = nextBatch(rows, at);
        vectors.push(...(await embedRows(session, batch)));
        at += batch.length;
      }
      return vectors;
    },
    dispose: () => session.release(),
  };
}

/** Ids of a text's word pieces; never empty, so that every text has a vector. */
function pieces(tokenizer: Tokenizer, text: string): number[] {
  // A piece is rarely longer than a word; cutting first keeps a pasted book from being tokenised whole.
  const ids = tokenizer.encode(text.slice(0, TOKENS_MAX * 8), { add_special_tokens: false }).ids;
  return ids.length === 0 ? [UNKNOWN] : ids.slice(0, TOKENS_MAX);
}

/** As many of the next rows as fit one call, padded to the longest of them. */
function nextBatch(rows: readonly number[][], at: number): number[][] {
  const batch: number[][] = [];
  let longest = 0;
  for (const row of rows.slice(at, at + BATCH_TEXTS)) {
    longest = Math.max(longest, row.length);
    if (batch.length > 0 && longest * (batch.length + 1) > BATCH_TOKENS) break;
    batch.push(row);
  }
  return batch;
}

async function embedRows(session: InferenceSession, rows: readonly number[][]): Promise<Float32Array[]> {
  const width = Math.max(...rows.map((row) => row.length));
  const ids = new BigInt64Array(rows.length * width);
  const mask = new Float32Array(rows.length * width);
  rows.forEach((row, r) => {
    row.forEach((id, i) => {
      ids[r * width + i] = BigInt(id);
      mask[r * width + i] = 1 / row.length;
    });
  });
  const shape = [rows.length, width];
  const { vectors } = await session.run({
    ids: new Tensor('int64', ids, shape),
    mask: new Tensor('float32', mask, shape),
  });
  const flat = vectors?.data;
  if (!(flat instanceof Float32Array))
    throw new ModelError('run-failed', 'The text embedding gave no vectors.');
  const { dims } = STATIC_EMBEDDER;
  return rows.map((_, r) => flat.slice(r * dims, (r + 1) * dims));
}
