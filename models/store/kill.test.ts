import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from './index.ts';
import { ModelServer } from './testing/model-server.ts';
import { hubPath, serveModel, testModel } from './testing/test-model.ts';

const model = testModel();
const WEIGHTS = 'onnx/model.onnx_data';
const CHILD = fileURLToPath(new URL('./testing/get-model.ts', import.meta.url));

let root: string;
let dir: string;
let server: ModelServer;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'footnote-kill-'));
  dir = join(root, 'models');
  server = new ModelServer();
  await server.start();
  serveModel(server, model);
});
afterEach(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

const open = (at = dir) => openStore({ dir: at, hub: server.address, folders: [], catalogue: [model.entry] });

/** Whole as the model was published, or not there at all. */
async function expectWholeOrNothing(at: string): Promise<boolean> {
  const { model: located } = await open(at).locate('writer');
  if (!located) return false;
  for (const [path, content] of Object.entries(model.contents)) {
    expect(readFileSync(join(located.folder, path)).equals(content), path).toBe(true);
  }
  return true;
}

function start(): { child: ChildProcess; said: string[]; exited: Promise<unknown> } {
  const child = fork(CHILD, [dir, server.address], {
    execArgv: ['--import', import.meta.resolve('tsx')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const said: string[] = [];
  child.on('message', (message) => said.push(String(message)));
  return { child, said, exited: new Promise((resolve) => child.once('exit', resolve)) };
}

/** Names and sizes of everything below a folder: whether anything has happened. */
function outline(folder: string): string {
  try {
    const names = readdirSync(folder, { recursive: true }) as string[];
    return names.map((name) => `${name} ${statSync(join(folder, name)).size}`).join();
  } catch {
    // Not there yet, or something went while it was looked at: look again.
    return '';
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a process killed while it fetches a model', () => {
  it('leaves nothing half installed, and the next one goes on where it was', async () => {
    server.files.get(hubPath(WEIGHTS))!.slow = { bytes: 20_000, everyMs: 30 };
    const { child, exited } = start();
    await until(() => server.asked(WEIGHTS).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill('SIGKILL');
    await exited;
    expect(await expectWholeOrNothing(dir)).toBe(false);
    expect(await open().state('test-model')).toMatchObject({ state: 'partial' });
    const before = server.seen.length;
    await open().get('test-model');
    expect(await expectWholeOrNothing(dir)).toBe(true);
    expect(server.seen.slice(before)).toEqual([
      expect.objectContaining({ path: hubPath(WEIGHTS), range: expect.stringMatching(/^bytes=[1-9]\d*-$/) }),
    ]);
    expect((await open().verify('test-model')).every(({ ok }) => ok)).toBe(true);
  });

  it('shares its download with another process instead', async () => {
    server.files.get(hubPath(WEIGHTS))!.slow = { bytes: 30_000, everyMs: 30 };
    const first = start();
    await until(() => server.asked(WEIGHTS).length > 0);
    const phases = new Set<string>();
    await open().get('test-model', { onProgress: ({ phase }) => phases.add(phase) });
    await first.exited;
    expect(first.said.at(-1)).toBe('got');
    expect(phases).toContain('waiting');
    expect(server.asked(WEIGHTS)).toHaveLength(1);
    expect(await expectWholeOrNothing(dir)).toBe(true);
  });
});

describe('the folder as a cut would leave it', () => {
  it('holds the whole model or none, at every moment, and can always be gone on with', async () => {
    for (const path of Object.keys(model.contents)) {
      server.files.get(hubPath(path))!.slow = { bytes: 60_000, everyMs: 2 };
    }
    // A copy taken between two steps of this process is what a kill at that moment would leave.
    const snapshots: string[] = [];
    let running = true;
    let last = '';
    const snap = () => {
      if (!running) return;
      const copy = join(root, `cut-${snapshots.length}`);
      const looks = outline(dir);
      if (looks !== '' && looks !== last) {
        last = looks;
        try {
          cpSync(dir, copy, { recursive: true });
          snapshots.push(copy);
        } catch {
          // A file went while it was copied: no moment of its own.
          rmSync(copy, { recursive: true, force: true });
        }
      }
      setImmediate(snap);
    };
    snap();
    await open().get('test-model');
    running = false;
    expect(snapshots.length).toBeGreaterThan(12);
    let whole = 0;
    for (const copy of snapshots) whole += (await expectWholeOrNothing(copy)) ? 1 : 0;
    expect(whole).toBeLessThan(snapshots.length);
    // Every fourth is gone on with, locks of the "killed" process and all.
    for (const path of Object.keys(model.contents)) delete server.files.get(hubPath(path))!.slow;
    await Promise.all(
      snapshots
        .filter((_, i) => i % 4 === 0)
        .map(async (copy) => {
          await open(copy).get('test-model');
          expect(await expectWholeOrNothing(copy)).toBe(true);
        }),
    );
  });
});
