import { makeArrowTable, type Table } from '@lancedb/lancedb';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import { type Episode, FootnoteError } from '../contract/index.ts';
import { anyOf } from './filters.ts';
import { newManifest, writeManifest } from './manifest.ts';
import { checkedVector, type EpisodeRow, episodeOfBody, episodeRow } from './rows.ts';
import { episodesSchema } from './schema.ts';
import { createEpisodes, type Tables } from './tables.ts';

/** Episodes embedded in one call while re-embedding. */
const BATCH = 256;

/** How text becomes rows: what the store needs to know of the rest. */
export interface Writing {
  embedder: TextEmbedder;
  searchText: (episode: Episode) => string;
}

/**
 * Rows of these episodes with their vectors, embedded in one call.
 * @throws FootnoteError MODEL_FAILED when the embedder fails or gives a vector that cannot be stored
 */
export async function embedRows(
  episodes: readonly Episode[],
  { embedder, searchText }: Writing,
  signal?: AbortSignal,
): Promise<EpisodeRow[]> {
  if (episodes.length === 0) return [];
  const texts = episodes.map(searchText);
  const vectors = await embedder.embed(texts, 'passage', signal).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new FootnoteError(
      'MODEL_FAILED',
      'The text model could not read the episodes.',
      {},
      { cause: error },
    );
  });
  return episodes.map((episode, i) =>
    episodeRow(episode, texts[i]!, checkedVector(vectors[i], embedder.dims)),
  );
}

/** Inserts rows, replacing those with the same id: one commit. `dims` is the length of the table's vectors. */
export async function upsert(table: Table, rows: readonly EpisodeRow[], dims: number): Promise<void> {
  if (rows.length === 0) return;
  await table
    .mergeInsert('id')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(makeArrowTable(rows as EpisodeRow[], { schema: episodesSchema(dims) }));
}

/** Episodes of these ids, as stored. */
export async function storedEpisodes(table: Table, ids: readonly string[]): Promise<Episode[]> {
  const episodes: Episode[] = [];
  for (const piece of anyOf('id', ids)) {
    const rows = (await table.query().where(piece).select(['body']).toArray()) as { body: string }[];
    episodes.push(...rows.map((row) => episodeOfBody(row.body)));
  }
  return episodes;
}

/**
 * Embeds every episode with `writing.embedder` into a new table beside the old one, which stays in use meanwhile.
 * @param onBatch called with episodes done and of how many
 * @returns the new table's name; it becomes the memory with `adopt`
 */
export async function buildAnew(
  tables: Tables,
  writing: Writing,
  onBatch: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<{ name: string; table: Table }> {
  const generation = Number(/_(\d+)$/.exec(tables.manifest.episodes)?.[1] ?? 1);
  const name = `episodes_${generation + 1}`;
  const table = await createEpisodes(tables.connection, name, writing.embedder.dims);
  const ids = ((await tables.episodes.query().select(['id']).toArray()) as { id: string }[]).map((r) => r.id);
  for (let at = 0; at < ids.length; at += BATCH) {
    signal?.throwIfAborted();
    const episodes = await storedEpisodes(tables.episodes, ids.slice(at, at + BATCH));
    await upsert(table, await embedRows(episodes, writing, signal), writing.embedder.dims);
    onBatch(Math.min(ids.length, at + BATCH), ids.length);
  }
  return { name, table };
}

/**
 * Makes the new table the memory: takes over what changed while it was built, then switches by the manifest.
 * Runs in the write queue.
 * @param changed ids put or deleted since the build began
 */
export async function adopt(
  tables: Tables,
  built: { name: string; table: Table },
  changed: ReadonlySet<string>,
  writing: Writing,
): Promise<void> {
  const ids = [...changed];
  for (const piece of anyOf('id', ids)) await built.table.delete(piece);
  const episodes = await storedEpisodes(tables.episodes, ids);
  await upsert(built.table, await embedRows(episodes, writing), writing.embedder.dims);
  await built.table.optimize({ cleanupOlderThan: new Date() });
  const old = { name: tables.manifest.episodes, table: tables.episodes };
  const manifest = newManifest(built.name, writing.embedder);
  await writeManifest(tables.dir, manifest);
  tables.episodes = built.table;
  tables.manifest = manifest;
  old.table.close();
  await tables.connection.dropTable(old.name);
}
