import type { ImageTextEmbedding, ModelEntry } from '../../catalogue/entry.ts';
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
  { id, title, entry, folder }: { id: string; title: string; entry: ModelEntry; folder: string },
  threads: number,
): (ImageTextModel & { title: string }) | null {
  if (entry.loading.by !== 'transformers' || !entry.image) return null;
  const version = entry.revision ?? entry.files.find((file) => file.path.endsWith('.onnx'))?.sha256 ?? '1';
  return {
    name: `${id}@${version.slice(0, 8)}`,
    title,
    folder,
    dtype: entry.loading.dtype,
    threads,
    call: entry.image,
  };
}
