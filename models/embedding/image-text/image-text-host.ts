import { OneAtATime } from '../../one-at-a-time.ts';
import { loadDualEncoder } from './dual-encoder.ts';
import type { ImageTextModel } from './image-text-model.ts';

/** Holds one pair of towers at a time; asking for another frees the one before. */
export class ImageTextHost {
  readonly #models = new OneAtATime(loadDualEncoder);

  /** @throws ModelError load-failed, run-failed; the signal's reason when aborted */
  async embedImages(
    model: ImageTextModel,
    jpegs: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<(Float32Array | null)[]> {
    return (await this.#models.get(model)).embedImages(jpegs, signal);
  }

  /** @throws as `embedImages` */
  async embedTexts(
    model: ImageTextModel,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    return (await this.#models.get(model)).embedTexts(texts, signal);
  }
}
