import { utimesSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storeBench, WEIGHTS } from '../../models/store/testing/bench.ts';
import { createModelCare, type ModelCare } from './model-care.ts';

const bench = storeBench();
const ID = 'test-model';

/** A store with the test model in it, fetched from a local server. @param repair the person allowed mending it later */
async function withModel(repair: boolean) {
  const store = bench.open();
  const { folder, entry } = await store.get(ID, { repair });
  const file = join(folder, WEIGHTS);
  return { store, task: entry.task, file, care: createModelCare(store, new AbortController().signal) };
}

/** Other bytes of the same length. */
async function rot(file: string): Promise<void> {
  writeFileSync(file, Buffer.alloc((await stat(file)).size, 7));
}

/** The same as a failing disk does it: the file's date stays. */
async function rotQuietly(file: string, look: () => Promise<unknown>): Promise<void> {
  const date = 1_750_000_000;
  utimesSync(file, date, date);
  await look();
  await rot(file);
  utimesSync(file, date, date);
}

const seen = () => bench.server.seen.length;

describe('a model that is about to be used', () => {
  it('is mended from where it came when its bytes changed, and only after the person’s yes', async () => {
    const { care, task, file } = await withModel(true);
    await rot(file);
    expect((await care.ready(task)).model?.id).toBe(ID);
    bench.expectWhole(join(file, '../..'));
  });

  it('is marked and passed over, without any network, where nobody allowed mending it', async () => {
    const { care, store, task, file } = await withModel(false);
    const before = seen();
    await rot(file);
    const location = await care.ready(task);
    expect(location).toMatchObject({ model: null, damaged: ID, problem: expect.stringContaining('damaged') });
    expect((await store.state(ID)).state).toBe('damaged');
    expect((await bench.open().state(ID)).state).toBe('damaged');
    expect(seen()).toBe(before);
  });

  it('is asked for once by a process when its host is gone', async () => {
    const { care, task, file } = await withModel(true);
    await rot(file);
    bench.server.files.clear();
    expect((await care.ready(task)).model).toBeNull();
    const before = seen();
    expect((await care.ready(task)).model).toBeNull();
    expect(seen()).toBe(before);
  });
});

describe('a model that could not be loaded', () => {
  const failing = async (
    repair: boolean,
  ): Promise<Awaited<ReturnType<typeof withModel>> & { care: ModelCare }> => {
    const found = await withModel(repair);
    await rotQuietly(found.file, () => found.store.prepare(ID));
    // Nothing is seen to have changed: only whoever loads it finds out.
    expect((await found.care.ready(found.task)).model?.id).toBe(ID);
    return found;
  };

  it('is mended when its files are wrong and that was allowed', async () => {
    const { care, task, file } = await failing(true);
    expect(await care.failed(ID)).toMatchObject({ state: 'mended' });
    bench.expectWhole(join(file, '../..'));
    expect((await care.ready(task)).model?.id).toBe(ID);
  });

  it('is marked when its files are wrong, until they are right again', async () => {
    const { care, store, task, file } = await failing(false);
    expect(await care.failed(ID)).toMatchObject({
      state: 'damaged',
      words: expect.stringContaining('Fetch it again'),
    });
    expect((await care.ready(task)).model).toBeNull();
    writeFileSync(file, bench.model.contents[WEIGHTS]!);
    expect((await store.verify(ID)).every(({ ok }) => ok)).toBe(true);
    expect((await store.state(ID)).state).toBe('installed');
  });

  it('is not given again when its files are right: this computer cannot load it', async () => {
    const { care, store, task } = await withModel(true);
    const before = seen();
    expect(await care.failed(ID)).toMatchObject({ state: 'unloadable' });
    expect(care.unloadable(ID)).toContain('cannot be loaded on this computer');
    expect((await care.ready(task)).model).toBeNull();
    expect((await store.state(ID)).state).toBe('installed');
    expect(seen()).toBe(before);
  });
});
