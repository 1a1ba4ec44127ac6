import { type DualEncoder, loadDualEncoder } from './dual-encoder.ts';
import type { ImageTextModel } from './image-text-model.ts';

/** Holds one pair of towers at a time; asking for another frees the one before. */
export class ImageTextHost {
  #held: { key: string; encoder: DualEncoder } | null = null;

  /** @throws ModelError load-failed, run-failed; the signal's reason when aborted */
  async embedImages(
    model: ImageTextModel,
    jpegs: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<(Float32Array | null)[]> {
    return (await this.#encoder(model)).embedImages(jpegs, signal);
  }

  /** @throws as `embedImages` */
  async embedTexts(
    model: ImageTextModel,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    return (await this.#encoder(model)).embedTexts(texts, signal);
  }

  async #encoder(model: ImageTextModel): Promise<DualEncoder> {
    const key = JSON.stringify([model.name, model.folder, model.dtype, model.threads, model.call]);
    if (this.#held?.key !== key) {
      const before = this.#held;
      this.#held = null;
      await before?.encoder.dispose();
      this.#held = { key, encoder: await loadDualEncoder(model) };
    }
    return this.#held.encoder;
  }
}
