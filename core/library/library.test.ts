import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomic } from '../../models/durable-file.ts';
import { folderSize, readJson } from './files.ts';
import { openLibrary } from './library.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-library-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('openLibrary', () => {
  it('creates a library, and opens it again after release', async () => {
    const first = await openLibrary(join(dir, 'lib'));
    await first.release();
    const second = await openLibrary(join(dir, 'lib'));
    expect(await readJson(join(second.root, 'footnote.json'))).toMatchObject({ format: 1 });
    await second.release();
  });
  it('refuses a second writer but lets a reader in', async () => {
    const writer = await openLibrary(join(dir, 'lib'));
    await expect(openLibrary(join(dir, 'lib'))).rejects.toMatchObject({ code: 'LIBRARY_BUSY' });
    const reader = await openLibrary(join(dir, 'lib'), { readOnly: true });
    await reader.release();
    await writer.release();
  });
  it('takes over at once from a process that was killed', async () => {
    const script = `const {openLibrary} = await import(${JSON.stringify(new URL('./library.ts', import.meta.url).href)});
      await openLibrary(${JSON.stringify(join(dir, 'lib'))}); process.kill(process.pid, 'SIGKILL');`;
    const run = spawnSync(process.execPath, [
      '--import',
      import.meta.resolve('tsx'),
      '--input-type=module',
      '-e',
      script,
    ]);
    expect(run.signal).toBe('SIGKILL');
    const started = Date.now();
    const library = await openLibrary(join(dir, 'lib'));
    expect(Date.now() - started).toBeLessThan(5_000);
    await library.release();
  });
  it('refuses a folder that holds something else, and leaves it as it was', async () => {
    await writeFile(join(dir, 'thesis.txt'), 'mine');
    await expect(openLibrary(dir)).rejects.toMatchObject({ code: 'LIBRARY_UNREADABLE' });
    expect(await readdir(dir)).toEqual(['thesis.txt']);
  });
  it('refuses a library of a newer format and one whose manifest is damaged', async () => {
    await mkdir(join(dir, 'new'));
    await writeFile(join(dir, 'new', 'footnote.json'), JSON.stringify({ format: 99, createdAtMs: 0 }));
    await expect(openLibrary(join(dir, 'new'))).rejects.toMatchObject({ code: 'LIBRARY_TOO_NEW' });
    await mkdir(join(dir, 'broken'));
    await writeFile(join(dir, 'broken', 'footnote.json'), '{"form');
    await expect(openLibrary(join(dir, 'broken'))).rejects.toMatchObject({ code: 'LIBRARY_UNREADABLE' });
  });
  it('says that nothing is there when a reader opens a missing library, and makes nothing', async () => {
    await expect(openLibrary(join(dir, 'none'), { readOnly: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await readdir(dir)).toEqual([]);
  });
  it('says so when the path is a file', async () => {
    await writeFile(join(dir, 'file'), '');
    await expect(openLibrary(join(dir, 'file'))).rejects.toMatchObject({ code: 'LIBRARY_UNREADABLE' });
  });
});

describe('writeAtomic', () => {
  it('leaves the old content and no temporary file when it cannot write', async () => {
    const path = join(dir, 'state.json');
    await writeAtomic(path, '{"a":1}');
    await expect(writeAtomic(join(dir, 'missing', 'state.json'), 'x')).rejects.toThrow();
    expect(await readJson(path)).toEqual({ a: 1 });
    expect(await readdir(dir)).toEqual(['state.json']);
    expect(await folderSize(dir)).toEqual({ bytes: 7, files: 1 });
  });
});
