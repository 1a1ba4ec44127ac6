import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AutoModel, AutoTokenizer, env, type PreTrainedModel, type Tensor } from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { withFastestDevice } from '../runtime.ts';
import { inBatches } from './batches.ts';
import type { ClosableEmbedder } from './text-embedder.ts';
import type { EncoderFacts } from './text-model.ts';

export interface EncoderOptions extends EncoderFacts {
  /** Name to keep beside the vectors. */
  name: string;
  /** Folder of the model's files, laid out as in its repository. */
  folder: string;
}

/** Texts of one run; larger batches were not quicker on CPUs. */
const BATCH = 8;

/** What providers are timed on: about an episode's text, a few at once. */
const TRIAL = Array.from({ length: 4 }, () =>
  'I walk past the station and buy a ticket for the train. '.repeat(6),
);

/**
 * A sentence encoder over transformers.js, read from a local folder: a pooled last layer, brought to unit length. `mean` is the mean
 * over the text's tokens (Sentence-BERT, Reimers & Gurevych 2019), `cls` the first token's vector (as the BGE models were trained).
 * @throws ModelError load-failed when files are missing or cannot be loaded
 */
export async function createEncoderEmbedder(options: EncoderOptions): Promise<ClosableEmbedder> {
  const { name, folder, dims } = options;
  const failed = (why: string, cause?: unknown) =>
    new ModelError('load-failed', `The text model ${name} cannot be loaded${why}.`, { cause });
  // The library remembers for the rest of the process that a file was missing.
  for (const file of options.files) {
    const found = await stat(join(folder, ...file.split('/'))).catch(() => null);
    if (!found?.isFile() || found.size === 0) throw failed(`: ${file} is missing or empty`);
  }
  // Asking for local files alone still lets a look-up reach the network.
  env.allowRemoteModels = false;
  let encoder: Encoder;
  try {
    const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
    encoder = await withFastestDevice(folder, {
      async load(device) {
        const model = await AutoModel.from_pretrained(folder, {
          local_files_only: true,
          dtype: options.dtype as 'q8',
          ...device,
        });
        return new Encoder(options, tokenizer, model);
      },
      run: (loaded) => loaded.vectors(TRIAL),
      dispose: (loaded) => loaded.dispose(),
    });
  } catch (error) {
    throw failed('', error);
  }
  return {
    name,
    dims,
    async embed(texts, kind, signal) {
      const prefix = kind === 'query' ? options.queryPrefix : options.passagePrefix;
      return inBatches(texts, BATCH, async (batch) => {
        signal?.throwIfAborted();
        return encoder.vectors(batch.map((text) => prefix + text));
      });
    },
    dispose: () => encoder.dispose(),
  };
}

class Encoder {
  readonly #facts: EncoderFacts;
  readonly #tokenizer: Awaited<ReturnType<typeof AutoTokenizer.from_pretrained>>;
  readonly #model: PreTrainedModel;

  constructor(
    facts: EncoderFacts,
    tokenizer: Awaited<ReturnType<typeof AutoTokenizer.from_pretrained>>,
    model: PreTrainedModel,
  ) {
    this.#facts = facts;
    this.#tokenizer = tokenizer;
    this.#model = model;
  }

  async vectors(texts: readonly string[]): Promise<Float32Array[]> {
    const { maxTokens, pooling, dims } = this.#facts;
    const input = this.#tokenizer([...texts], { padding: true, truncation: true, max_length: maxTokens }) as {
      attention_mask: Tensor;
    };
    const { last_hidden_state: hidden } = (await this.#model(input)) as { last_hidden_state?: Tensor };
    if (!hidden || hidden.dims.at(-1) !== dims) {
      throw new ModelError('run-failed', `The text model gave no vectors of ${dims} numbers.`);
    }
    const pooled = pooling === 'cls' ? firstTokens(hidden) : means(hidden, input.attention_mask);
    hidden.dispose();
    return pooled.map(unit);
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
  }
}

/** [texts, tokens, dims] to the first token's vector of each text. Padding is on the right, as BERT's tokenizers have it. */
function firstTokens(hidden: Tensor): Float32Array[] {
  const [texts, tokens, dims] = hidden.dims as [number, number, number];
  const values = hidden.data as Float32Array;
  return Array.from({ length: texts }, (_, t) => values.slice(t * tokens * dims, t * tokens * dims + dims));
}

/** [texts, tokens, dims] to the sum over the tokens that the mask keeps; its direction is that of the mean. */
function means(hidden: Tensor, mask: Tensor): Float32Array[] {
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
    return sum;
  });
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
