import { type ImageTextEmbedding, type ModelEntry, versionOf } from '../../catalogue/index.ts';
import type { Dtype } from '../../writer/model-folder.ts';

/** A pair of image and text towers, as the model process loads it. Plain data: it crosses to another process. */
export interface ImageTextModel {
  /** Stable name that changes with the weights; stored with what the model embedded. */
  readonly name: string;
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly dtype: Dtype;
  readonly threads: number;
  readonly call: ImageTextEmbedding;
}

/** What to load of an installed model of the catalogue; null when it is no pair of towers that can be loaded. */
export function imageTextModelOf(
  { id, entry, folder }: { id: string; entry: ModelEntry; folder: string },
  threads: number,
): ImageTextModel | null {
  if (entry.loading.by !== 'transformers' || !entry.image) return null;
  return {
    name: `${id}@${versionOf(entry)}`,
    folder,
    dtype: entry.loading.dtype,
    threads,
    call: entry.image,
  };
}
