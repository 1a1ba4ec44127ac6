import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
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
  /** Why it could not or must not be looked at (FILE_NOT_FOOTAGE); null for a readable file. */
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
const NOT_A_FILE = 'This is neither a file nor a folder.';
const DEAD_LINK = 'A link that leads nowhere.';
const OWN_LIBRARY =
  'A Footnote library: what it holds was imported before, so nothing in this folder is read.';
/** What a name has in it where the disk holds bytes that are no text. */
const REPLACED = '\uFFFD';
const MAX_MARKER_BYTES = 64 * 1024;
/** Deeper than any card; ends a folder that contains itself by a mount. */
const MAX_DEPTH = 64;

/**
 * Finds every regular file under the dropped files, folders and cards, each exactly once, in path order. Links are
 * followed, loops end, and what cannot be opened or is no file, and a library of Footnote's own, is one entry with the reason.
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
      const isDead = depth > 0 && (await isLink(path));
      add(path, path, null, isSystem, isDead ? notFootage(DEAD_LINK) : problemOf(error, path));
      return;
    }
    if (info.isFile()) add(path, real, info, isSystem || isSystemFile(basename(path)), null);
    else if (info.isDirectory() && depth < MAX_DEPTH && !visited.has(real)) {
      visited.add(real);
      await visitFolder(path, isSystem, depth);
    } else if (!info.isDirectory()) add(path, real, null, isSystem, notFootage(NOT_A_FILE));
  }

  async function visitFolder(path: string, isSystem: boolean, depth: number): Promise<void> {
    let entries: Dirent[];
    try {
      entries = await readdir(path, { withFileTypes: true });
    } catch (error) {
      add(path, path, null, isSystem, problemOf(error, path));
      return;
    }
    if (await isLibrary(path, entries)) {
      add(path, path, null, isSystem, notFootage(OWN_LIBRARY));
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

/** Whether a folder is one that Footnote keeps: its mark with a format number, beside its memory. */
async function isLibrary(folder: string, entries: readonly Dirent[]): Promise<boolean> {
  const marker = entries.find((entry) => entry.name === 'footnote.json');
  const memory = entries.find((entry) => entry.name === 'memory');
  if (!marker?.isFile() || !memory || memory.isFile()) return false;
  try {
    const path = join(folder, marker.name);
    if ((await stat(path)).size > MAX_MARKER_BYTES) return false;
    const mark: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof (mark as { format?: unknown } | null)?.format === 'number';
  } catch {
    return false;
  }
}

function notFootage(message: string): FootnoteError {
  return new FootnoteError('FILE_NOT_FOOTAGE', message);
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

function problemOf(error: unknown, path: string): FootnoteError {
  const code = (error as { code?: unknown }).code;
  if (code === 'ENOENT' && path.includes(REPLACED)) {
    return new FootnoteError(
      'FILE_UNREADABLE',
      'The name of this file or of its folder holds signs that are no text (not UTF-8), so it cannot be opened. Rename it and import it again.',
      {},
      { cause: error },
    );
  }
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
