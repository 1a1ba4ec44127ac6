import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import lockfile from 'proper-lockfile';
import { z } from 'zod';
import { writeAtomic } from '../../models/durable-file.ts';
import { FootnoteError } from '../contract/errors.ts';
import { readJson } from './files.ts';

/** Version of the folder's layout. A newer one is refused, an older one migrated. */
export const LIBRARY_FORMAT = 1;
const PRIVATE_FOLDER = 0o700;
/** A lock that was not renewed for this long belongs to a process that is gone (it renews every second). */
const LOCK_STALE_MS = 10_000;

const Manifest = z.object({ format: z.number().int(), createdAtMs: z.number() });

/** Where everything lies that Footnote keeps. */
export interface Library {
  readonly root: string;
  readonly readOnly: boolean;
  readonly memoryDir: string;
  readonly jobsDir: string;
  readonly inboxDir: string;
  readonly sampleDir: string;
  clipsDir(recordingId: string): string;
  keyframesDir(recordingId: string): string;
  /** Unfinished files of one import job; swept when the job ends. */
  workDir(jobId: string): string;
  readonly workRoot: string;
  readonly clipsRoot: string;
  readonly keyframesRoot: string;
  release(): Promise<void>;
}

async function ownerIsGone(lockInfo: string): Promise<boolean> {
  let owner: { pid: number; host: string };
  try {
    owner = JSON.parse(await readFile(lockInfo, 'utf8'));
  } catch {
    return false;
  }
  if (owner.host !== hostname() || !Number.isInteger(owner.pid)) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** One process writes to a library at a time. The owner's pid lets a start right after a crash go on at once. */
async function lock(root: string): Promise<() => Promise<void>> {
  const lockInfo = join(root, 'lock-owner.json');
  const options = { stale: LOCK_STALE_MS, update: 1_000, lockfilePath: join(root, 'lock') };
  const acquire = () => lockfile.lock(root, options);
  let release: () => Promise<void>;
  try {
    release = await acquire();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ELOCKED') throw error;
    if (!(await ownerIsGone(lockInfo))) {
      throw new FootnoteError(
        'LIBRARY_BUSY',
        'Another Footnote has this library open for writing. Close it, or wait until its import has ended.',
        { library: root },
      );
    }
    await rm(options.lockfilePath, { recursive: true, force: true });
    release = await acquire();
  }
  await writeFile(lockInfo, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
  return async () => {
    await rm(lockInfo, { force: true });
    await release();
  };
}

async function checkFormat(root: string, readOnly: boolean): Promise<void> {
  const path = join(root, 'footnote.json');
  let found: unknown;
  try {
    found = await readJson(path);
  } catch (error) {
    const refused = (error as NodeJS.ErrnoException).code;
    if (refused === 'EACCES' || refused === 'EPERM') {
      throw new FootnoteError(
        'LIBRARY_UNREADABLE',
        `You have no permission to read ${root}.`,
        {},
        { cause: error },
      );
    }
    throw new FootnoteError(
      'LIBRARY_UNREADABLE',
      `${path} is damaged. Restore it from a backup of the library.`,
      {},
      { cause: error },
    );
  }
  if (found === null) {
    const others = (await readdir(root)).filter(
      // Models may be fetched before anything is imported.
      (name) => !name.startsWith('lock') && !name.startsWith('.') && name !== 'models',
    );
    if (others.length > 0) {
      throw new FootnoteError(
        'LIBRARY_UNREADABLE',
        `${root} holds other files and no Footnote library. Choose an empty or new folder.`,
        { library: root },
      );
    }
    if (readOnly)
      throw new FootnoteError('NOT_FOUND', `There is no library in ${root} yet. Import something first.`);
    await writeAtomic(
      path,
      `${JSON.stringify({ format: LIBRARY_FORMAT, createdAtMs: Date.now() }, null, 2)}\n`,
    );
    return;
  }
  const manifest = Manifest.safeParse(found);
  if (!manifest.success)
    throw new FootnoteError(
      'LIBRARY_UNREADABLE',
      `${path} is damaged. Restore it from a backup of the library.`,
    );
  if (manifest.data.format > LIBRARY_FORMAT) {
    throw new FootnoteError(
      'LIBRARY_TOO_NEW',
      'This library was written by a newer Footnote. Update Footnote to open it.',
      {
        format: manifest.data.format,
      },
    );
  }
}

/**
 * Opens (or creates) a library folder.
 * @throws FootnoteError LIBRARY_BUSY when another process writes to it, LIBRARY_TOO_NEW, LIBRARY_UNREADABLE,
 *   NOT_FOUND when opened read-only and not there
 */
export async function openLibrary(
  dir: string,
  { readOnly = false }: { readOnly?: boolean } = {},
): Promise<Library> {
  const root = resolve(dir);
  if (readOnly) {
    const there = await stat(root).catch(() => null);
    if (!there?.isDirectory()) {
      throw new FootnoteError('NOT_FOUND', `There is no library in ${root} yet. Import something first.`);
    }
  } else {
    try {
      await mkdir(root, { recursive: true, mode: PRIVATE_FOLDER });
    } catch (error) {
      throw new FootnoteError(
        'LIBRARY_UNREADABLE',
        `The library folder ${root} cannot be made: ${(error as Error).message}`,
        {},
        { cause: error },
      );
    }
  }
  const release = readOnly ? async () => {} : await lock(root);
  try {
    await checkFormat(root, readOnly);
  } catch (error) {
    await release();
    throw error;
  }
  const at = (...parts: string[]) => join(root, ...parts);
  if (!readOnly) {
    for (const name of ['memory', 'jobs', 'clips', 'keyframes', 'work']) {
      await mkdir(at(name), { recursive: true, mode: PRIVATE_FOLDER });
    }
  }
  return {
    root,
    readOnly,
    memoryDir: at('memory'),
    jobsDir: at('jobs'),
    inboxDir: at('inbox'),
    sampleDir: at('sample-day'),
    workRoot: at('work'),
    clipsRoot: at('clips'),
    keyframesRoot: at('keyframes'),
    clipsDir: (recordingId) => at('clips', recordingId),
    keyframesDir: (recordingId) => at('keyframes', recordingId),
    workDir: (jobId) => at('work', jobId),
    release,
  };
}
