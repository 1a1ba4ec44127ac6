import type { TextEmbedding } from '../catalogue/entry.ts';
import { versionOf } from '../catalogue/index.ts';
import type { LocatedModel } from '../store/locate.ts';
import { STATIC_EMBEDDER } from './static-identity.ts';

/** What decides how an encoder's vectors come about; the rest of it is files. */
export interface EncoderFacts extends TextEmbedding {
  /** Precision of the weights ("q8"). */
  readonly dtype: string;
  /** Everything that must be in its folder, by paths with `/`. */
  readonly files: readonly string[];
}

/** A text embedding as the model process loads it: plain data, so that it crosses to another process. */
export interface TextModel {
  /** Stored beside the vectors: catalogue id, with the version of what was fetched, since other weights make other vectors. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** Vector length. */
  readonly dims: number;
  /** Absolute path of its folder; null for the built-in embedding where it lies. */
  readonly folder: string | null;
  /** Null for a static embedding: a table of vectors, with nothing to decide. */
  readonly encoder: EncoderFacts | null;
}

/** The embedding that needs no download. */
export const BUILT_IN_TEXT_MODEL: TextModel = {
  ...STATIC_EMBEDDER,
  title: 'The built-in text embedding',
  folder: null,
  encoder: null,
};

/** Catalogue id of the model that vectors were made with, by the name stored beside them. */
export function idOfTextModel(name: string): string {
  return name.split('@')[0]!;
}

/** A located model of the catalogue as a text model; null when its entry does not say how to call it. */
export function textModelOf({ id, title, entry, folder, builtIn }: LocatedModel): TextModel | null {
  const { loading, text } = entry;
  if (!text) return null;
  const name = builtIn ? id : `${id}@${versionOf(entry)}`;
  const base = { name, title, dims: text.dims, folder };
  if (loading.by === 'onnxruntime') return { ...base, encoder: null };
  if (typeof loading.dtype !== 'string') return null;
  return { ...base, encoder: { ...text, dtype: loading.dtype, files: entry.files.map(({ path }) => path) } };
}
