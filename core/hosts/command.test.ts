import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from './exit-codes.ts';

const COMMAND = fileURLToPath(new URL('bin/footnote.mjs', import.meta.url));

let dir: string;

/** Runs the real program, to see what only a process shows: when it ends, and what lands on which stream. */
function footnote(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString('utf8');
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-command-'));
  await mkdir(join(dir, 'empty'));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe('the footnote program', () => {
  it('waits for the end of an import that reads nothing, and tells it', { timeout: 60_000 }, async () => {
    const library = join(dir, 'library');
    const empty = await footnote('import', join(dir, 'empty'), '--library', library, '--json');
    expect(empty.code).toBe(EXIT.ok);
    expect(JSON.parse(empty.out)).toMatchObject({ state: 'done', files: [] });
    const missing = await footnote('import', join(dir, 'missing'), '--library', library, '--json');
    expect(missing.code).toBe(EXIT.someUnreadable);
    expect(JSON.parse(missing.out).counts).toMatchObject({ unreadable: 1 });
  });

  it('keeps the log of the store it stands on to itself', { timeout: 60_000 }, async () => {
    const { err } = await footnote('import', join(dir, 'empty'), '--library', join(dir, 'new library'));
    expect(err).not.toContain('lance');
  });
});
