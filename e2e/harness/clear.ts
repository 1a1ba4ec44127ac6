import { rm } from 'node:fs/promises';
import { home } from './places.ts';

/** Removes the libraries of this run. */
export default async function clear(): Promise<void> {
  await rm(home(), { recursive: true, force: true });
}
