import { OneAtATime } from '../one-at-a-time.ts';
import { createStaticEmbedder } from './static-embedder.ts';
import type { ClosableEmbedder } from './text-embedder.ts';
import type { TextModel } from './text-model.ts';

/** Holds one text embedding at a time; asking for another frees the one before. */
export class TextHost {
  readonly #models = new OneAtATime(loadTextEmbedder);

  /** @throws ModelError load-failed, run-failed; the signal's reason when aborted */
  async embed(
    model: TextModel,
    texts: readonly string[],
    kind: 'query' | 'passage',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    return (await this.#models.get(model)).embed(texts, kind, signal);
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
