import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelEntry } from '../catalogue/entry.ts';
import { ModelError } from '../errors.ts';
import { examine } from './check.ts';
import { below, fileSize, writeJson } from './files.ts';
import { MANIFEST_NAME, type Manifest } from './manifest.ts';

/** How a file of an installed model was found. */
export interface FileReport {
  readonly path: string;
  readonly ok: boolean;
  /** What is wrong with it; null when nothing is. */
  readonly problem: string | null;
  /** Held against a hash that the catalogue knows; else against that of its first download. */
  readonly pinned: boolean;
}

/**
 * Reads an installed model's files through. What is found wrong is kept in its manifest, so that nobody loads it meanwhile; a whole model is
 * found right again.
 * @param thorough false: only files that changed (by their time) since they were last found right
 */
export async function verifyInstalled(
  folder: string,
  manifest: Manifest,
  thorough: boolean,
  signal?: AbortSignal,
): Promise<FileReport[]> {
  const reports: FileReport[] = [];
  let noted = false;
  for (const file of manifest.files) {
    const path = below(folder, file.path);
    const pinned = !file.trustedOnFirstUse;
    const size = await fileSize(path);
    if (size === null) {
      reports.push({ path: file.path, ok: false, problem: 'it is missing', pinned });
      continue;
    }
    const { mtimeMs } = await stat(path);
    if (!thorough && size === file.size && mtimeMs === file.checkedMtimeMs) {
      reports.push({ path: file.path, ok: true, problem: null, pinned });
      continue;
    }
    const problem = await problemOf(path, { size: file.size, sha256: file.sha256 }, file.path, signal);
    reports.push({ path: file.path, ok: problem === null, problem, pinned });
    if (problem === null && mtimeMs !== file.checkedMtimeMs) {
      file.checkedMtimeMs = mtimeMs;
      noted = true;
    }
  }
  const bad = reports.find(({ ok }) => !ok);
  const damage = bad ? `${bad.path}: ${bad.problem}` : undefined;
  if (damage !== manifest.damage && (bad || thorough)) {
    if (damage === undefined) delete manifest.damage;
    else manifest.damage = damage;
    noted = true;
  }
  if (noted) await writeJson(join(folder, MANIFEST_NAME), manifest);
  return reports;
}

/** Reads a built-in model's files through. */
export async function verifyBundled(
  folder: string,
  entry: ModelEntry,
  signal?: AbortSignal,
): Promise<FileReport[]> {
  const reports: FileReport[] = [];
  for (const file of entry.files) {
    const problem = await problemOf(below(folder, file.path), file, file.path, signal);
    reports.push({ path: file.path, ok: problem === null, problem, pinned: true });
  }
  return reports;
}

async function problemOf(
  path: string,
  pin: { size: number | null; sha256: string | null },
  name: string,
  signal?: AbortSignal,
): Promise<string | null> {
  try {
    await examine(path, pin, name, signal);
    return null;
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}
