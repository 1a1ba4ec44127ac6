import { rm } from 'node:fs/promises';
import { home } from './places.ts';

/** Removes the libraries of this run, unless the person named their place. */
export default async function clear(): Promise<void> {
  if (process.env.FOOTNOTE_E2E_KEEP === 'yes') return;
  await rm(home(), { recursive: true, force: true });
}
