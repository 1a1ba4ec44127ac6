import { createStaticEmbedder } from './static-embedder.ts';
import type { ClosableEmbedder } from './text-embedder.ts';
import type { TextModel } from './text-model.ts';

/** Holds one text embedding at a time; asking for another frees the one before. */
export class TextHost {
  #held: { key: string; embedder: ClosableEmbedder } | null = null;

  /** @throws ModelError load-failed, run-failed; the signal's reason when aborted */
  async embed(
    model: TextModel,
    texts: readonly string[],
    kind: 'query' | 'passage',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    return (await this.#embedder(model)).embed(texts, kind, signal);
  }

  async #embedder(model: TextModel): Promise<ClosableEmbedder> {
    const key = JSON.stringify(model);
    if (this.#held?.key !== key) {
      const before = this.#held;
      this.#held = null;
      await before?.embedder.dispose();
      this.#held = { key, embedder: await loadTextEmbedder(model) };
    }
    return this.#held.embedder;
  }
}

/**
 * Loads a text embedding into this process.
 * @throws ModelError load-failed
 */
export async function loadTextEmbedder({ name, folder, encoder }: TextModel): Promise<ClosableEmbedder> {
  if (!encoder) return createStaticEmbedder(folder === null ? {} : { folder });
  // Its library takes seconds to load, which the built-in embedding does without.
  const { createEncoderEmbedder } = await import('./encoder-embedder.ts');
  return createEncoderEmbedder({ name, folder: folder ?? '', ...encoder });
}
