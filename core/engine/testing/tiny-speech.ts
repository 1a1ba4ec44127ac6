import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { entryOf, type ModelEntry } from '../../../models/catalogue/index.ts';
import { TINY_WHISPER } from '../../../models/speech/testing/tiny-speech.ts';
import { type ModelStore, openStore } from '../../../models/store/index.ts';

/** The project's own test model, as the catalogue would have it. */
async function tinyEntry(): Promise<ModelEntry> {
  const files: ModelEntry['files'][number][] = [];
  for (const entry of await readdir(TINY_WHISPER, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name)
      .slice(TINY_WHISPER.length + 1)
      .replaceAll('\\', '/');
    files.push({ path, size: (await stat(join(TINY_WHISPER, path))).size, sha256: null, checked: false });
  }
  return {
    ...entryOf('whisper-base'),
    id: 'tiny-whisper',
    title: 'Tiny Whisper',
    repository: null,
    revision: null,
    loading: { by: 'transformers', dtype: 'fp32', config: { model_type: 'whisper', architectures: [] } },
    files,
    sources: [],
    rank: 1,
  };
}

/** Where models/speakers/make puts the voice model. */
export const GE2E_FOLDER = join(import.meta.dirname, '../../../models/speakers/ge2e');

/** A store in this folder that holds the test model and the voice model that was made beside it, and knows no other. */
export async function tinySpeechStore(folder: string): Promise<ModelStore> {
  const catalogue = [await tinyEntry(), entryOf('ge2e-resemblyzer')];
  const store = openStore({ dir: join(folder, 'models'), catalogue });
  await store.get('tiny-whisper', { from: TINY_WHISPER });
  await store.get('ge2e-resemblyzer', { from: GE2E_FOLDER });
  await store.use('speaker-embedding', 'ge2e-resemblyzer');
  return store;
}
