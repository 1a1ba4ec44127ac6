import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scan } from './scan.ts';
import { makeTestFolder } from './testing/make-clip.ts';

let root = '';

beforeEach(async () => {
  root = await makeTestFolder('scan');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(...names: string[]) {
  for (const name of names) {
    await mkdir(join(root, name, '..'), { recursive: true });
    await writeFile(join(root, name), name);
  }
}

const names = async (paths: string[]) => (await scan(paths)).map((file) => relative(root, file.path));

it('finds loose files, folders and nested card folders together, each once, in path order', async () => {
  await put('card/DCIM/100GOPRO/GX010001.MP4', 'card/MISC/version.txt', 'b.mp4', 'a.mp4');
  const dropped = [join(root, 'b.mp4'), join(root, 'card'), join(root, 'card/DCIM'), root];
  expect(await names(dropped)).toEqual([
    'a.mp4',
    'b.mp4',
    'card/DCIM/100GOPRO/GX010001.MP4',
    'card/MISC/version.txt',
  ]);
});

it('ends where folders link to themselves, follows links to files once, and passes over dead links', async () => {
  await put('x/real.mp4');
  await symlink(root, join(root, 'x/loop'));
  await symlink(join(root, 'x/real.mp4'), join(root, 'linked.mp4'));
  await symlink(join(root, 'nowhere'), join(root, 'dead.mp4'));
  expect(await names([root])).toHaveLength(1);
});

it('marks what operating systems leave behind, and only that', async () => {
  await put(
    '._GX010001.MP4',
    '.DS_Store',
    'Thumbs.db',
    '.Trashes/501/old.mp4',
    '$RECYCLE.BIN/x.mp4',
    'real.mp4',
  );
  const system = (await scan([root])).filter((file) => file.isSystem).map((file) => file.name);
  expect(system).toHaveLength(5);
  expect(system).not.toContain('real.mp4');
});

it('takes a dropped hidden folder as what the person means', async () => {
  await put('.private/clip.mp4');
  const [file] = await scan([join(root, '.private')]);
  expect(file).toMatchObject({ name: 'clip.mp4', isSystem: false });
});

it('keeps any name whole', async () => {
  const odd = ["it's.mp4", '100% #1?.mp4', 'día 日本.mp4', 'line\nbreak.mp4', '"quoted".mp4', ' space .mp4'];
  await put(...odd);
  expect((await scan([root])).map((file) => file.name).sort()).toEqual([...odd].sort());
});

it('tells a path that is gone instead of failing', async () => {
  const [file] = await scan([join(root, 'gone.mp4')]);
  expect(file?.problem?.code).toBe('FILE_MISSING');
});

it.skipIf(process.getuid?.() === 0)('tells a folder it may not open and goes on (not as root)', async () => {
  await put('closed/a.mp4', 'open/b.mp4');
  await chmod(join(root, 'closed'), 0o000);
  const found = await scan([root]);
  await chmod(join(root, 'closed'), 0o755);
  expect(found.map((file) => file.problem?.code ?? file.name)).toEqual(['FILE_UNREADABLE', 'b.mp4']);
});
