import type { ModelClient } from '../../models/client.ts';
import { imageTextModelOf } from '../../models/embedding/image-text/image-text-model.ts';
import type { PictureEmbedder } from '../../models/embedding/image-text/picture-embedder.ts';
import type { Location, ModelStore } from '../../models/store/index.ts';
import { sessionThreads } from '../../models/threads.ts';
import type { Status } from '../contract/index.ts';
import type { Memory } from '../memory/memory.ts';
import type { PictureMemory } from '../memory/pictures/picture-memory.ts';

/** Who holds the towers: keyframes are looked at where the writer is, questions are read where nothing else is waited for. */
export interface PictureProcesses {
  looking: Pick<ModelClient, 'embedImages'>;
  asking: Pick<ModelClient, 'embedTexts'>;
}

/** The image model that this machine can have now; null where there is none. Each process loads only the tower it is asked for. */
export function pictureEmbedderOf(
  { model }: Location,
  { looking, asking }: PictureProcesses,
): PictureEmbedder | null {
  const loaded = model && imageTextModelOf(model, sessionThreads());
  if (!loaded) return null;
  return {
    name: loaded.name,
    dims: loaded.call.dims,
    embedImages: (jpegs, signal) => looking.embedImages(loaded, jpegs, signal),
    embedTexts: (texts, signal) => asking.embedTexts(loaded, texts, signal),
  };
}

/** What to say about finding pictures by what they show. Doing without is a state Footnote is made for; a model that fails is not. */
export async function picturesCheck(
  models: ModelStore,
  memory: Pick<Memory, 'count'> & PictureMemory,
  trouble: string | null,
): Promise<Status['checks'][number]> {
  const name = 'pictures';
  const { problem, offer, model, without } = await models.locate('image-embedding');
  if (problem) return { name, ok: false, detail: problem };
  if (trouble !== null) return { name, ok: false, detail: `Keyframes are not looked at: ${trouble}` };
  if (!model) {
    const get = offer ? ` To have it: footnote models get ${offer.id}. ${offer.adds}` : '';
    return { name, ok: true, detail: `no model is here. ${without}${get}` };
  }
  const loaded = imageTextModelOf(model, 1);
  if (!loaded) return { name, ok: false, detail: `${model.title} is here, but cannot be used yet` };
  const [{ episodes }, counted] = await Promise.all([memory.count(), memory.countPictures()]);
  const done = counted?.model === loaded.name ? counted : { episodes: 0, pictures: 0, searchable: false };
  const of = `${done.pictures} keyframes can be found by what they show (${Math.min(done.episodes, episodes)} of ${episodes} episodes looked at)`;
  const open = done.episodes < episodes || (done.pictures > 0 && !done.searchable);
  const rest = open ? '; the rest follow while Footnote is open' : '';
  return { name, ok: true, detail: `${model.title}: ${of}${rest}` };
}
