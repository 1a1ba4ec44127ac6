import { existsSync } from 'node:fs';
import { type Connection, connect, type Table } from '@lancedb/lancedb';
import { FootnoteError, toFootnoteError } from '../contract/index.ts';
import { buildIndexes, ensureWearers } from './maintenance.ts';
import { type Manifest, newManifest, readManifest, writeManifest } from './manifest.ts';
import { episodesSchema, FIRST_EPISODES_TABLE, RECORDINGS_TABLE, recordingsSchema } from './schema.ts';
import { ensureStoreThreads } from './store-threads.ts';

/** The opened store. `episodes` and `manifest` change when the library is embedded anew. */
export interface Tables {
  readonly dir: string;
  readonly connection: Connection;
  readonly recordings: Table;
  episodes: Table;
  manifest: Manifest;
}

interface EmbedderIdentity {
  name: string;
  dims: number;
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
    await dropLeftovers(connection, names, known.episodes);
    const episodes = await connection.openTable(known.episodes);
    await ensureWearers(episodes);
    return { dir, connection, recordings, episodes, manifest: known };
  }
  const { episodes, identity } = await adoptOrCreate(connection, names, embedder);
  const manifest = newManifest(FIRST_EPISODES_TABLE, identity);
  await writeManifest(dir, manifest);
  return { dir, connection, recordings, episodes, manifest };
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
    };
  }
  const connection = await connect(dir, FRESH);
  const recordings = await connection.openTable(RECORDINGS_TABLE);
  const episodes = await connection.openTable(manifest.episodes);
  return { dir, connection, recordings, episodes, manifest };
}

/** An empty table of episodes with its text and filter indexes. */
export async function createEpisodes(connection: Connection, name: string, dims: number): Promise<Table> {
  const table = await connection.createEmptyTable(name, episodesSchema(dims), { mode: 'overwrite' });
  await buildIndexes(table);
  return table;
}

/** Closes everything; safe to call once the last write is done. */
export function closeTables(tables: Tables): void {
  tables.episodes.close();
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

/** A re-embedding that was killed leaves a half-built table; the manifest never named it. */
async function dropLeftovers(
  connection: Connection,
  names: readonly string[],
  current: string,
): Promise<void> {
  for (const name of names) {
    if (/^episodes(_\d+)?$/.test(name) && name !== current) await connection.dropTable(name);
  }
}
