/** The embedding a run is measured with: the product's own classes, loaded into this process. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CATALOGUE } from '../../models/catalogue/index.ts';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import { loadTextEmbedder } from '../../models/embedding/text-host.ts';
import { BUILT_IN_TEXT_MODEL, textModelOf } from '../../models/embedding/text-model.ts';
import { FootnoteError } from '../contract/index.ts';

const TEXT_MODELS = CATALOGUE.filter(({ task, bundled }) => task === 'text-embedding' && bundled === null);
/** Short names for what is measured most. */
const SHORT: Readonly<Record<string, string>> = { minilm: 'minilm-l6-int8' };

export const EMBEDDINGS: readonly string[] = [
  'static',
  ...Object.keys(SHORT),
  ...TEXT_MODELS.map(({ id }) => id),
];

/**
 * Loads an embedding by name.
 * @param name one of EMBEDDINGS
 * @param folders that may hold models: by id (as the model store keeps them) or by repository name
 * @throws FootnoteError BAD_REQUEST for an unknown name, MODEL_MISSING; ModelError load-failed
 */
export async function openEmbedder(name: string, folders: readonly string[]): Promise<TextEmbedder> {
  if (name === 'static' || name === BUILT_IN_TEXT_MODEL.name) return loadTextEmbedder(BUILT_IN_TEXT_MODEL);
  const entry = TEXT_MODELS.find(({ id }) => id === (SHORT[name] ?? name));
  if (!entry)
    throw new FootnoteError(
      'BAD_REQUEST',
      `There is no text embedding "${name.slice(0, 40)}". Names: ${EMBEDDINGS.join(', ')}.`,
    );
  const places = folders.flatMap((folder) => [
    path.join(folder, entry.id),
    ...(entry.repository === null ? [] : [path.join(folder, entry.repository)]),
    folder,
  ]);
  const folder = places.find((place) => entry.files.every((file) => existsSync(path.join(place, file.path))));
  const model = folder
    ? textModelOf({ id: entry.id, title: entry.title, entry, folder, builtIn: false })
    : null;
  if (!model)
    throw new FootnoteError(
      'MODEL_MISSING',
      `${entry.title} is not here. Fetch it with "footnote models get ${entry.id}", or name its folder with --models.`,
    );
  return loadTextEmbedder(model);
}

/**
 * The same embedder with passages remembered: ten systems embed one stream once. Questions are embedded each time, since that is part
 * of what a question costs.
 */
export function rememberingPassages(embedder: TextEmbedder): TextEmbedder {
  const known = new Map<string, Float32Array>();
  return {
    name: embedder.name,
    dims: embedder.dims,
    async embed(texts, kind, signal) {
      if (kind === 'query') return embedder.embed(texts, kind, signal);
      const fresh = [...new Set(texts.filter((text) => !known.has(text)))];
      const vectors = await embedder.embed(fresh, kind, signal);
      fresh.forEach((text, n) => {
        known.set(text, vectors[n]!);
      });
      return texts.map((text) => known.get(text)!);
    },
  };
}
