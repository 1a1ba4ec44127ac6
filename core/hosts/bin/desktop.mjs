import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Where Electron's package fetches its program from, unless a mirror is named. */
const DOWNLOAD_HOST = 'github.com';
const REACH_TIMEOUT_MS = 4000;
/** The program is some 110 MB. */
const FETCH_TIMEOUT_MS = 5 * 60_000;
/** A window that closes with an error this soon was never open. */
const STARTING_MS = 10_000;

function reachable(host) {
  return new Promise((done) => {
    const socket = connect({ host, port: 443, timeout: REACH_TIMEOUT_MS });
    const end = (answer) => () => {
      socket.destroy();
      done(answer);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}

/** Path of the program that the package has already fetched; null when it has not. */
function fetched(folder) {
  try {
    const name = readFileSync(join(folder, 'path.txt'), 'utf8');
    const program = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name);
    return existsSync(program) ? program : null;
  } catch {
    // Written by the package once its program is unpacked.
    return null;
  }
}

/**
 * Finds Electron's program, fetching it once when that is possible.
 * @returns {Promise<{program: string} | {reason: string}>}
 */
export async function findDesktop(root, env = process.env, platform = process.platform) {
  if (env.FOOTNOTE_NO_ELECTRON) return { reason: 'FOOTNOTE_NO_ELECTRON is set' };
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return { reason: 'there is no display' };
  const folder = join(root, 'node_modules', 'electron');
  if (!existsSync(join(folder, 'install.js'))) return { reason: 'Electron is not installed' };
  const known = fetched(folder);
  if (known) return { program: known };
  const mirrored = env.ELECTRON_MIRROR || env.npm_config_electron_mirror || env.ELECTRON_GET_USE_PROXY;
  if (!mirrored && !(await reachable(DOWNLOAD_HOST))) {
    return { reason: `Electron's program is not here and ${DOWNLOAD_HOST} cannot be reached to fetch it` };
  }
  process.stdout.write('Fetching the desktop program, once (about 110 MB) …\n');
  const result = spawnSync(process.execPath, [join(folder, 'install.js')], {
    encoding: 'utf8',
    timeout: FETCH_TIMEOUT_MS,
  });
  const program = fetched(folder);
  if (program) return { program };
  const words = `${result.stderr ?? ''}`.split('\n').find((line) => line.trim()) ?? 'no answer in time';
  return { reason: `Electron's program could not be fetched (${words.trim().slice(0, 160)})` };
}

/**
 * Opens the desktop app and waits for it to end, passing signals on.
 * @returns {Promise<{code: number} | {reason: string}>} a reason when it could not even start
 */
export function runDesktop(program, root, args) {
  return new Promise((done) => {
    const started = performance.now();
    const child = spawn(program, [root, ...args], { stdio: 'inherit' });
    const forward = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const end = (result) => {
      for (const signal of signals) process.off(signal, forward);
      done(result);
    };
    child.once('error', (error) => end({ reason: `Electron could not be started (${error.message})` }));
    child.once('close', (code, signal) => {
      const early = performance.now() - started < STARTING_MS;
      if (
        early &&
        code !== 0 &&
        (code !== null || signal === 'SIGTRAP' || signal === 'SIGSEGV' || signal === 'SIGABRT')
      ) {
        end({ reason: `Electron could not start here (${signal ?? `exit code ${code}`})` });
      } else end({ code: code ?? 1 });
    });
  });
}
