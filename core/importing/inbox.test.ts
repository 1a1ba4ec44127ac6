import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepInbox } from './inbox.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-inbox-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it('removes copies that no unfinished import names, and keeps the others', async () => {
  for (const batch of ['abandoned-1', 'importing-2']) {
    await mkdir(join(dir, batch));
    await writeFile(join(dir, batch, 'a.mp4'), 'film');
  }
  await sweepInbox(dir, [join(dir, 'importing-2', 'a.mp4'), '/elsewhere/abandoned-1']);
  expect(await readdir(dir)).toEqual(['importing-2']);
});

it('has nothing to do where there is no inbox', async () => {
  await expect(sweepInbox(join(dir, 'none'), [])).resolves.toBeUndefined();
});
