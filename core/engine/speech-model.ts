import { join } from 'node:path';
import { versionOf } from '../../models/catalogue/index.ts';
import type { Location, ModelStore } from '../../models/store/index.ts';
import type { Status } from '../contract/index.ts';
import type { SpeechModel, VoiceModel } from '../perception/task.ts';
import type { ModelCare } from './model-care.ts';

/** Kinds of models that `models/speech` can load. */
const HEARING = new Set(['whisper', 'moonshine']);

/** The model that hears speech, as the perception process loads it; null when none is here that can. */
export function speechModelOf({ model }: Location): SpeechModel | null {
  const loading = model?.entry.loading;
  if (!model || loading?.by !== 'transformers' || !HEARING.has(loading.config.model_type)) return null;
  return {
    name: model.id,
    version: versionOf(model.entry),
    folder: model.folder,
    dtype: typeof loading.dtype === 'string' ? loading.dtype : null,
  };
}

/** The model that tells voices apart, as the perception process loads it; null when none is here. */
export function voiceModelOf({ model }: Location): VoiceModel | null {
  const voice = model?.entry.voice;
  if (!model || !voice) return null;
  return { name: model.id, file: join(model.folder, model.entry.files[0]!.path), ...voice };
}

/** What to say about speech recognition. Doing without is a state Footnote is made for, so only a model that fails is not ok. */
export async function speechCheck(
  models: ModelStore,
  care: Pick<ModelCare, 'unloadable'>,
): Promise<Status['checks'][number]> {
  const name = 'speech recognition';
  const location = await models.locate('speech');
  const { problem, offer, model } = location;
  const trouble = problem ?? (model && care.unloadable(model.id));
  if (trouble) return { name, ok: false, detail: trouble };
  if (speechModelOf(location)) return { name, ok: true, detail: `${model!.title} hears what is said` };
  if (model) return { name, ok: false, detail: `${model.title} is here, but cannot be used yet` };
  const get = offer ? ` To have it: footnote models get ${offer.id}. ${offer.adds}` : '';
  return { name, ok: true, detail: `no model is here. ${location.without}${get}` };
}
