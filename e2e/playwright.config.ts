import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './harness/browser.mjs';

// The runner and its workers each read this file: what the first finds out, the others are told.
process.env.FOOTNOTE_CHROMIUM ??= (await findBrowser()).path ?? '';
// A home that was named is kept, so that specs can be run again over the same library: --project library --no-deps.
if (process.env.FOOTNOTE_E2E_HOME) process.env.FOOTNOTE_E2E_KEEP ??= 'yes';
else process.env.FOOTNOTE_E2E_KEEP ??= 'no';
process.env.FOOTNOTE_E2E_HOME ??= mkdtempSync(join(tmpdir(), 'footnote-e2e-'));

const MINUTE_MS = 60_000;

export default defineConfig({
  testDir: './specs',
  outputDir: '../test-results',
  globalSetup: './harness/prepare.ts',
  globalTeardown: './harness/clear.ts',
  // One engine, one library, one model process: a second worker would only make both slow.
  workers: 1,
  timeout: 2 * MINUTE_MS,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    viewport: { width: 1280, height: 850 },
    trace: 'retain-on-failure',
    launchOptions: {
      ...(process.env.FOOTNOTE_CHROMIUM ? { executablePath: process.env.FOOTNOTE_CHROMIUM } : {}),
      // Chromium's own sandbox needs a kernel feature that containers often lack; the pages are our own.
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
  projects: [
    { name: 'import', testMatch: /import\.spec\.ts/ },
    {
      name: 'library',
      testMatch: /\.spec\.ts/,
      testIgnore: /(import|handing-over|models)\.spec\.ts/,
      dependencies: ['import'],
    },
    { name: 'own-library', testMatch: /(handing-over|models)\.spec\.ts/ },
  ],
});
