import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { command, ROOT } from './parts.mjs';

/** Names under which a Chromium that Playwright can drive is installed. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const INSTALL_TIMEOUT_MS = 10 * 60_000;

function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function onPath() {
  for (const dir of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    for (const name of NAMES) {
      const path = join(dir, name);
      if (runnable(path)) return path;
    }
  }
  return MAC_APPS.find(runnable) ?? null;
}

async function playwrightsOwn() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : null;
}

/** Runs an installer quietly; its last line tells why it failed. */
function install(program, args) {
  const result = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (result.status === 0) return null;
  const words = `${result.stdout ?? ''}\n${result.stderr ?? ''}`.trim().split('\n').filter(Boolean);
  return result.error?.message ?? words.at(-1)?.trim() ?? `exit code ${result.status}`;
}

function isDebian() {
  try {
    return /\bdebian\b/.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Finds a browser for the end-to-end tests, or brings one: FOOTNOTE_CHROMIUM, Playwright's own, an installed one, then
 * Playwright's installer, then (as root on Debian) the chromium package.
 * @returns {Promise<{path: string | null, from: string, tried: string[]}>} path null when there is none; `tried` says why
 */
export async function findBrowser(log = (line) => process.stdout.write(`${line}\n`)) {
  const tried = [];
  const named = process.env.FOOTNOTE_CHROMIUM;
  if (named) {
    if (runnable(named)) return { path: named, from: 'FOOTNOTE_CHROMIUM', tried };
    tried.push('FOOTNOTE_CHROMIUM names no program');
  }
  const own = await playwrightsOwn();
  if (own) return { path: own, from: 'Playwright', tried };
  const installed = onPath();
  if (installed) return { path: installed, from: 'this computer', tried };

  log('No browser found: asking Playwright for one.');
  const failure = install(process.execPath, [
    command('@playwright/test', 'playwright'),
    'install',
    'chromium',
  ]);
  const fetched = failure ? null : await playwrightsOwn();
  if (fetched) return { path: fetched, from: "Playwright's installer", tried };
  tried.push(`Playwright's installer: ${failure ?? 'left no browser'}`);

  if (process.platform === 'linux' && process.getuid?.() === 0 && isDebian()) {
    log('Playwright could not bring one: installing the Debian package chromium.');
    const aptFailure =
      install('apt-get', ['update', '-qq']) ?? install('apt-get', ['install', '-y', '-qq', 'chromium']);
    const fromDebian = aptFailure ? null : onPath();
    if (fromDebian) return { path: fromDebian, from: "Debian's package", tried };
    tried.push(`apt-get: ${aptFailure ?? 'left no browser'}`);
  } else tried.push('not root on Debian, so no package was installed');
  return { path: null, from: '', tried };
}
