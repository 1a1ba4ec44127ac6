import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type ModelEntry, type ModelFile, sizeOf } from '../catalogue/index.ts';
import { syncFolder } from '../durable-file.ts';
import { ModelError } from '../errors.ts';
import { examine, type Found, type Pin } from './check.ts';
import { discard, emptyTrash } from './discard.ts';
import { download, dropPart, type Patience, type WriteChunk, wasResumed } from './download.ts';
import { below, fileSize, readJson, storeError, writeJson } from './files.ts';
import { fingerprintOf, MANIFEST_NAME, type Manifest, type ManifestFile } from './manifest.ts';
import type { ProgressTeller } from './progress.ts';
import { needRoom } from './room.ts';
import {
  type Candidate,
  candidates,
  copyLocal,
  type PackageClient,
  Packages,
  type Places,
  writeText,
} from './sources.ts';
import { arrivedBytes, type Folders } from './state.ts';

export interface InstallContext {
  readonly entry: ModelEntry;
  readonly folders: Folders;
  readonly places: Places;
  readonly packages: PackageClient | null;
  readonly freeBytes: (folder: string) => Promise<number>;
  readonly write: WriteChunk;
  readonly patience: Patience;
  readonly repairAllowed: boolean;
  readonly teller: ProgressTeller;
  readonly signal: AbortSignal;
}

/** Which files of an unfinished install are whole. */
const Done = z.object({
  fingerprint: z.string(),
  files: z.record(
    z.string(),
    z.object({ size: z.number(), sha256: z.string(), from: z.string(), first: z.boolean() }),
  ),
});
type Done = z.infer<typeof Done>;

const Pins = z.record(z.string(), z.string());

/**
 * Brings a model onto this machine: every file fetched, checked and synced in a folder of its own, which then gets its place by one rename.
 * Whatever happens before that rename, nothing is installed; what arrived is gone on with next time.
 * @throws ModelError unreachable, refused, wrong-content, no-space, store-failed; the signal's reason when aborted
 */
export async function install(context: InstallContext): Promise<void> {
  const { folders, entry } = context;
  try {
    await mkdir(folders.partial, { recursive: true });
    const done = await unfinished(context);
    const packages = new Packages(context.packages, join(folders.partial, 'packages'));
    await checkRoom(context, done);
    for (const file of entry.files) {
      const before = done.files[file.path];
      if (!before || (await fileSize(staged(folders, file))) !== before.size)
        await fetchFile(context, file, done, packages);
      context.teller.fileDone(done.files[file.path]!.size);
    }
    context.teller.phase('installing', null);
    await packages.clear();
    await place(context, done);
  } catch (error) {
    throw storeError(error, 'The folder for models cannot be used');
  }
}

const staged = (folders: Folders, file: ModelFile) => below(join(folders.partial, 'files'), file.path);
const donePath = (folders: Folders) => join(folders.partial, 'done.json');

/** What an earlier try left; emptied when the catalogue has moved on since. */
async function unfinished({ folders, entry }: InstallContext): Promise<Done> {
  const fingerprint = fingerprintOf(entry);
  const earlier = Done.safeParse(await readJson(donePath(folders)));
  if (earlier.success && earlier.data.fingerprint === fingerprint) return earlier.data;
  // Parts of a first file are there before anything is done; they belong to whoever left them, told by their address.
  if (earlier.success) await rm(folders.partial, { recursive: true, force: true });
  await mkdir(folders.partial, { recursive: true });
  const fresh: Done = { fingerprint, files: {} };
  await writeJson(donePath(folders), fresh);
  return fresh;
}

async function checkRoom({ entry, folders, freeBytes }: InstallContext, done: Done): Promise<void> {
  const here = await arrivedBytes(folders);
  const missing = entry.files.filter((file) => !done.files[file.path]);
  if (missing.length === 0) return;
  await needRoom(freeBytes, folders.partial, Math.max(0, sizeOf(entry).bytes - here));
}

/** Comes by one file in the first way that works. */
async function fetchFile(
  context: InstallContext,
  file: ModelFile,
  done: Done,
  packages: Packages,
): Promise<void> {
  const { entry, folders, teller, signal } = context;
  const part = `${below(join(folders.partial, 'parts'), file.path)}.part`;
  // A copy that turns out wrong must not cost what a download has brought.
  const copy = `${part}.copy`;
  const pinKey = `${entry.id}@${entry.revision ?? '-'}/${file.path}`;
  const pins = Pins.catch({}).parse(await readJson(folders.pins));
  const failures: { label: string; error: ModelError }[] = [];
  // What is installed already serves first: a repair or a new revision then fetches only what differs.
  const own: Candidate = {
    label: 'the installed copy',
    host: null,
    pin: file,
    how: { kind: 'copy', from: below(folders.installed, file.path) },
  };
  for (const candidate of [own, ...candidates(entry, file, context.places)]) {
    signal.throwIfAborted();
    const unknown = candidate.pin.sha256 === null && !candidate.pin.gitBlob;
    const earlier = unknown ? pins[pinKey] : undefined;
    // An unpinned file on this machine may be anything; only a download, or one like an earlier download, sets the measure.
    if (unknown && earlier === undefined && candidate === own) continue;
    const pin: Pin = earlier === undefined ? candidate.pin : { ...candidate.pin, sha256: earlier };
    const arrival = candidate.how.kind === 'url' ? part : copy;
    try {
      if (!(await bring(context, file, candidate, pin, arrival, packages))) continue;
      const found = await examined(context, file, candidate, pin, arrival, packages);
      if (unknown && earlier === undefined) {
        await writeJson(folders.pins, { ...pins, [pinKey]: found.sha256 });
        teller.note(
          `${file.path}: the catalogue knows no hash of it; this first download is what later ones are held against.`,
        );
      }
      await keep(context, file, arrival, done, found, candidate.label, unknown);
      await dropPart(part);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const known = storeError(error, `${file.path} could not be written`);
      if (!(known instanceof ModelError) || known.code === 'no-space' || known.code === 'store-failed')
        throw known;
      if (known.code === 'wrong-content') await dropPart(arrival);
      if (candidate === own) continue;
      failures.push({ label: candidate.label, error: known });
      teller.note(known.code === 'wrong-content' ? `${known.message} It was deleted.` : known.message);
    }
  }
  throw noneLeft(entry, file, failures);
}

/** @returns false when the candidate is a place on this machine that has no such file */
async function bring(
  context: InstallContext,
  file: ModelFile,
  candidate: Candidate,
  pin: Pin,
  arrival: string,
  packages: Packages,
): Promise<boolean> {
  const { teller, signal } = context;
  const { how } = candidate;
  if (how.kind === 'url') {
    teller.phase('downloading', file.path);
    await download({
      url: how.url,
      part: arrival,
      name: file.path,
      size: pin.size,
      hashed: pin.sha256 !== null || pin.gitBlob !== undefined,
      signal,
      onBytes: (bytes) => teller.bytes(bytes),
      onHost: (host) => teller.host(host),
      room: (bytes) => needRoom(context.freeBytes, context.folders.partial, bytes),
      write: context.write,
      patience: context.patience,
    });
    return true;
  }
  if (how.kind === 'text') {
    await writeText(how.text, arrival);
    return true;
  }
  if (how.kind === 'package') {
    teller.phase('downloading', file.path);
    teller.host(candidate.label);
    const folder = await packages.folder(how.source, signal);
    if (await copyLocal(below(folder, how.at), arrival)) return true;
    throw new ModelError('refused', `The package ${how.source.name} does not hold ${how.at}.`);
  }
  if ((await fileSize(how.from)) === null) return false;
  teller.phase('copying', file.path);
  return copyLocal(how.from, arrival);
}

/** Holds what arrived against its pin. A download that was put together from parts is begun anew once when it is wrong. */
async function examined(
  context: InstallContext,
  file: ModelFile,
  candidate: Candidate,
  pin: Pin,
  arrival: string,
  packages: Packages,
): Promise<Found> {
  context.teller.phase('checking', file.path);
  try {
    return await examine(arrival, pin, file.path, context.signal);
  } catch (error) {
    if (candidate.how.kind !== 'url' || !(error instanceof ModelError) || error.code !== 'wrong-content')
      throw error;
    if (!(await wasResumed(arrival))) throw error;
    context.teller.note(`${error.message} It was deleted and is fetched anew.`);
    await dropPart(arrival);
    await bring(context, file, candidate, pin, arrival, packages);
    context.teller.phase('checking', file.path);
    return examine(arrival, pin, file.path, context.signal);
  }
}

/** Moves a checked file among the done ones. */
async function keep(
  { folders }: InstallContext,
  file: ModelFile,
  part: string,
  done: Done,
  found: Found,
  from: string,
  first: boolean,
): Promise<void> {
  const target = staged(folders, file);
  await mkdir(dirname(target), { recursive: true });
  await rename(part, target);
  await syncFolder(dirname(target));
  done.files[file.path] = { ...found, from, first };
  await writeJson(donePath(folders), done);
}

function noneLeft(
  entry: ModelEntry,
  file: ModelFile,
  failures: { label: string; error: ModelError }[],
): ModelError {
  const last = failures.at(-1);
  if (!last) {
    return new ModelError(
      'unreachable',
      `${entry.title} comes from a local folder only, and none here has ${file.path}. Name the folder, or set FOOTNOTE_MODELS.`,
    );
  }
  // A wrong file says more than a host that could not be reached.
  const worst = failures.find(({ error }) => error.code === 'wrong-content') ?? last;
  const said = failures.map(({ label, error }) =>
    error.message.includes(label) ? error.message : `${label}: ${error.message}`,
  );
  const deleted = worst.error.code === 'wrong-content' ? ' What came was deleted.' : '';
  return new ModelError(
    worst.error.code,
    `${entry.title} could not be fetched. ${said.join(' ')}${deleted}`,
    {
      cause: worst.error,
    },
  );
}

/** Gives the finished folder its place. */
async function place({ entry, folders, repairAllowed }: InstallContext, done: Done): Promise<void> {
  const folder = join(folders.partial, 'files');
  const files: ManifestFile[] = [];
  for (const { path } of entry.files) {
    const { size, sha256, from, first } = done.files[path]!;
    const { mtimeMs } = await stat(below(folder, path));
    files.push({ path, size, sha256, from, trustedOnFirstUse: first, checkedMtimeMs: mtimeMs });
  }
  const manifest: Manifest = {
    format: 1,
    id: entry.id,
    repository: entry.repository,
    revision: entry.revision,
    fingerprint: fingerprintOf(entry),
    installedAtMs: Date.now(),
    repairAllowed,
    files,
  };
  await writeJson(join(folder, MANIFEST_NAME), manifest);
  await discard(folders.installed, folders.trash);
  await mkdir(dirname(folders.installed), { recursive: true });
  await rename(folder, folders.installed);
  await syncFolder(dirname(folders.installed));
  await rm(folders.partial, { recursive: true, force: true });
  await emptyTrash(folders.trash);
}
