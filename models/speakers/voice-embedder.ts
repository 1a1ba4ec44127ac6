import { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError } from '../errors.ts';

/** Samples a second of the sound it takes. */
export const VOICE_EMBEDDING_RATE = 16_000;
/** Less sound than this tells too little of a voice, ms. */
export const SHORTEST_VOICE_MS = 500;

/** What a model takes: the sound itself, or Kaldi's 80-band log mel spectrum without its mean, as WeSpeaker's models do. */
export type VoiceFeatures = 'samples' | 'kaldi-fbank';

export interface VoiceEmbedderOptions {
  /** Name for messages. */
  name: string;
  /** The ONNX file. */
  file: string;
  features: VoiceFeatures;
}

/** Tells voices apart. Vectors of two models never compare. */
export interface VoiceEmbedder {
  readonly name: string;
  /**
   * @param samples one voice, mono, −1..1, VOICE_EMBEDDING_RATE a second, at least SHORTEST_VOICE_MS long
   * @returns the voice as a vector of unit length: the cosine of two says how alike they are
   * @throws ModelError run-failed, also for less sound than that; the signal's reason when aborted
   */
  embed(samples: Float32Array, signal?: AbortSignal): Promise<Float32Array>;
  /** Frees the model's memory; nothing may be embedded afterwards. */
  dispose(): Promise<void>;
}

/** Brings sound to the shape of a model's input. */
type Prepare = (samples: Float32Array) => Promise<Tensor>;

/** GE2E encoders hear windows of this (1.6 s and half an analysis frame on each side); shorter sound is followed by silence. */
const GE2E_SAMPLES = 160 * 160 + 400;
/** Quieter sound is made this loud, dBFS: what the encoder was trained on (Resemblyzer's `audio_norm_target_dBFS`). */
const GE2E_DBFS = -30;

async function samplesOf(samples: Float32Array): Promise<Tensor> {
  let power = 0;
  for (const sample of samples) power += sample * sample;
  const loudness = Math.sqrt(power / samples.length);
  const wanted = 10 ** (GE2E_DBFS / 20);
  const gain = loudness > 0 && loudness < wanted ? wanted / loudness : 1;
  const input = new Float32Array(Math.max(GE2E_SAMPLES, samples.length));
  samples.forEach((sample, i) => {
    input[i] = sample * gain;
  });
  return new Tensor('float32', input, [input.length]);
}

/** Kaldi's features as the library has them: 25 ms Hamming frames every 10 ms, 20 Hz to 8 kHz, their mean over time taken off. */
async function kaldiFeatures(): Promise<Prepare> {
  const { WeSpeakerFeatureExtractor } = await import('@huggingface/transformers');
  const extract = new WeSpeakerFeatureExtractor({
    sampling_rate: VOICE_EMBEDDING_RATE,
    num_mel_bins: 80,
    min_num_frames: 9,
    fbank_centering_span: null,
  });
  return async (samples) => {
    const { input_features: features } = await extract._call(samples);
    return new Tensor('float32', features.data as Float32Array, features.dims);
  };
}

class OnnxVoiceEmbedder implements VoiceEmbedder {
  readonly name: string;
  readonly #session: InferenceSession;
  readonly #prepare: Prepare;

  constructor(name: string, session: InferenceSession, prepare: Prepare) {
    this.name = name;
    this.#session = session;
    this.#prepare = prepare;
  }

  async embed(samples: Float32Array, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    try {
      if (samples.length < (SHORTEST_VOICE_MS * VOICE_EMBEDDING_RATE) / 1000) {
        throw new Error('there is too little of it');
      }
      const input = await this.#prepare(samples);
      const output = await this.#session.run({ [this.#session.inputNames[0]!]: input });
      return unit(output[this.#session.outputNames[0]!]!.data as Float32Array);
    } catch (cause) {
      throw new ModelError('run-failed', `${this.name} could not tell whose voice this is.`, { cause });
    }
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }
}

/** @throws Error when the vector has no direction */
function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!(length > 0 && Number.isFinite(length))) throw new Error('the model gave no direction');
  return vector.map((value) => value / length);
}

/** Cosine of two vectors of unit length. */
export function likeness(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/**
 * Loads a speaker-embedding model, on one thread. Nothing is fetched.
 * @throws ModelError load-failed when the file is missing or broken
 */
export async function loadVoiceEmbedder(options: VoiceEmbedderOptions): Promise<VoiceEmbedder> {
  const { name, file, features } = options;
  try {
    const session = await InferenceSession.create(file, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 3,
    });
    return new OnnxVoiceEmbedder(
      name,
      session,
      features === 'kaldi-fbank' ? await kaldiFeatures() : samplesOf,
    );
  } catch (cause) {
    throw new ModelError('load-failed', `The voice model ${name} cannot be loaded.`, { cause });
  }
}
