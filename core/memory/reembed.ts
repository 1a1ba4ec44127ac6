import { makeArrowTable, type Table } from '@lancedb/lancedb';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import { type Episode, FootnoteError } from '../contract/index.ts';
import { anyOf } from './filters.ts';
import { buildIndexes } from './maintenance.ts';
import { type Manifest, newManifest, writeManifest } from './manifest.ts';
import { checkedVector, type EpisodeRow, episodeOfBody, episodeRow } from './rows.ts';
import { episodesSchema } from './schema.ts';
import { createNext, dropNext, type Tables } from './tables.ts';

/** Episodes of one write while embedding anew: what an interruption loses at most. */
const BATCH = 64;
/** Changes that the switch itself takes over. */
const LATE_MAX = 16;
/** Fewer batches than this are not worth folding; beyond, when a table has grown by this factor. */
const FOLD_BATCHES = 32;
const FOLD_GROWTH = 1.2;

/** How text becomes rows: what the store needs to know of the rest. */
export interface Writing {
  embedder: TextEmbedder;
  searchText: (episode: Episode) => string;
}

/** The embedder gave nothing: its model cannot be loaded, or failed. The error beneath says why. */
export class EmbedderFailure extends FootnoteError {
  constructor(cause: unknown) {
    super('MODEL_FAILED', 'The text model could not read the episodes.', {}, { cause });
  }
}

/**
 * Rows of these episodes with their vectors, embedded in one call.
 * @throws EmbedderFailure; FootnoteError MODEL_FAILED when a vector cannot be stored
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
    throw new EmbedderFailure(error);
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

/** What building a table needs of its keeper. */
export interface Building {
  tables: Tables;
  writing: Writing;
  /** Ids put or deleted since the build began; those taken over are removed from it. */
  changed: Set<string>;
  /** Runs a job among the writes, one after the other. */
  inQueue<T>(job: () => Promise<T>): Promise<T>;
  /** Called with episodes done and of how many. */
  onProgress(done: number, total: number): void;
  signal: AbortSignal | undefined;
}

/**
 * Embeds every episode with `writing.embedder` into the table beside the present one, which stays in use. What an earlier, interrupted build
 * with this embedder left is gone on with: an episode that is in it as it is now is not embedded again.
 * @throws the signal's reason when aborted; what was embedded stays
 */
export async function buildNext(building: Building): Promise<void> {
  const { tables, writing, changed, signal } = building;
  const { name, dims } = writing.embedder;
  const known = tables.manifest.next?.embedder;
  const resumed = tables.next !== null && known?.name === name && known.dims === dims;
  const next = await building.inQueue(async () => {
    if (resumed) return tables.next!;
    await dropNext(tables);
    return createNext(tables, writing.embedder);
  });
  const ids = await idsOf(tables.episodes);
  if (resumed) await removeGone(building, next, new Set(ids));
  const folding = new Folding(resumed ? await next.countRows() : 0);
  for (let at = 0; at < ids.length; at += BATCH) {
    signal?.throwIfAborted();
    const episodes = await storedEpisodes(tables.episodes, ids.slice(at, at + BATCH));
    const open = resumed ? await notYetIn(next, episodes) : episodes;
    if (open.length > 0) {
      await embedInto(building, next, open);
      if (folding.due(open.length))
        await building.inQueue(() => next.optimize({ cleanupOlderThan: new Date() }));
    }
    building.onProgress(Math.min(ids.length, at + BATCH), ids.length);
  }
  // An import may bring more than the switch should take over while writers wait.
  while (changed.size > LATE_MAX) {
    signal?.throwIfAborted();
    const late = [...changed].slice(0, BATCH);
    for (const id of late) changed.delete(id);
    const episodes = await storedEpisodes(tables.episodes, late);
    await embedInto(building, next, episodes);
  }
  signal?.throwIfAborted();
  await building.inQueue(() => buildIndexes(next));
}

/**
 * Brings the built table up to date and writes the manifest that names it. Runs in the write queue; nothing is written to the old table
 * afterwards.
 * @returns the manifest by which the library is read from now on
 */
export async function completeNext({ tables, writing, changed }: Building): Promise<Manifest> {
  const next = tables.next!;
  const late = await storedEpisodes(tables.episodes, [...changed]);
  await upsert(next, await embedRows(late, writing), writing.embedder.dims);
  await next.optimize({ cleanupOlderThan: new Date() });
  const { next: built, ...present } = tables.manifest;
  const manifest = { ...present, ...newManifest(built!.episodes, writing.embedder) };
  await writeManifest(tables.dir, manifest);
  return manifest;
}

/** Embeds episodes and puts them into the table, but for those that were put or deleted meanwhile: these come later, or never. */
async function embedInto(building: Building, next: Table, episodes: readonly Episode[]): Promise<void> {
  const { writing, changed, signal } = building;
  const rows = await embedRows(episodes, writing, signal);
  await building.inQueue(() =>
    upsert(
      next,
      rows.filter((row) => !changed.has(row.id)),
      writing.embedder.dims,
    ),
  );
}

async function idsOf(table: Table): Promise<string[]> {
  return ((await table.query().select(['id']).toArray()) as { id: string }[]).map(({ id }) => id);
}

/** Those of these episodes that the table does not hold as they are now. */
async function notYetIn(next: Table, episodes: readonly Episode[]): Promise<Episode[]> {
  const held = new Map<string, string>();
  for (const piece of anyOf(
    'id',
    episodes.map(({ id }) => id),
  )) {
    const rows = (await next.query().where(piece).select(['id', 'body']).toArray()) as {
      id: string;
      body: string;
    }[];
    for (const { id, body } of rows) held.set(id, body);
  }
  return episodes.filter((episode) => held.get(episode.id) !== JSON.stringify(episode));
}

/** Episodes that are no longer remembered leave an unfinished table too. */
async function removeGone({ inQueue }: Building, next: Table, present: ReadonlySet<string>): Promise<void> {
  const gone = (await idsOf(next)).filter((id) => !present.has(id));
  if (gone.length > 0) await inQueue(() => removeRows(next, gone));
}

/** Deletes rows of an unfinished table so that nothing of them is left on disk. */
export async function removeRows(table: Table, ids: readonly string[]): Promise<void> {
  for (const piece of anyOf('id', ids)) await table.delete(piece);
  // Indexes come last: a table that has some was interrupted just before the switch.
  for (const index of await table.listIndices()) await table.dropIndex(index.name);
  await table.update({ where: 'true', valuesSql: { startMs: 'startMs' } });
  await table.optimize({ cleanupOlderThan: new Date() });
}

/** Each batch makes a version and a fragment. They are folded together in growing steps, so that each row is copied a few times only. */
class Folding {
  #rows: number;
  #folded: number;
  #batches = 0;

  constructor(rows: number) {
    this.#rows = rows;
    this.#folded = rows;
  }

  due(added: number): boolean {
    this.#rows += added;
    this.#batches += 1;
    if (this.#batches < FOLD_BATCHES || this.#rows < this.#folded * FOLD_GROWTH) return false;
    this.#folded = this.#rows;
    this.#batches = 0;
    return true;
  }
}
