import { Index, makeArrowTable, type Table } from '@lancedb/lancedb';
import type { PictureEmbedder } from '../../../models/embedding/image-text/picture-embedder.ts';
import type { Episode } from '../../contract/index.ts';
import { vectorChannel } from '../channels.ts';
import { allOf, anyOf } from '../filters.ts';
import { hasVectorIndex, purge, tidy, VECTOR_INDEX_ROWS } from '../maintenance.ts';
import { type Manifest, writeManifest } from '../manifest.ts';
import { idsWithUnreadableVector } from '../repair.ts';
import { checkedVector } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { ABSENT_CAPTIONS, type Background, backgroundOf, stillHolds, strengthOf } from './background.ts';
import { captionOf } from './caption.ts';
import type { EpisodePictures, PictureCount } from './picture-memory.ts';
import {
  instantsOf,
  PICTURE_FILTER_COLUMNS,
  type PictureRow,
  pictureOfId,
  pictureRows,
  picturesSchema,
} from './rows.ts';

/** An episode found by one of its keyframes: the nearest. */
export interface PictureHit {
  /** Episode. */
  id: string;
  startMs: number;
  /** How clearly the picture looks like what is asked for; see `strengthOf`. */
  value: number;
  /** Number of the keyframe in its episode. */
  n: number;
}

/** Keyframes the channel gives; an episode has at most three. */
const CANDIDATES = 200;

/** A model that failed is left alone for this long, ms: starting it again and again would make every search wait. */
const REST_MS = 60_000;

const READABLE = 'vector IS NOT NULL';

async function buildPictureIndexes(table: Table): Promise<void> {
  for (const column of PICTURE_FILTER_COLUMNS) await table.createIndex(column, { config: Index.btree() });
}

/**
 * The table of pictures and the search in it. Whoever owns it runs what writes in the memory's one queue; none of it is kept in sync by
 * the store itself.
 */
export class PictureStore {
  readonly #tables: Tables;
  readonly #onProblem: (error: Error) => void;
  #embedder: PictureEmbedder | null = null;
  #restUntil = 0;
  /** A search failed: some row may be damaged. The next `mend` looks for it. */
  #suspect = false;

  constructor(tables: Tables, onProblem: (error: Error) => void) {
    this.#tables = tables;
    this.#onProblem = onProblem;
  }

  /** Takes an image model up; its vectors are searched when the stored ones are its own. */
  use(embedder: PictureEmbedder | null): void {
    this.#embedder = embedder;
    this.#restUntil = 0;
  }

  /** Whether the stored vectors are those of this model. */
  holds(embedder: PictureEmbedder): boolean {
    const model = this.#tables.manifest.pictures?.model;
    return model?.name === embedder.name && model.dims === embedder.dims;
  }

  /** The table and its model, when what is stored is of the model in use. */
  #current(): { table: Table; embedder: PictureEmbedder; background: Background | null } | null {
    const { pictures, manifest } = this.#tables;
    const embedder = this.#embedder;
    if (!pictures || !manifest.pictures || !embedder || !this.holds(embedder)) return null;
    return { table: pictures, embedder, background: manifest.pictures.background ?? null };
  }

  /** An empty table for another model; what the old one held is gone. Writes. */
  async startAnew(embedder: PictureEmbedder): Promise<void> {
    const { manifest, connection, pictures: old } = this.#tables;
    const generation = Number(/_(\d+)$/.exec(manifest.pictures?.table ?? '')?.[1] ?? 0);
    const name = `pictures_${generation + 1}`;
    const table = await connection.createEmptyTable(name, picturesSchema(embedder.dims), {
      mode: 'overwrite',
    });
    await buildPictureIndexes(table);
    await this.#describe({ table: name, model: { name: embedder.name, dims: embedder.dims } });
    this.#tables.pictures = table;
    this.use(embedder);
    if (old && manifest.pictures) {
      old.close();
      await connection.dropTable(manifest.pictures.table);
    }
  }

  /**
   * Keyframes nearest to what is asked for, by episode. Never fails: without pictures, or when the model does not answer, there are none.
   * @param filter rows that may be found, applied before ranking; null for all
   */
  async nearest(query: string, filter: string | null): Promise<PictureHit[]> {
    const current = this.#current();
    if (!current?.background || Date.now() < this.#restUntil) return [];
    const { table, embedder, background } = current;
    let vector: Float32Array;
    try {
      const [embedded] = await embedder.embedTexts([captionOf(query)]);
      vector = Float32Array.from(checkedVector(embedded, embedder.dims, 'image'));
    } catch (error) {
      this.#restUntil = Date.now() + REST_MS;
      this.#onProblem(error as Error);
      return [];
    }
    try {
      return await hitsOf(table, vector, filter, background);
    } catch {
      // Files of the version it held may have been cleaned away under it.
    }
    try {
      await table.checkoutLatest();
      return await hitsOf(table, vector, filter, background);
    } catch (error) {
      this.#suspect = true;
      this.#onProblem(error as Error);
      return [];
    }
  }

  /** Ids of episodes that have rows of the model in use; null without one. */
  async lookedAt(): Promise<Set<string> | null> {
    const current = this.#current();
    if (!current) return null;
    const rows = (await current.table.query().where('n = 0.0').select(['episodeId']).toArray()) as {
      episodeId: string;
    }[];
    return new Set(rows.map((row) => row.episodeId));
  }

  async count(): Promise<PictureCount | null> {
    const { pictures: table, manifest } = this.#tables;
    if (!table || !manifest.pictures) return null;
    const [episodes, pictures] = await Promise.all([table.countRows('n = 0.0'), table.countRows(READABLE)]);
    const { model, background } = manifest.pictures;
    return { model: model.name, episodes, pictures, searchable: background !== undefined };
  }

  /**
   * Stores vectors of these episodes' keyframes. Writes.
   * @param episodes as they are stored now
   * @throws FootnoteError MODEL_FAILED for a vector that cannot be stored
   */
  async put(
    model: string,
    episodes: readonly Episode[],
    pictures: readonly EpisodePictures[],
  ): Promise<void> {
    const current = this.#current();
    if (current?.embedder.name !== model) return;
    const { dims } = current.embedder;
    const byId = new Map(pictures.map(({ episodeId, vectors }) => [episodeId, vectors]));
    const rows = episodes.flatMap((episode) => {
      const vectors = byId.get(episode.id);
      return vectors?.length === episode.keyframes.length ? pictureRows(episode, vectors, dims) : [];
    });
    await upsert(current.table, rows, dims);
  }

  /**
   * Follows episodes that were stored again: moved in time, or with other keyframes, which then wait to be looked at anew. Writes.
   */
  async follow(episodes: readonly Episode[]): Promise<void> {
    const { pictures: table, manifest } = this.#tables;
    if (!table || !manifest.pictures || episodes.length === 0) return;
    const ids = episodes.map(({ id }) => id);
    const known = new Map<
      string,
      { n: number; startMs: number; atMs: number; vector: Float32Array | null }[]
    >();
    for (const piece of anyOf('episodeId', ids)) {
      const rows = (await table
        .query()
        .where(piece)
        .select(['episodeId', 'n', 'startMs', 'atMs', 'vector'])
        .toArray()) as {
        episodeId: string;
        n: number;
        startMs: number;
        atMs: number;
        vector: Iterable<number> | null;
      }[];
      for (const { episodeId, n, startMs, atMs, vector } of rows) {
        const own = known.get(episodeId) ?? [];
        own.push({ n, startMs, atMs, vector: vector === null ? null : Float32Array.from(vector) });
        known.set(episodeId, own);
      }
    }
    const { dims } = manifest.pictures.model;
    const moved: PictureRow[] = [];
    const other: string[] = [];
    for (const episode of episodes) {
      const rows = known.get(episode.id)?.sort((a, b) => a.n - b.n);
      if (!rows) continue;
      const before = rows.map(({ atMs, startMs }) => atMs - startMs);
      const after = instantsOf(episode).map((atMs) => atMs - episode.startMs);
      if (before.length !== after.length || before.some((at, n) => at !== after[n])) other.push(episode.id);
      else
        moved.push(
          ...pictureRows(
            episode,
            rows.map(({ vector }) => vector),
            dims,
          ),
        );
    }
    for (const piece of anyOf('episodeId', other)) await table.delete(piece);
    await upsert(table, moved, dims);
  }

  /** Forgets the pictures of these episodes so that nothing of them stays on disk. Writes. */
  async remove(episodeIds: readonly string[]): Promise<void> {
    const { pictures: table } = this.#tables;
    if (!table || episodeIds.length === 0) return;
    for (const piece of anyOf('episodeId', episodeIds)) await table.delete(piece);
    await purge(table, buildPictureIndexes);
  }

  /** Folds small fragments, brings indexes up to date, and throws out what a search stumbled over. Writes. */
  async mend(): Promise<void> {
    const { pictures: table } = this.#tables;
    if (!table) return;
    if (this.#suspect) {
      // Without its rows an episode counts as not looked at, and is.
      const damaged = (await idsWithUnreadableVector(table)).map((id) => pictureOfId(id).episodeId);
      for (const piece of anyOf('episodeId', damaged)) await table.delete(piece);
      this.#suspect = false;
    }
    await tidy(table);
  }

  /**
   * What nearness means in this library, when that is not known or the library has grown; null when it still holds. Asks the model; the
   * result is for `settle`.
   * @throws whatever the model throws
   */
  async measure(): Promise<{ model: string; background: Background } | null> {
    const current = this.#current();
    if (!current) return null;
    const rows = await current.table.countRows(READABLE);
    if (rows === 0 || stillHolds(current.background, rows)) return null;
    const vectors = await current.embedder.embedTexts(ABSENT_CAPTIONS);
    const best: number[] = [];
    for (const vector of vectors) {
      const [hit] = await channel(current.table, vector, null, 1);
      if (hit) best.push(hit.value);
    }
    if (best.length === 0) return null;
    return { model: current.embedder.name, background: backgroundOf(best, rows) };
  }

  /** Keeps what `measure` found. Writes. */
  async settle({ model, background }: { model: string; background: Background }): Promise<void> {
    const described = this.#tables.manifest.pictures;
    if (described?.model.name === model) await this.#describe({ ...described, background });
  }

  async #describe(pictures: NonNullable<Manifest['pictures']>): Promise<void> {
    const manifest = { ...this.#tables.manifest, pictures };
    await writeManifest(this.#tables.dir, manifest);
    this.#tables.manifest = manifest;
  }
}

/** Nearest keyframes by cosine, best first. Through the index where there is one and the filter leaves many. */
async function channel(table: Table, vector: Float32Array, filter: string | null, limit = CANDIDATES) {
  const exact =
    !(await hasVectorIndex(table)) ||
    (filter !== null && (await table.countRows(filter)) < VECTOR_INDEX_ROWS);
  return vectorChannel(table, vector, allOf(filter, READABLE), exact, limit);
}

/** The best keyframe of each episode. */
async function hitsOf(
  table: Table,
  vector: Float32Array,
  filter: string | null,
  background: Background,
): Promise<PictureHit[]> {
  const best = new Map<string, PictureHit>();
  for (const { id, startMs, value } of await channel(table, vector, filter)) {
    const { episodeId, n } = pictureOfId(id);
    if (!best.has(episodeId)) {
      best.set(episodeId, { id: episodeId, startMs, value: strengthOf(value, background), n });
    }
  }
  return [...best.values()];
}

async function upsert(table: Table, rows: readonly PictureRow[], dims: number): Promise<void> {
  if (rows.length === 0) return;
  await table
    .mergeInsert('id')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(makeArrowTable(rows as PictureRow[], { schema: picturesSchema(dims) }));
}
