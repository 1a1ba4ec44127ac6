import { once } from 'node:events';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
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

it('ends where folders link to themselves, and follows links to files once', async () => {
  await put('x/real.mp4');
  await symlink(root, join(root, 'x/loop'));
  await symlink(join(root, 'x/real.mp4'), join(root, 'linked.mp4'));
  expect(await names([root])).toHaveLength(1);
});

it.skipIf(process.platform !== 'linux')(
  'tells dead links, links to themselves and sockets as what they are (Linux only)',
  async () => {
    await symlink(join(root, 'nowhere'), join(root, 'dead.mp4'));
    await symlink(join(root, 'self.mp4'), join(root, 'self.mp4'));
    const server = createServer().listen(join(root, 'socket.mp4'));
    await once(server, 'listening');
    const found = await scan([root]);
    server.close();
    expect(found.map((file) => [file.name, file.problem?.code])).toEqual([
      ['dead.mp4', 'FILE_NOT_FOOTAGE'],
      ['self.mp4', 'FILE_NOT_FOOTAGE'],
      ['socket.mp4', 'FILE_NOT_FOOTAGE'],
    ]);
    expect(found[0]!.problem!.message).toMatch(/link/);
    expect(found[2]!.problem!.message).toMatch(/neither a file nor a folder/);
  },
);

it("reads nothing of Footnote's own library, dropped itself or inside a folder, and says so", async () => {
  await put('day/a.mp4', 'day/library/clips/x.mp4', 'day/library/memory/rows.lance');
  await put('day/project/memory/b.mp4', 'day/project/footnote.json');
  await writeFile(join(root, 'day/library/footnote.json'), '{"format":1}');
  const found = await scan([join(root, 'day'), join(root, 'day/library')]);
  expect(found.map((file) => [relative(root, file.path), file.problem?.code ?? null])).toEqual([
    ['day/a.mp4', null],
    ['day/library', 'FILE_NOT_FOOTAGE'],
    ['day/project/footnote.json', null],
    ['day/project/memory/b.mp4', null],
  ]);
  const [own] = await scan([join(root, 'day/library')]);
  expect(own?.problem?.message).toMatch(/Footnote library/);
});

it.skipIf(process.platform !== 'linux')('tells a name that is no text (Linux only)', async () => {
  await put('good.mp4');
  const name = Buffer.concat([Buffer.from(join(root, 'bad')), Buffer.from([0xff]), Buffer.from('.mp4')]);
  await writeFile(name, 'x');
  const [bad, good] = await scan([root]);
  expect(bad?.problem).toMatchObject({ code: 'FILE_UNREADABLE' });
  expect(bad?.problem?.message).toMatch(/Rename it/);
  expect(good?.problem).toBeNull();
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
