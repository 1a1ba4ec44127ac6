import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClip } from '../core/footage/testing/make-clip.ts';

/**
 * The built shell as far as it goes without Electron's program: the engine, model and perception bundles run as Node
 * processes behind a stand-in for the parent port.
 */
const run = promisify(execFile);
const here = import.meta.dirname;
const built = resolve(here, '..', '.build', 'electron-rehearsal');
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'built engine #1 '));
  await run(process.execPath, [join(here, 'build.mjs'), built]);
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await rm(built, { recursive: true, force: true });
});

async function rehearse(library: string, ...footage: string[]) {
  const script = join(here, 'testing', 'rehearse-engine.mjs');
  const { stdout } = await run(process.execPath, [script, built, library, ...footage]);
  return JSON.parse(stdout) as {
    refused: string | null;
    entries: string[];
    version?: string;
    job?: { state: string; counts: { imported: number } };
    episodes?: number;
    clip?: { path: string; type: string } | null;
  };
}

describe('the built engine process', () => {
  it('answers over a port, imports through its own processes and finds media by id', async () => {
    const clip = await makeClip({ path: join(dir, 'GX010001.MP4'), seconds: 3 });
    const result = await rehearse(join(dir, 'library'), clip);
    expect(result.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(result.job).toMatchObject({ state: 'done', counts: { imported: 1 } });
    expect(result.entries).toContain('perception');
    expect(result.episodes).toBe(1);
    expect(result.clip?.type).toBe('video/mp4');
    expect(existsSync(result.clip?.path ?? '')).toBe(true);
  });

  it('says that it cannot have the library instead of being started over and over', async () => {
    const result = await rehearse(join(here, 'main.ts'));
    expect(result.refused).toBe('LIBRARY_UNREADABLE');
  });
});

/** Packages that a bundle loads at its start: by itself, and through its parts. */
async function loadedAtStart(bundle: string, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(bundle)) return [];
  seen.add(bundle);
  const code = await readFile(join(built, bundle), 'utf8');
  const packages: string[] = [];
  for (const [, name] of code.matchAll(/^(?:import|\} from|import .* from) ?"([^"]+)";/gm)) {
    if (name!.startsWith('./')) packages.push(...(await loadedAtStart(name!.slice(2), seen)));
    else packages.push(name!);
  }
  return packages;
}

describe('the built child processes', () => {
  it('load the large library at the first request that needs it, never at their start', async () => {
    const library = '@huggingface/transformers';
    for (const bundle of ['engine.mjs', 'models.mjs', 'perception.mjs']) {
      expect(await loadedAtStart(bundle), bundle).not.toContain(library);
    }
    // The session's runtime is loaded by those who run sessions, and by them only.
    expect(await loadedAtStart('models.mjs')).toContain('onnxruntime-node');
    expect(await loadedAtStart('engine.mjs')).not.toContain('onnxruntime-node');
    const parts = (await readdir(built)).filter((file) => file.startsWith('part-'));
    const codes = await Promise.all(parts.map((file) => readFile(join(built, file), 'utf8')));
    expect(codes.filter((code) => code.includes(`from "${library}"`)).length).toBeGreaterThan(0);
  });
});

describe('the built main process', () => {
  it('loads nothing but Electron and Node: no native module, no engine', async () => {
    for (const bundle of ['main.cjs', 'preload.cjs']) {
      const code = await readFile(join(built, bundle), 'utf8');
      const required = [...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name!);
      expect(required.filter((name) => name !== 'electron' && !isBuiltin(name))).toEqual([]);
      expect(required).toContain('electron');
    }
  });
});
