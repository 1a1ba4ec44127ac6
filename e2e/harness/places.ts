import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The command line, as a person runs it. */
export const FOOTNOTE = join(ROOT, 'core/hosts/bin/footnote.mjs');
/** The sample day is made once and kept: git ignores this folder. */
export const SAMPLE_DIR = join(ROOT, 'sample-day');

/** A folder of this run: the library the specs share, memory cards, libraries of single specs. */
export function home(...parts: string[]): string {
  const root = process.env.FOOTNOTE_E2E_HOME;
  if (!root) throw new Error('FOOTNOTE_E2E_HOME is set by playwright.config.ts.');
  return join(root, ...parts);
}

/** The memory card that is imported for the specs that read. */
export const cardDir = () => home('card');
/** The library that it is imported into. */
export const libraryDir = () => home('library');
