import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

let running: ChildProcess | null = null;
let dir: string | null = null;
afterEach(async () => {
  running?.kill('SIGKILL');
  if (dir) await rm(dir, { recursive: true, force: true });
});

/** Runs `npm start` and waits for the address it prints. */
async function start(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; printed: string; url: string }> {
  dir = await mkdtemp(join(tmpdir(), 'footnote start '));
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'start.mjs'), '--no-open', '--library', join(dir, 'library')],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  running = child;
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(printed);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${printed}`)));
  });
  return { child, printed, url };
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));

describe('npm start without a window of its own', () => {
  it('says why in one line, serves the interface, and ends well on Ctrl-C', async () => {
    const { child, printed, url } = await start({ FOOTNOTE_NO_ELECTRON: '1' });
    const why = printed.split('\n').filter((line) => line.includes('instead of a window'));
    expect(why).toEqual([
      'Opening in a browser instead of a window of its own: FOOTNOTE_NO_ELECTRON is set.',
    ]);
    const first = await fetch(url, { redirect: 'manual' });
    const cookie = first.headers.get('set-cookie') ?? '';
    const page = await fetch(new URL('/', url), { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(await page.text()).toContain('<div id="root">');
    child.kill('SIGINT');
    expect(await ended(child)).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')('names a missing display', async () => {
    const { child, printed } = await start({ FOOTNOTE_NO_ELECTRON: '', DISPLAY: '', WAYLAND_DISPLAY: '' });
    expect(printed).toContain('there is no display');
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
  });
});
