import { join } from 'node:path';
import type { ModelEntry } from '../../models/catalogue/index.ts';
import type { Location, ModelStore } from '../../models/store/index.ts';
import type { Status } from '../contract/index.ts';
import type { FaceModel } from '../perception/task.ts';

type Check = Status['checks'][number];

/** Whether the perception process can look for faces with a model that was fetched. */
export function findsFaces({ id }: Pick<ModelEntry, 'id'>): boolean {
  return id === 'centerface';
}

/** The fetched model that looks for faces, as the perception process loads it; null for the built-in one. */
export function faceModelOf({ model }: Location): FaceModel | null {
  if (!model || !findsFaces(model.entry)) return null;
  return { name: model.id, file: join(model.folder, model.entry.files[0]!.path) };
}

/**
 * What to say about looking for faces.
 * @param builtIn what is to be said about the built-in detector
 */
export async function facesCheck(models: ModelStore, builtIn: Check): Promise<Check> {
  const location = await models.locate('faces');
  const { problem, offer, model } = location;
  const { name } = builtIn;
  if (problem) return { name, ok: false, detail: problem };
  if (!builtIn.ok && !faceModelOf(location)) return builtIn;
  const get = offer ? ` ${offer.adds} To have it: footnote models get ${offer.id}.` : '';
  return { name, ok: true, detail: `${model?.title ?? 'The built-in detector'} finds faces.${get}` };
}
