import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModelRegistry } from '@huggingface/transformers';
import { describe, expect, it } from 'vitest';
import { examine } from '../store/check.ts';
import { below } from '../store/files.ts';
import { bundledFolder } from '../store/manifest.ts';
import { candidates } from '../store/sources.ts';
import { CATALOGUE, entryOf, MODEL_TASKS, type ModelEntry, sizeOf, TASKS } from './index.ts';

const AT_HAND = fileURLToPath(new URL('../../../shared/models', import.meta.url));
const PLACES = { hub: 'https://hub.invalid', folders: [] };

describe('the catalogue', () => {
  it('has a model for every task, and the one to begin with', () => {
    for (const task of MODEL_TASKS) {
      expect(CATALOGUE.some((entry) => entry.task === task)).toBe(true);
      expect(entryOf(TASKS[task].recommended).task).toBe(task);
    }
    expect(() => entryOf('nonsense')).toThrow('nonsense');
  });

  it('names every model once, in letters that make a folder name anywhere', () => {
    const ids = CATALOGUE.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/);
  });

  describe.each(CATALOGUE.map((entry) => [entry.id, entry] as const))('%s', (_, entry) => {
    it('is pinned: commits, well-formed hashes, paths that stay in their folder', () => {
      for (const source of entry.sources) {
        if (source.kind === 'hub') expect(source.revision).toMatch(/^[0-9a-f]{40}$/);
        if (source.kind === 'package') expect(source.version).toMatch(/^\d+\.\d+\.\d+$/);
      }
      expect(new Set(entry.files.map(({ path }) => path)).size).toBe(entry.files.length);
      for (const { path, size, sha256, gitBlob, checked } of entry.files) {
        expect(path).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/);
        if (sha256 !== null) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
        if (gitBlob) expect(gitBlob.id).toMatch(/^[0-9a-f]{40}$/);
        if (size !== null) expect(size).toBeGreaterThan(0);
        // What was in hand has both.
        if (checked) expect(sha256 !== null && size !== null).toBe(true);
      }
    });

    it('can be come by, all its files from where some are', () => {
      const ways = entry.files.map((file) => candidates(entry, file, PLACES).length);
      const anywhere = entry.sources.length > 0;
      expect(ways.every((count) => count > 0 === anywhere)).toBe(true);
    });

    it('says what it costs and gives', () => {
      expect(sizeOf(entry).bytes).toBeGreaterThan(100_000);
      expect(entry.memoryMb).toBeGreaterThan(0);
      expect(entry.licence).toMatch(/^(Apache-2\.0|MIT|CC-BY-4\.0)$/);
      expect(entry.adds).toMatch(/\.$/);
      if (entry.standIn) expect(entryOf(entry.standIn)).toMatchObject({ task: entry.task });
      if (entry.task === 'text-embedding') expect(entry.text?.dims).toBeGreaterThan(0);
      if (entry.task === 'image-embedding') expect(entry.image?.dims).toBeGreaterThan(0);
    });

    it.runIf(entry.loading.by === 'transformers')(
      'has every file that the installed transformers.js loads for it',
      async () => {
        expect(await loadedBy(entry)).toEqual(expect.arrayContaining(['config.json']));
        for (const path of await loadedBy(entry))
          expect(entry.files.map((file) => file.path)).toContain(path);
      },
    );
  });

  it('pins the models that come with Footnote as they are', async () => {
    const builtIn = CATALOGUE.filter(({ bundled, sources }) => bundled && sources.length === 0);
    expect(builtIn.map(({ id }) => id)).toEqual(['footnote-static-1', 'pp-ocr-v4', 'blazeface-back-256']);
    for (const entry of builtIn) {
      const folder = await bundledFolder(entry);
      expect(folder, `${entry.id} is not as the catalogue says`).not.toBeNull();
      for (const file of entry.files) await examine(below(folder!, file.path), file, file.path);
    }
  });

  it.skipIf(!existsSync(AT_HAND))(
    'pins the models of the local folder as they are (needs ../shared/models)',
    async () => {
      const ids = ['minilm-l6-int8', 'whisper-tiny.en', 'smollm2-135m-instruct', 'tiny-smolvlm', 'tiny-clip'];
      for (const entry of ids.map((id) => entryOf(id))) {
        const folder = join(AT_HAND, ...entry.repository!.split('/'));
        for (const file of entry.files) await examine(below(folder, file.path), file, file.path);
      }
    },
  );
});

/** Weights and settings that the library asks for, by its own lists; tokenizers and processors by their fixed names. */
async function loadedBy({ loading, task }: ModelEntry): Promise<string[]> {
  if (loading.by !== 'transformers') return [];
  const { config, dtype } = loading;
  const given = {
    ...config,
    // Only whether there is one matters for the list of files.
    text_config: { model_type: 'llama' },
    'transformers.js_config': { use_external_data_format: config.externalData ?? false },
    ...(config.model_type === 'whisper' || config.model_type === 'moonshine'
      ? { is_encoder_decoder: true }
      : {}),
  };
  const files = new Set<string>(['tokenizer.json', 'tokenizer_config.json']);
  if (task === 'speech' || task === 'image-embedding') files.add('preprocessor_config.json');
  if (['qwen3_5', 'smolvlm', 'idefics3'].includes(config.model_type)) files.add('preprocessor_config.json');
  if (['smolvlm', 'idefics3'].includes(config.model_type)) files.add('processor_config.json');
  for (const part of config.parts ?? [null]) {
    const listed = await ModelRegistry.get_model_files('given', {
      config: given as never,
      dtype: dtype as never,
      ...(part ? { model_file_name: part } : {}),
    });
    for (const path of listed) files.add(path);
  }
  return [...files];
}
