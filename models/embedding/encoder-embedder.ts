import { AutoModel, AutoTokenizer, env, type Tensor } from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import type { TextEmbedder } from './text-embedder.ts';

export interface EncoderOptions {
  /** Folder that holds models by name; nothing is fetched. */
  modelsFolder: string;
  /** Model below that folder ("sentence-transformers/all-MiniLM-L6-v2"). */
  model: string;
  /** Vector length of the model. */
  dims: number;
  /** Texts are cut here. */
  maxTokens: number;
}

/** Texts of one call; they are sorted by length first, so little is padding. */
const BATCH = 32;

/**
 * A sentence encoder over transformers.js, read from a local folder: mean of the last layer over the text's tokens, unit
 * length.
 * @throws ModelError load-failed when the model is not in the folder or cannot be loaded
 */
export async function createEncoderEmbedder(options: EncoderOptions): Promise<TextEmbedder> {
  env.localModelPath = options.modelsFolder;
  env.allowRemoteModels = false;
  const loading = { local_files_only: true } as const;
  let tokenizer: Awaited<ReturnType<typeof AutoTokenizer.from_pretrained>>;
  let model: Awaited<ReturnType<typeof AutoModel.from_pretrained>>;
  try {
    tokenizer = await AutoTokenizer.from_pretrained(options.model, loading);
    model = await AutoModel.from_pretrained(options.model, {
      ...loading,
      session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
    });
  } catch (error) {
    throw new ModelError('load-failed', `The text model ${options.model} cannot be loaded.`, {
      cause: error,
    });
  }
  return {
    name: options.model,
    dims: options.dims,
    async embed(texts, _kind, signal) {
      const order = texts.map((_, i) => i).sort((a, b) => texts[a]!.length - texts[b]!.length);
      const vectors = new Array<Float32Array>(texts.length);
      for (let at = 0; at < order.length; at += BATCH) {
        signal?.throwIfAborted();
        const members = order.slice(at, at + BATCH);
        const input = tokenizer(
          members.map((i) => texts[i]!),
          { padding: true, truncation: true, max_length: options.maxTokens },
        ) as { attention_mask: Tensor };
        const output = (await model(input)) as { last_hidden_state: Tensor };
        const pooled = pool(output.last_hidden_state, input.attention_mask);
        members.forEach((i, row) => {
          vectors[i] = pooled[row]!;
        });
      }
      return vectors;
    },
  };
}

/** Mean over the tokens the mask keeps, then unit length: [texts, tokens, dims] to one vector a text. */
function pool(hidden: Tensor, mask: Tensor): Float32Array[] {
  const [texts, tokens, dims] = hidden.dims as [number, number, number];
  const values = hidden.data as Float32Array;
  const kept = mask.data as BigInt64Array;
  return Array.from({ length: texts }, (_, t) => {
    const sum = new Float32Array(dims);
    for (let k = 0; k < tokens; k++) {
      if (kept[t * tokens + k] === 0n) continue;
      const start = (t * tokens + k) * dims;
      for (let d = 0; d < dims; d++) sum[d]! += values[start + d]!;
    }
    const length = Math.hypot(...sum);
    return sum.map((value) => value / length);
  });
}
