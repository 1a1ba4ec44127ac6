import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the project. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Path of a package's command, so that no shell and no PATH is needed. */
export function command(packageName, name = packageName) {
  const folder = join(ROOT, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}

/**
 * Runs a Node script of the project with what it prints shown as it comes.
 * @returns its exit code; 1 when it could not be started or a signal ended it
 */
export function runNode(args, env = {}) {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      done(1);
    });
    child.once('close', (code) => done(code ?? 1));
  });
}

/** A part that is one check: it passes or fails as a whole. */
export async function checkPart(args) {
  const code = await runNode(args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Counts of a JSON report, or one failure when the runner died before it could write any. */
async function counted(code, file, read) {
  try {
    const counts = read(JSON.parse(await readFile(file, 'utf8')));
    // A runner may fail outside its tests (a file that does not load): that is a failure too.
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    return counts;
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Unit tests. */
export async function unitPart() {
  const report = join(ROOT, '.build', 'reports', 'unit.json');
  await rm(report, { force: true });
  const code = await runNode([
    command('vitest'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  return counted(code, report, (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + (json.numTodoTests ?? 0),
  }));
}

/**
 * End-to-end tests in a browser.
 * @param browser path of a Chromium; null uses the one Playwright brought
 */
export async function e2ePart(browser) {
  const report = join(ROOT, '.build', 'reports', 'e2e.json');
  await rm(report, { force: true });
  const code = await runNode(
    [
      command('@playwright/test', 'playwright'),
      'test',
      '--config',
      'e2e/playwright.config.ts',
      '--reporter=list,json',
    ],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(browser ? { FOOTNOTE_CHROMIUM: browser } : {}) },
  );
  return counted(code, report, ({ stats }) => ({
    // Playwright calls a test that passed on a retry flaky; it did pass.
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }));
}
