import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Episode, Recording } from '../contract/index.ts';
import { createEngine } from '../engine/engine.ts';
import { spawnNodeProcess } from '../engine/processes.ts';
import { makeCard } from '../engine/testing/footage-card.ts';

const FOOTNOTE = fileURLToPath(new URL('../hosts/bin/footnote.mjs', import.meta.url));
const KILLS = 10;
let dir: string;
let card: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-kill-'));
  card = await makeCard(join(dir, 'card'), 65);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function startImport(library: string): ChildProcess {
  return spawn(process.execPath, [FOOTNOTE, 'import', card, '--library', library], { stdio: 'ignore' });
}
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

/** A fixed series of moments: the same test every time, as far as a machine's speed allows. */
function* moments(): Generator<number> {
  let state = 20261201;
  while (true) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield 900 + (state % 2_600);
  }
}

async function contents(
  library: string,
): Promise<{ recordings: Recording[]; episodes: Episode[]; files: string[] }> {
  const engine = await createEngine({ library, spawn: spawnNodeProcess, readOnly: true });
  try {
    const recordings = await engine.client.recordings.list();
    const episodes: Episode[] = [];
    for (const { day } of await engine.client.timeline.days()) {
      episodes.push(...(await engine.client.timeline.day({ day, limit: 500 })).episodes);
    }
    const files: string[] = [];
    for (const folder of ['clips', 'keyframes', 'work']) {
      for (const entry of await readdir(join(library, folder), { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) files.push(join(entry.parentPath.slice(library.length), entry.name));
      }
    }
    return {
      recordings: recordings.map((recording) => ({ ...recording, importedAtMs: 0 })),
      episodes,
      files: files.sort(),
    };
  } finally {
    await engine.close();
  }
}

async function childrenOf(library: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(library) || (command.includes('ffmpeg') && command.includes(card)))
      found.push(command);
  }
  return found;
}

it('ends with the same library after ten kills at random moments as after none', {
  timeout: 300_000,
}, async () => {
  const undisturbed = join(dir, 'undisturbed');
  const killed = join(dir, 'killed');
  expect(await ended(startImport(undisturbed))).toBe(4);
  const when = moments();
  let seenUnfinished = 0;
  for (let n = 0; n < KILLS; n++) {
    const child = startImport(killed);
    const exit = ended(child);
    await new Promise((resolve) => setTimeout(resolve, when.next().value as number));
    if (child.exitCode === null) seenUnfinished += 1;
    child.kill('SIGKILL');
    await exit;
  }
  // Most kills must have hit a running import, or the test shows nothing.
  expect(seenUnfinished).toBeGreaterThanOrEqual(KILLS / 2);
  expect([0, 4]).toContain(await ended(startImport(killed)));
  const [left, right] = [await contents(undisturbed), await contents(killed)];
  expect(right.episodes.map((episode) => episode.id)).toEqual(left.episodes.map((episode) => episode.id));
  expect(new Set(right.episodes.map((episode) => episode.id)).size).toBe(right.episodes.length);
  expect(right).toEqual(left);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(await childrenOf(killed)).toEqual([]);
});
