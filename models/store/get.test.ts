import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Progress } from './index.ts';
import { storeBench, WEIGHTS } from './testing/bench.ts';
import { ModelServer } from './testing/model-server.ts';
import { hubPath, noise } from './testing/test-model.ts';

const bench = storeBench();
const { open, at, expectWhole } = bench;

describe('fetching a model', () => {
  it('brings every file, checked, and tells how it goes', async () => {
    const told: Progress[] = [];
    const got = await open().get('test-model', { onProgress: (progress) => told.push(progress) });
    expectWhole(got.folder);
    expect(got).toMatchObject({ id: 'test-model', builtIn: false });
    expect(told.map(({ phase }) => phase)).toContain('downloading');
    expect(told.at(-1)).toMatchObject({ phase: 'installing', doneBytes: 500_021, totalBytes: 500_021 });
    expect(told.some(({ host }) => host === new URL(bench.server.address).host)).toBe(true);
    expect(told.every((p, i) => i === 0 || p.doneBytes >= told[i - 1]!.doneBytes)).toBe(true);
    expect(readdirSync(bench.dir).sort()).toEqual(['installed', 'locks', 'partial', 'trash']);
    expect(readdirSync(join(bench.dir, 'partial'))).toEqual([]);
  });

  it('asks no host for a model that is here', async () => {
    await open().get('test-model');
    const asked = bench.server.seen.length;
    await open().get('test-model');
    expect(bench.server.seen.length).toBe(asked);
  });

  it('asks no host before get is called', async () => {
    const store = open();
    await store.list();
    await store.plan('test-model');
    await store.locate('writer');
    await expect(store.prepare('test-model')).rejects.toMatchObject({ code: 'not-installed' });
    expect(bench.server.seen).toEqual([]);
    expect(existsSync(bench.dir)).toBe(false);
  });

  it('goes on where a connection broke off', async () => {
    Object.assign(at(WEIGHTS), { cutAfter: 100_000, cuts: 2 });
    const { folder } = await open().get('test-model');
    expectWhole(folder);
    const ranges = bench.server.asked(WEIGHTS).map(({ range }) => range);
    expect(ranges[0]).toBeNull();
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
    expect(bench.server.asked(WEIGHTS)[1]!.ifRange).toMatch(/^"/);
  });

  it('goes on in a later try, after having given up', async () => {
    Object.assign(at(WEIGHTS), { cutAfter: 60_000, cuts: 4 });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'unreachable' });
    expect((await open().state('test-model')).state).toBe('partial');
    const before = bench.server.seen.length;
    expectWhole((await open().get('test-model')).folder);
    const again = bench.server.seen.slice(before);
    expect(again.map(({ path }) => path)).toEqual([hubPath(WEIGHTS)]);
    expect(again[0]!.range).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it('begins anew on a server without ranges', async () => {
    Object.assign(at(WEIGHTS), { ranges: false, cutAfter: 100_000, cuts: 1 });
    expectWhole((await open().get('test-model')).folder);
  });

  it('begins anew when the file there has changed meanwhile', async () => {
    const other = noise(300_000, 9);
    Object.assign(at(WEIGHTS), { body: other, cutAfter: 30_000, cuts: 4 });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'unreachable' });
    bench.server.files.set(hubPath(WEIGHTS), { body: bench.model.contents[WEIGHTS]! });
    expectWhole((await open().get('test-model')).folder);
  });

  it('fetches anew what was put together wrongly on a server that names no version', async () => {
    Object.assign(at(WEIGHTS), { body: noise(300_000, 9), noEtag: true, cutAfter: 30_000, cuts: 4 });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'unreachable' });
    bench.server.files.set(hubPath(WEIGHTS), { body: bench.model.contents[WEIGHTS]!, noEtag: true });
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
    storage.files.set('/blob', { body: bench.model.contents[WEIGHTS]! });
    Object.assign(at(WEIGHTS), { redirect: `${storage.address}/blob` });
    const hosts = new Set<string | null>();
    const { folder } = await open().get('test-model', { onProgress: ({ host }) => hosts.add(host) });
    expectWhole(folder);
    expect(hosts).toContain(new URL(storage.address).host);
    await storage.stop();
  });

  it('asks no host, and follows no redirect, by an address that is not secure', async () => {
    await expect(open({ hub: 'http://hub.invalid' }).get('test-model')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('not secure'),
    });
    Object.assign(at(WEIGHTS), { redirect: 'http://storage.invalid/blob' });
    await expect(open().get('test-model')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('not secure'),
    });
  });

  it('takes a file that a server packs for the way', async () => {
    const packed = gzipSync(bench.model.contents['config.json']!);
    Object.assign(at('config.json'), { body: packed, headers: { 'content-encoding': 'gzip' } });
    expectWhole((await open().get('test-model')).folder);
  });

  it('follows no redirect in circles', async () => {
    Object.assign(at(WEIGHTS), { redirect: `${bench.server.address}${hubPath(WEIGHTS)}` });
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
    bench.server.files.set(hubPath(WEIGHTS), behaviour());
    const got = open().get('test-model');
    await expect(got).rejects.toMatchObject({ code: 'wrong-content', message: expect.stringContaining(why) });
    await expect(got).rejects.toThrow('deleted');
    expect(existsSync(join(bench.dir, 'partial', 'test-model', 'parts', `${WEIGHTS}.part`))).toBe(false);
    expect((await open().locate('writer')).model).toBeNull();
  });

  it('takes a truncated answer for what it is', async () => {
    Object.assign(at(WEIGHTS), { truncateTo: 1_000, chunked: true });
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'unreachable' });
    expect((await open().locate('writer')).model).toBeNull();
  });

  it('says when a file is not there', async () => {
    bench.server.files.delete(hubPath(WEIGHTS));
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
    expect(bench.server.seen).toEqual([]);
  });

  it('is looked for again when a server tells a size the catalogue does not know', async () => {
    bench.model.entry = {
      ...bench.model.entry,
      files: bench.model.entry.files.map((file) => ({ ...file, size: null })),
    };
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
    const before = bench.server.seen.length;
    expectWhole((await store.get('test-model')).folder);
    expect(bench.server.seen.slice(before).map(({ path }) => path)).toEqual([hubPath(WEIGHTS)]);
  });

  it('a folder that cannot be written is told as such', async () => {
    writeFileSync(bench.dir, 'a file where the folder should be');
    await expect(open().get('test-model')).rejects.toMatchObject({ code: 'store-failed' });
  });
});
