import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readName } from './families/identify.ts';
import { stemOf } from './families/naming.ts';
import { looksLikeFootage } from './probe.ts';
import { keysBeside } from './proxies.ts';
import type { FoundFile } from './scan.ts';
import { isSubtitleName, isSubtitleOf } from './subtitles.ts';

/**
 * Finds what lies beside files that were dropped one by one and belongs to them: subtitles and low-resolution copies in the
 * same folder. Who drops a recording means its speech too. What was found already is not found again.
 * @param dropped the paths as they were dropped, files and folders
 * @returns in path order; a folder that cannot be read gives nothing
 */
export async function findBeside(
  found: readonly FoundFile[],
  dropped: readonly string[],
): Promise<FoundFile[]> {
  const named = new Set(dropped.map((path) => resolve(path)));
  const masters = found.filter(
    (file) => named.has(file.path) && !file.problem && !file.isSystem && looksLikeFootage(file.name),
  );
  const known = new Set(found.map((file) => file.path));
  const beside = new Map<string, FoundFile>();
  const namesIn = new Map<string, string[]>();
  for (const master of masters) {
    const { folder } = master;
    const names = namesIn.get(folder) ?? (await readdir(folder).catch(() => []));
    namesIn.set(folder, names);
    for (const name of names) {
      const path = join(folder, name);
      if (known.has(path) || beside.has(path) || !belongsTo(name, master, names)) continue;
      const file = await lookAt(path, name, folder);
      if (file) beside.set(path, file);
    }
  }
  return [...beside.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function belongsTo(name: string, master: FoundFile, names: readonly string[]): boolean {
  if (name.startsWith('.')) return false;
  if (isSubtitleName(name)) {
    if (!isSubtitleOf(name, master.name)) return false;
    // "a.en.srt" is of "a.en.mp4" where that is there, not of "a.mp4".
    return !names.some(
      (other) =>
        stemOf(other).length > stemOf(master.name).length &&
        looksLikeFootage(other) &&
        isSubtitleOf(name, other),
    );
  }
  const copy = readName(name);
  if (copy.role !== 'proxy') return false;
  const keys = new Set(keysBeside(master, { named: readName(master.name) }));
  return keysBeside({ ...master, name }, { named: copy }).some((key) => keys.has(key));
}

async function lookAt(path: string, name: string, folder: string): Promise<FoundFile | null> {
  try {
    const info = await stat(path);
    if (!info.isFile()) return null;
    return {
      ...{ path, name, folder, bytes: info.size, modifiedMs: Math.round(info.mtimeMs) },
      isSystem: false,
      problem: null,
    };
  } catch {
    return null;
  }
}
