import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { FootnoteError } from '../contract/errors.ts';

/** One thing found under what was dropped: a file, or a place that could not be looked into. */
export interface FoundFile {
  /** Absolute path, as it was reached. */
  path: string;
  name: string;
  /** Absolute path of its folder. */
  folder: string;
  bytes: number;
  /** Last change, epoch ms. */
  modifiedMs: number;
  /** Made by the operating system for itself, not by a camera. */
  isSystem: boolean;
  /** Why it could not be looked at; null for a readable file. */
  problem: FootnoteError | null;
}

/** Files operating systems and file managers leave on cards. */
const SYSTEM_FILES = new Set([
  'thumbs.db',
  'desktop.ini',
  'ehthumbs.db',
  'icon\r',
  'indexervolumeguid',
  'wpsettings.dat',
]);
const SYSTEM_FOLDERS = new Set([
  '$recycle.bin',
  'system volume information',
  '@eadir',
  'lost.dir',
  '__macosx',
]);
/** Deeper than any card; ends a folder that contains itself by a mount. */
const MAX_DEPTH = 64;

/**
 * Finds every regular file under the dropped files, folders and cards, each exactly once, in path order. Links are
 * followed, loops end, and a folder that cannot be opened is an entry of its own instead of an exception.
 * @throws FootnoteError CANCELLED
 */
export async function scan(
  paths: readonly string[],
  options: { signal?: AbortSignal } = {},
): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  const visited = new Set<string>();
  for (const path of paths) await visit(resolve(path), false, 0);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

  async function visit(path: string, isSystem: boolean, depth: number): Promise<void> {
    if (options.signal?.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');
    let info: Stats;
    let real: string;
    try {
      info = await stat(path);
      real = await realpath(path);
    } catch (error) {
      // A link whose target is gone, or a dropped path that is not there any more.
      if (depth > 0 && (await isLink(path))) return;
      add(path, path, null, isSystem, problemOf(error));
      return;
    }
    if (info.isFile()) add(path, real, info, isSystem || isSystemFile(basename(path)), null);
    else if (info.isDirectory() && depth < MAX_DEPTH && !visited.has(real)) {
      visited.add(real);
      await visitFolder(path, isSystem, depth);
    } else if (depth === 0 && !info.isDirectory()) {
      add(
        path,
        real,
        null,
        isSystem,
        new FootnoteError('FILE_NOT_FOOTAGE', 'This is neither a file nor a folder.'),
      );
    }
  }

  async function visitFolder(path: string, isSystem: boolean, depth: number): Promise<void> {
    let entries: Dirent[];
    try {
      entries = await readdir(path, { withFileTypes: true });
    } catch (error) {
      add(path, path, null, isSystem, problemOf(error));
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      await visit(join(path, entry.name), isSystem || isSystemFolder(entry), depth + 1);
    }
  }

  function add(
    path: string,
    key: string,
    info: Stats | null,
    isSystem: boolean,
    problem: FootnoteError | null,
  ) {
    if (found.has(key)) return;
    found.set(key, {
      path,
      name: basename(path),
      folder: dirname(path),
      bytes: info?.size ?? 0,
      modifiedMs: info ? Math.round(info.mtimeMs) : 0,
      isSystem,
      problem,
    });
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Names that begin with a dot are hidden; "._x" holds what another file system could not. */
function isSystemFile(name: string): boolean {
  return name.startsWith('.') || SYSTEM_FILES.has(name.toLowerCase());
}

function isSystemFolder(entry: Dirent): boolean {
  if (entry.isFile()) return false;
  return entry.name.startsWith('.') || SYSTEM_FOLDERS.has(entry.name.toLowerCase());
}

function problemOf(error: unknown): FootnoteError {
  const code = (error as { code?: unknown }).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new FootnoteError(
      'FILE_MISSING',
      'There is nothing at this place any more.',
      {},
      { cause: error },
    );
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new FootnoteError('FILE_UNREADABLE', 'You are not allowed to look in here.', {}, { cause: error });
  }
  return new FootnoteError(
    'FILE_UNREADABLE',
    'The disk gave an error here.',
    { code: String(code) },
    { cause: error },
  );
}
