import { existsSync } from 'node:fs';
import { type Connection, connect, type Table } from '@lancedb/lancedb';
import { FootnoteError, toFootnoteError } from '../contract/index.ts';
import { buildIndexes, ensureWearers } from './maintenance.ts';
import {
  type EmbedderIdentity,
  EPISODES_TABLE,
  type Manifest,
  newManifest,
  PICTURES_TABLE,
  readManifest,
  writeManifest,
} from './manifest.ts';
import { episodesSchema, FIRST_EPISODES_TABLE, RECORDINGS_TABLE, recordingsSchema } from './schema.ts';
import { ensureStoreThreads } from './store-threads.ts';

/** The opened store. `episodes` and `manifest` change when the library is embedded anew. */
export interface Tables {
  readonly dir: string;
  readonly connection: Connection;
  readonly recordings: Table;
  episodes: Table;
  manifest: Manifest;
  /** The table that `manifest.next` names, unfinished. */
  next: Table | null;
  /** The table that `manifest.pictures` names. */
  pictures: Table | null;
}

/** Reads always see the last commit, also one made through another handle. */
const FRESH = { readConsistencyInterval: 0 };

/** Name of an embedder that cannot be known: the manifest was lost after rows had been written. */
const UNKNOWN_EMBEDDER = 'unknown';

/**
 * Opens the memory in `dir`, making it when it is not there. Tables come first and the manifest last, so that a kill in
 * between leaves something the next start completes.
 * @throws FootnoteError LIBRARY_TOO_NEW, LIBRARY_UNREADABLE
 */
export async function openTables(dir: string, embedder: EmbedderIdentity): Promise<Tables> {
  const known = await readManifest(dir);
  ensureStoreThreads();
  const connection = await connect(dir, FRESH);
  const names = await connection.tableNames();
  const recordings = await openOrCreate(connection, names, RECORDINGS_TABLE, async () => recordingsSchema());
  if (known) {
    if (!names.includes(known.episodes)) {
      throw new FootnoteError('LIBRARY_UNREADABLE', 'The memory has lost its table of episodes.');
    }
    await dropLeftovers(connection, names, known);
    const episodes = await connection.openTable(known.episodes);
    await ensureWearers(episodes);
    const next = await openNext(connection, names, known);
    if (next) await ensureWearers(next);
    const pictures = await openPictures(connection, names, known);
    return { dir, connection, recordings, episodes, manifest: known, next, pictures };
  }
  const { episodes, identity } = await adoptOrCreate(connection, names, embedder);
  const manifest = newManifest(FIRST_EPISODES_TABLE, identity);
  await writeManifest(dir, manifest);
  return { dir, connection, recordings, episodes, manifest, next: null, pictures: null };
}

/**
 * Opens the memory for reading; nothing is written to `dir`. A library that does not exist yet reads as an empty one.
 * @throws FootnoteError LIBRARY_TOO_NEW, LIBRARY_UNREADABLE
 */
export async function openTablesToRead(dir: string, embedder: EmbedderIdentity): Promise<Tables> {
  const manifest = existsSync(dir) ? await readManifest(dir) : null;
  ensureStoreThreads();
  if (!manifest) {
    const connection = await connect('memory://');
    const recordings = await connection.createEmptyTable(RECORDINGS_TABLE, recordingsSchema());
    const episodes = await createEpisodes(connection, FIRST_EPISODES_TABLE, embedder.dims);
    return {
      dir,
      connection,
      recordings,
      episodes,
      manifest: newManifest(FIRST_EPISODES_TABLE, embedder),
      next: null,
      pictures: null,
    };
  }
  const connection = await connect(dir, FRESH);
  const recordings = await connection.openTable(RECORDINGS_TABLE);
  const episodes = await connection.openTable(manifest.episodes);
  const names = await connection.tableNames();
  const next = await openNext(connection, names, manifest);
  const pictures = await openPictures(connection, names, manifest);
  return { dir, connection, recordings, episodes, manifest, next, pictures };
}

/** An empty table of episodes with its text and filter indexes. */
async function createEpisodes(connection: Connection, name: string, dims: number): Promise<Table> {
  const table = await connection.createEmptyTable(name, episodesSchema(dims), { mode: 'overwrite' });
  await buildIndexes(table);
  return table;
}

/** Begins the table that takes the place of the present one: empty, and without indexes, which are built when it is full. */
export async function createNext(tables: Tables, embedder: EmbedderIdentity): Promise<Table> {
  const generation = Number(/_(\d+)$/.exec(tables.manifest.episodes)?.[1] ?? 1);
  const name = `${FIRST_EPISODES_TABLE}_${generation + 1}`;
  const table = await tables.connection.createEmptyTable(name, episodesSchema(embedder.dims), {
    mode: 'overwrite',
  });
  const { name: model, dims } = embedder;
  const manifest = { ...tables.manifest, next: { episodes: name, embedder: { name: model, dims } } };
  await writeManifest(tables.dir, manifest);
  tables.manifest = manifest;
  tables.next = table;
  return table;
}

/** Gives up the unfinished table, if there is one. */
export async function dropNext(tables: Tables): Promise<void> {
  const { next, ...manifest } = tables.manifest;
  if (!next) return;
  // The manifest first: a table it does not name is dropped at the next start.
  await writeManifest(tables.dir, manifest);
  tables.manifest = manifest;
  const table = tables.next;
  tables.next = null;
  table?.close();
  if (table) await tables.connection.dropTable(next.episodes);
}

/** Closes everything; safe to call once the last write is done. */
export function closeTables(tables: Tables): void {
  tables.episodes.close();
  tables.next?.close();
  tables.pictures?.close();
  tables.recordings.close();
  tables.connection.close();
}

/** Errors of the store as coded ones, with a full disk told apart. */
export function storeError(error: unknown): FootnoteError {
  if (/no space left|os error 28/i.test(String(error))) {
    return new FootnoteError(
      'DISK_FULL',
      'The disk is full. Free some space, then resume.',
      {},
      {
        cause: error,
      },
    );
  }
  return toFootnoteError(error, 'LIBRARY_UNREADABLE');
}

async function openOrCreate(
  connection: Connection,
  names: readonly string[],
  name: string,
  schema: () => Promise<ReturnType<typeof recordingsSchema>>,
): Promise<Table> {
  if (names.includes(name)) return connection.openTable(name);
  return connection.createEmptyTable(name, await schema(), { existOk: true });
}

/** With no manifest: an empty or missing table is made anew; one with rows is kept, its vectors of unknown origin. */
async function adoptOrCreate(
  connection: Connection,
  names: readonly string[],
  embedder: EmbedderIdentity,
): Promise<{ episodes: Table; identity: EmbedderIdentity }> {
  if (names.includes(FIRST_EPISODES_TABLE)) {
    const episodes = await connection.openTable(FIRST_EPISODES_TABLE);
    if ((await episodes.countRows()) > 0) {
      const field = (await episodes.schema()).fields.find((column) => column.name === 'vector');
      const dims = Number((field?.type as { listSize?: unknown } | undefined)?.listSize);
      if (!(dims > 0)) throw new FootnoteError('LIBRARY_UNREADABLE', 'The memory has no vectors column.');
      await ensureWearers(episodes);
      return { episodes, identity: { name: UNKNOWN_EMBEDDER, dims } };
    }
    episodes.close();
  }
  const episodes = await createEpisodes(connection, FIRST_EPISODES_TABLE, embedder.dims);
  return { episodes, identity: embedder };
}

/** The unfinished table that the manifest names. */
async function openNext(
  connection: Connection,
  names: readonly string[],
  { next }: Manifest,
): Promise<Table | null> {
  return next && names.includes(next.episodes) ? connection.openTable(next.episodes) : null;
}

/** The table of pictures that the manifest names. */
async function openPictures(
  connection: Connection,
  names: readonly string[],
  { pictures }: Manifest,
): Promise<Table | null> {
  return pictures && names.includes(pictures.table) ? connection.openTable(pictures.table) : null;
}

/** A kill at the switch from one table to another leaves one that the manifest does not name. */
async function dropLeftovers(
  connection: Connection,
  names: readonly string[],
  { episodes, next, pictures }: Manifest,
): Promise<void> {
  for (const name of names) {
    if (EPISODES_TABLE.test(name) && name !== episodes && name !== next?.episodes)
      await connection.dropTable(name);
    if (PICTURES_TABLE.test(name) && name !== pictures?.table) await connection.dropTable(name);
  }
}
