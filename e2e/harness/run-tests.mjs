import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { checkPart, command, e2ePart, ROOT, unitPart } from './parts.mjs';
import { lastLine, summary } from './summary.mjs';

/**
 * `npm test`: every check of the project in order, and at the end what ran, what did not and why. The last line is
 * always "N passed, N failed" with ", N skipped" where something was.
 */
const LAYERS = ['core', 'models', 'electron', 'renderer', 'e2e'];

async function e2e() {
  const browser = await findBrowser();
  if (!browser.path) {
    return { passed: 0, failed: 0, skipped: 1, note: `not run: no browser (${browser.tried.join('; ')})` };
  }
  const counts = await e2ePart(browser.path);
  return { ...counts, note: `in ${browser.path} (${browser.from})` };
}

const PARTS = [
  { name: 'types', run: () => checkPart([command('typescript', 'tsc'), '-b']) },
  { name: 'lint', run: () => checkPart([command('@biomejs/biome', 'biome'), 'check', '.']) },
  {
    name: 'layers',
    run: () =>
      checkPart([
        command('dependency-cruiser', 'depcruise'),
        '--config',
        '.dependency-cruiser.cjs',
        ...LAYERS,
      ]),
  },
  { name: 'unit tests', run: unitPart },
  {
    name: 'interface build',
    run: () =>
      checkPart([command('vite'), 'build', '--config', 'renderer/vite.config.ts', '--logLevel', 'warn']),
  },
  { name: 'desktop build', run: () => checkPart(['electron/build.mjs']) },
  { name: 'end-to-end tests', run: e2e },
];

mkdirSync(join(ROOT, '.build', 'reports'), { recursive: true });
const results = [];
for (const { name, run } of PARTS) {
  process.stdout.write(`\n── ${name} ──\n`);
  const started = performance.now();
  let counts;
  try {
    counts = await run();
  } catch (error) {
    counts = {
      passed: 0,
      failed: 1,
      skipped: 0,
      note: error instanceof Error ? error.message : String(error),
    };
  }
  results.push({ name, seconds: (performance.now() - started) / 1000, ...counts });
}
process.stdout.write(`\n${summary(results)}\n${lastLine(results)}\n`);
process.exitCode = results.some((result) => result.failed > 0) ? 1 : 0;
