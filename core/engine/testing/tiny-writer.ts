import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelEntry } from '../../../models/catalogue/index.ts';
import { type ModelStore, openStore } from '../../../models/store/index.ts';
import { TINY_WRITER } from '../../../models/writer/testing/scenes.ts';

/** The project's own test model, as the catalogue would have it. */
async function tinyEntry(): Promise<ModelEntry> {
  const files: ModelEntry['files'][number][] = [];
  for (const entry of await readdir(TINY_WRITER, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.md')) continue;
    const path = join(entry.parentPath, entry.name)
      .slice(TINY_WRITER.length + 1)
      .replaceAll('\\', '/');
    files.push({ path, size: (await stat(join(TINY_WRITER, path))).size, sha256: null, checked: false });
  }
  return {
    id: 'tiny-smolvlm',
    task: 'writer',
    title: 'Tiny writer',
    repository: null,
    revision: null,
    loading: { by: 'transformers', dtype: 'q8', config: { model_type: 'idefics3', architectures: [] } },
    files,
    licence: 'Apache-2.0',
    memoryMb: 100,
    memoryMeasured: true,
    languages: ['en'],
    sources: [],
    bundled: null,
    adds: 'Looks at drawn scenes.',
    standIn: null,
    rank: 1,
  };
}

/** A store in this folder that holds the test model and knows no other. */
export async function tinyWriterStore(folder: string): Promise<ModelStore> {
  const store = openStore({ dir: join(folder, 'models'), catalogue: [await tinyEntry()] });
  await store.get('tiny-smolvlm', { from: TINY_WRITER });
  return store;
}
