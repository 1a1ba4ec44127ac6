import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds a Chromium to drive: FOOTNOTE_CHROMIUM, then the one Playwright's installer fetched, then what the system has.
 * @returns its path; null when there is none
 * @throws Error when FOOTNOTE_CHROMIUM names something that cannot be run
 */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env['FOOTNOTE_CHROMIUM'];
  if (named) {
    if (!runnable(named)) throw new Error(`FOOTNOTE_CHROMIUM is set, but ${named} cannot be run.`);
    return named;
  }
  const own = chromium.executablePath();
  if (own !== '' && existsSync(own)) return own;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const name of NAMES) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (runnable(path)) return path;
    }
  }
  return null;
}
