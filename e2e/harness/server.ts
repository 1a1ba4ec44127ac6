import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FOOTNOTE, ROOT } from './places.ts';

export type RunningServer = {
  /** Opens the interface once: it carries the one-time token. */
  url: string;
  origin: string;
  process: ChildProcess;
  /** Asks the host to end, and waits until it has. */
  stop: () => Promise<void>;
};

const START_TIMEOUT_MS = 60_000;

/**
 * Starts the real host over a library.
 * @param port 0 for any free one; a given one brings a restarted host back to the same address
 * @throws Error with what the host wrote, when it does not come up
 */
export function startServer(library: string, port = 0): Promise<RunningServer> {
  return start([FOOTNOTE, 'serve', '--library', library, '--port', String(port), '--no-open', '--json'], {});
}

/**
 * Starts the real host with a small model in its catalogue; see models-host.ts.
 * @param hub address that models are fetched from
 */
export function startModelsServer(library: string, hub: string): Promise<RunningServer> {
  const entry = join(ROOT, 'e2e/harness/models-host.ts');
  return start(['--import', 'tsx', entry, library, '0'], { HF_ENDPOINT: hub, FOOTNOTE_MODELS: '' });
}

async function start(args: string[], env: Record<string, string>): Promise<RunningServer> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk) => complaints.push(String(chunk)));
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`The host did not start: ${why}\n${complaints.join('')}`));
    };
    const late = setTimeout(() => fail('no address in time'), START_TIMEOUT_MS);
    child.once('exit', (code) => fail(`it ended with ${code}`));
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(late);
      child.removeAllListeners('exit');
      const said: unknown = JSON.parse(line);
      if (typeof said === 'object' && said !== null && 'url' in said && typeof said.url === 'string')
        resolve(said.url);
      else fail(`it said ${line}`);
    });
  });
  return {
    url,
    origin: new URL(url).origin,
    process: child,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
