import { join } from 'node:path';
import type { ModelEntry } from '../catalogue/index.ts';
import { bytesBelow } from './files.ts';
import { bundledFolder, installedState, type ModelState } from './manifest.ts';

/** Folders of one model. */
export interface Folders {
  readonly installed: string;
  /** An unfinished install: `files` are whole, `parts` are not, `packages` are unpacked. */
  readonly partial: string;
  readonly trash: string;
  /** Hashes that first downloads set. */
  readonly pins: string;
}

export function foldersOf(dir: string, id: string): Folders {
  return {
    installed: join(dir, 'installed', id),
    partial: join(dir, 'partial', id),
    trash: join(dir, 'trash', id),
    pins: join(dir, 'pins', `${id}.json`),
  };
}

/** Bytes of a model that an unfinished install has brought. */
export async function arrivedBytes({ partial }: Folders): Promise<number> {
  return (await bytesBelow(join(partial, 'files'))) + (await bytesBelow(join(partial, 'parts'), '.part'));
}

/** How a model stands: an installed one counts before one that came with Footnote, and a whole one before anything else. */
export async function stateOf(entry: ModelEntry, folders: Folders): Promise<ModelState> {
  const installed = await installedState(folders.installed, entry);
  if (installed?.state === 'installed') return installed;
  const folder = await bundledFolder(entry);
  if (folder) return { state: 'built-in', folder };
  if (installed) return installed;
  const bytes = await arrivedBytes(folders);
  return bytes > 0 ? { state: 'partial', bytes } : { state: 'absent' };
}
