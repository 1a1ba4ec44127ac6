import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from './index.ts';
import { storeBench, WEIGHTS } from './testing/bench.ts';
import { hubPath, noise, sha256, testModel } from './testing/test-model.ts';

const bench = storeBench();
const { open, at, changed, expectWhole } = bench;

describe('an installed model', () => {
  it('is found damaged, or not, by verify', async () => {
    const store = open();
    await expect(store.verify('test-model')).rejects.toMatchObject({ code: 'not-installed' });
    const { folder } = await store.get('test-model');
    expect((await store.verify('test-model')).every(({ ok }) => ok)).toBe(true);
    writeFileSync(join(folder, WEIGHTS), noise(300_000, 6));
    expect(await store.verify('test-model')).toContainEqual(
      expect.objectContaining({ path: WEIGHTS, ok: false }),
    );
  });

  it('is not used while a file is missing or short', async () => {
    const store = open();
    const { folder } = await store.get('test-model');
    writeFileSync(join(folder, WEIGHTS), 'short');
    expect(await store.locate('writer')).toMatchObject({
      model: null,
      problem: expect.stringContaining('damaged'),
    });
    rmSync(join(folder, WEIGHTS));
    expect((await store.locate('writer')).model).toBeNull();
    expectWhole((await store.get('test-model')).folder);
    expect(bench.server.asked('onnx/model.onnx')).toHaveLength(1);
  });

  it('is mended before loading only when the person allowed it', async () => {
    const store = open();
    const { folder } = await store.get('test-model', { repair: false });
    writeFileSync(join(folder, WEIGHTS), noise(300_000, 6));
    await expect(store.prepare('test-model')).rejects.toMatchObject({ code: 'damaged' });
    expect(bench.server.asked(WEIGHTS)).toHaveLength(1);
    await store.remove('test-model');
    await store.get('test-model', { repair: true });
    writeFileSync(join(folder, WEIGHTS), noise(300_000, 6));
    expectWhole((await store.prepare('test-model')).folder);
    // Allowed once is allowed again.
    rmSync(join(folder, 'config.json'));
    expectWhole((await store.prepare('test-model')).folder);
  });

  it('is removed whole, and its removal frees its name', async () => {
    const store = open();
    const { folder } = await store.get('test-model');
    expect(await store.remove('test-model')).toBeGreaterThan(500_000);
    expect(existsSync(folder)).toBe(false);
    expect((await store.state('test-model')).state).toBe('absent');
    await expect(store.remove('test-model')).rejects.toMatchObject({ code: 'not-installed' });
  });

  it('is replaced when the catalogue asks for other files, fetching only those', async () => {
    await open().get('test-model');
    const other = noise(300_000, 4);
    bench.model.entry = changed(WEIGHTS, { sha256: sha256(other) });
    at(WEIGHTS).body = other;
    expect(await open().locate('writer')).toMatchObject({
      model: null,
      problem: expect.stringContaining('older catalogue'),
    });
    const before = bench.server.seen.length;
    const { folder } = await open().get('test-model');
    expect(readFileSync(join(folder, WEIGHTS)).equals(other)).toBe(true);
    expect(bench.server.seen.slice(before).map(({ path }) => path)).toEqual([hubPath(WEIGHTS)]);
  });
});

describe('which model does a task', () => {
  it('is nobody without a model, and then says what is missing, what works and what it would add', async () => {
    const location = await openStore({ dir: bench.dir, folders: [], hub: bench.server.address }).locate(
      'writer',
    );
    expect(location).toMatchObject({ model: null, problem: null, offer: { id: 'qwen3.5-0.8b' } });
    expect(location.without).toContain('measured');
    expect(location.offer!.adds).toContain('pictures');
  });

  it('is the built-in one meanwhile, and the better one is offered', async () => {
    const location = await openStore({ dir: bench.dir, folders: [] }).locate('text-embedding');
    expect(location.model).toMatchObject({ id: 'footnote-static-1', builtIn: true });
    expect(location.offer).toMatchObject({ id: 'bge-small-en-v1.5' });
  });

  it('is the lowest rank that is here unless the person chose, and the choice lasts', async () => {
    const second = testModel('second', { rank: 5 });
    const catalogue = [bench.model.entry, second.entry];
    const store = open({ catalogue });
    await expect(store.use('writer', 'second')).rejects.toMatchObject({ code: 'not-installed' });
    await store.get('second');
    expect((await store.locate('writer')).model?.id).toBe('second');
    await store.get('test-model');
    expect((await store.locate('writer')).model?.id).toBe('test-model');
    await store.use('writer', 'second');
    expect(await open({ catalogue }).locate('writer')).toMatchObject({
      model: { id: 'second' },
      chosen: 'second',
      offer: null,
    });
    await store.remove('second');
    expect(await store.locate('writer')).toMatchObject({
      model: { id: 'test-model' },
      problem: expect.stringContaining('not here'),
    });
    await store.use('writer', null);
    expect(await store.locate('writer')).toMatchObject({
      model: { id: 'test-model' },
      chosen: null,
      problem: null,
    });
    await expect(store.use('faces', 'test-model')).rejects.toMatchObject({ code: 'unknown-model' });
  });

  it('gets over a choice file that is no JSON', async () => {
    await open().get('test-model');
    writeFileSync(join(bench.dir, 'choices.json'), 'not json');
    expect((await open().locate('writer')).model?.id).toBe('test-model');
  });
});
