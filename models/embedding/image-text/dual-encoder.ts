import {
  AutoProcessor,
  AutoTokenizer,
  CLIPTextModelWithProjection,
  CLIPVisionModelWithProjection,
  env,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  type Processor,
  RawImage,
  SiglipTextModel,
  SiglipVisionModel,
  type Tensor,
} from '@huggingface/transformers';
import { ModelError } from '../../errors.ts';
import { Turns } from '../../turns.ts';
import { framesOfJpegs } from '../../writer/jpeg-frames.ts';
import { readConfig, requireFiles, unusable, weightsOf } from '../../writer/model-folder.ts';
import type { ImageTextModel } from './image-text-model.ts';
import type { PictureEmbedder } from './picture-embedder.ts';

/** A pair of towers in memory. Calls are done one after the other. */
export interface DualEncoder extends PictureEmbedder {
  /** Frees both towers after the call that is running; later calls fail with ModelError `closed`. */
  dispose(): Promise<void>;
}

interface Kind {
  vision: typeof CLIPVisionModelWithProjection | typeof SiglipVisionModel;
  text: typeof CLIPTextModelWithProjection | typeof SiglipTextModel;
  /** Names of the outputs that hold the vectors. */
  outputs: { vision: string; text: string };
}

/**
 * Kinds of towers that transformers.js 4.3 loads apart. MobileCLIP's exports call themselves `clip`, SigLIP 2 of a fixed size calls
 * itself `siglip`; SigLIP has no projection after pooling.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  clip: {
    vision: CLIPVisionModelWithProjection,
    text: CLIPTextModelWithProjection,
    outputs: { vision: 'image_embeds', text: 'text_embeds' },
  },
  siglip: {
    vision: SiglipVisionModel,
    text: SiglipTextModel,
    outputs: { vision: 'pooler_output', text: 'pooler_output' },
  },
};

/** Pictures of one run: a few, so that a signal is soon heard and memory stays flat. */
const PICTURES_A_RUN = 4;
const TEXTS_A_RUN = 16;

interface Looking {
  processor: Processor;
  model: PreTrainedModel;
}
interface Reading {
  tokenizer: PreTrainedTokenizer;
  model: PreTrainedModel;
}

/**
 * A dual encoder (CLIP- or SigLIP-shaped) from a folder, over transformers.js. A tower is loaded when it is first used: whoever only asks
 * never holds the one that looks. Nothing is fetched. The scale and bias that such models learn for their loss are not needed: they
 * change no order.
 * @throws ModelError load-failed when config.json is missing or names another kind of model
 */
export async function loadDualEncoder(model: ImageTextModel): Promise<DualEncoder> {
  const config = await readConfig(model.folder);
  const kind = KINDS[config.model_type ?? ''];
  if (!kind) throw unusable('it is no pair of towers that is known');
  return new LoadedEncoder(model, kind);
}

class LoadedEncoder implements DualEncoder {
  readonly name: string;
  readonly dims: number;
  readonly #model: ImageTextModel;
  readonly #kind: Kind;
  #looking: Promise<Looking> | null = null;
  #reading: Promise<Reading> | null = null;
  #closed = false;
  readonly #turns = new Turns();

  constructor(model: ImageTextModel, kind: Kind) {
    this.name = model.name;
    this.dims = model.call.dims;
    this.#model = model;
    this.#kind = kind;
  }

  embedImages(jpegs: readonly Uint8Array[], signal?: AbortSignal): Promise<(Float32Array | null)[]> {
    return this.#inTurn(async () => {
      const pictures = await Promise.all(jpegs.map(readPicture));
      const vectors = new Array<Float32Array | null>(jpegs.length).fill(null);
      const there = pictures.flatMap((picture, at) => (picture ? [{ picture, at }] : []));
      for (let from = 0; from < there.length; from += PICTURES_A_RUN) {
        signal?.throwIfAborted();
        const run = there.slice(from, from + PICTURES_A_RUN);
        const { processor, model } = await this.#look();
        const inputs = (await processor(run.map(({ picture }) => picture))) as Record<string, unknown>;
        const rows = this.#rows(await model(inputs), this.#kind.outputs.vision, run.length);
        for (const [n, { at }] of run.entries()) vectors[at] = rows[n]!;
      }
      return vectors;
    });
  }

  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    return this.#inTurn(async () => {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += TEXTS_A_RUN) {
        signal?.throwIfAborted();
        const { tokenizer, model } = await this.#read();
        const { maxTokens, padToMax, lowerCase } = this.#model.call;
        const run = texts
          .slice(from, from + TEXTS_A_RUN)
          .map((text) => (lowerCase ? text.toLowerCase() : text));
        const inputs = tokenizer(run, {
          padding: padToMax ? 'max_length' : true,
          truncation: true,
          max_length: maxTokens,
        }) as Record<string, unknown>;
        vectors.push(...this.#rows(await model(inputs), this.#kind.outputs.text, run.length));
      }
      return vectors;
    });
  }

  async dispose(): Promise<void> {
    this.#closed = true;
    await this.#turns.idle();
    for (const tower of [this.#looking, this.#reading]) await (await tower)?.model.dispose();
    this.#looking = null;
    this.#reading = null;
  }

  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      if (this.#closed) throw new ModelError('closed', 'The image model was closed.');
      try {
        return await act();
      } catch (error) {
        if (error instanceof ModelError || (error as Error)?.name === 'AbortError') throw error;
        throw new ModelError('run-failed', 'The image model failed.', { cause: error });
      }
    });
  }

  #look(): Promise<Looking> {
    this.#looking ??= this.#load(['preprocessor_config.json'], async (folder) => ({
      processor: await AutoProcessor.from_pretrained(folder, { local_files_only: true }),
      model: await this.#tower('vision'),
    })).catch((error: unknown) => {
      this.#looking = null;
      throw error;
    });
    return this.#looking;
  }

  #read(): Promise<Reading> {
    this.#reading ??= this.#load(['tokenizer.json', 'tokenizer_config.json'], async (folder) => ({
      tokenizer: await AutoTokenizer.from_pretrained(folder, { local_files_only: true }),
      model: await this.#tower('text'),
    })).catch((error: unknown) => {
      this.#reading = null;
      throw error;
    });
    return this.#reading;
  }

  async #load<T>(settings: readonly string[], load: (folder: string) => Promise<T>): Promise<T> {
    const { folder } = this.#model;
    await requireFiles(folder, settings);
    // Asking for local files alone still lets a look-up reach the network.
    env.allowRemoteModels = false;
    try {
      return await load(folder);
    } catch (error) {
      if (error instanceof ModelError) throw error;
      throw new ModelError('load-failed', 'The image model cannot be loaded.', { cause: error });
    }
  }

  async #tower(which: 'vision' | 'text'): Promise<PreTrainedModel> {
    const { folder, dtype, threads } = this.#model;
    await requireFiles(folder, weightsOf(`${which}_model`, dtype, await readConfig(folder)));
    return this.#kind[which].from_pretrained(folder, {
      local_files_only: true,
      dtype: dtype as 'q8',
      device: 'cpu',
      session_options: { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3 },
    });
  }

  /** Rows of an output at unit length. */
  #rows(outputs: Record<string, Tensor>, name: string, count: number): Float32Array[] {
    const tensor = outputs[name];
    if (!tensor || tensor.dims.at(-1) !== this.dims || tensor.data.length !== count * this.dims) {
      throw new ModelError('run-failed', `The image model gave no ${count} vectors of ${this.dims} numbers.`);
    }
    const values = tensor.data as Float32Array;
    return Array.from({ length: count }, (_, row) => {
      const vector = Float32Array.from(values.subarray(row * this.dims, (row + 1) * this.dims));
      const length = Math.hypot(...vector);
      if (!(length > 0) || !Number.isFinite(length)) {
        throw new ModelError('run-failed', 'The image model gave a vector without a direction.');
      }
      return vector.map((value) => value / length);
    });
  }
}

/** A JPEG as the processors take it; null for bytes that are no picture. */
async function readPicture(jpeg: Uint8Array): Promise<RawImage | null> {
  try {
    const [frame] = await framesOfJpegs([jpeg]);
    return frame ? new RawImage(frame.rgb, frame.width, frame.height, 3) : null;
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}
