import { type ModelEntry, type ModelFile, sizeOf } from '../catalogue/index.ts';
import { fileSize } from './files.ts';
import { roomFor } from './room.ts';
import { candidates, type Places } from './sources.ts';
import { arrivedBytes, type Folders } from './state.ts';

/** What a `get` would do, to be shown before it is allowed. */
export interface Plan {
  readonly id: string;
  readonly title: string;
  readonly licence: string;
  /** Bytes the model takes; an estimate unless `exact`. */
  readonly bytes: number;
  readonly exact: boolean;
  /** Bytes of it that an earlier try left. */
  readonly hereBytes: number;
  /** Bytes that must be free on the disk for the rest, some to spare among them. */
  readonly neededBytes: number;
  readonly freeBytes: number;
  /** Hosts and registries that may be contacted, the first first; empty when everything is on this machine. */
  readonly hosts: readonly string[];
  /** Files the catalogue knows no hash of: their first download becomes the measure. */
  readonly trustOnFirstUse: readonly string[];
  /** Files that no source offers here. */
  readonly nowhere: readonly string[];
}

/** Looks, on this machine only, how a model could be come by. */
export async function planFor(
  entry: ModelEntry,
  places: Places,
  folders: Folders,
  freeBytes: number,
): Promise<Plan> {
  const hosts = new Set<string>();
  const nowhere: string[] = [];
  const blind: string[] = [];
  for (const file of entry.files) {
    const ways = candidates(entry, file, places);
    if (file.sha256 === null && !file.gitBlob) blind.push(file.path);
    if (await isLocal(file, ways)) continue;
    const remote = ways.filter((way) => way.host !== null);
    if (remote.length === 0) nowhere.push(file.path);
    for (const way of remote) hosts.add(way.host!);
  }
  const { bytes, exact } = sizeOf(entry);
  const hereBytes = await arrivedBytes(folders);
  return {
    id: entry.id,
    title: entry.title,
    licence: entry.licence,
    bytes,
    exact,
    hereBytes,
    neededBytes: roomFor(Math.max(0, bytes - hereBytes)),
    freeBytes,
    hosts: [...hosts],
    trustOnFirstUse: blind,
    nowhere,
  };
}

async function isLocal(file: ModelFile, ways: ReturnType<typeof candidates>): Promise<boolean> {
  for (const { how } of ways) {
    if (how.kind === 'text') return true;
    if (how.kind !== 'copy') continue;
    const size = await fileSize(how.from);
    if (size !== null && (file.size === null || size === file.size)) return true;
  }
  return false;
}
