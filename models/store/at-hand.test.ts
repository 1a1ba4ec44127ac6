import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AutoTokenizer } from '@huggingface/transformers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadTextEmbedder } from '../embedding/text-host.ts';
import { textModelOf } from '../embedding/text-model.ts';
import { openStore } from './index.ts';

const AT_HAND = fileURLToPath(new URL('../../../shared/models', import.meta.url));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'footnote-at-hand-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe.skipIf(!existsSync(AT_HAND))('real models from a local folder (needs ../shared/models)', () => {
  it('lie where the wrappers load them', async () => {
    const store = openStore({ dir, folders: [AT_HAND], hub: 'http://127.0.0.1:9' });
    const embedder = await loadTextEmbedder(textModelOf(await store.get('minilm-l6-int8'))!);
    const [a, b] = await embedder.embed(
      ['where are my keys', 'I left my keys on the kitchen counter'],
      'query',
    );
    const cosine = a!.reduce((sum, x, i) => sum + x * b![i]!, 0);
    expect(cosine).toBeCloseTo(0.6265, 2);
    expect((await store.locate('text-embedding')).model?.id).toBe('minilm-l6-int8');
  });

  it('are whole for transformers.js without any network', async () => {
    const store = openStore({ dir, folders: [AT_HAND], hub: 'http://127.0.0.1:9' });
    const { folder } = await store.get('tiny-smolvlm');
    const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
    expect(tokenizer.encode('a red cup').length).toBeGreaterThan(1);
    // A test model is used by those who choose it.
    expect((await store.locate('writer')).model).toBeNull();
    await store.use('writer', 'tiny-smolvlm');
    expect((await store.locate('writer')).model?.id).toBe('tiny-smolvlm');
  });
});
