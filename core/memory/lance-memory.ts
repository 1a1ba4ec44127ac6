import { makeArrowTable } from '@lancedb/lancedb';
import type { PictureEmbedder } from '../../models/embedding/image-text/picture-embedder.ts';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import { type Episode, FootnoteError, type Recording } from '../contract/index.ts';
import { type CellMemory, LanceCells } from './cell-store/cell-memory.ts';
import { CellStore } from './cell-store/cell-store.ts';
import { anyOf } from './filters.ts';
import type { PictureSetting } from './fusion.ts';
import { purge, tidy } from './maintenance.ts';
import { type EmbedderIdentity, readManifest } from './manifest.ts';
import type { Memory } from './memory.ts';
import type { EpisodePictures, PictureCount, PictureMemory } from './pictures/picture-memory.ts';
import { LanceReader, type MemoryProblem } from './reader.ts';
import {
  type Building,
  buildNext,
  completeNext,
  EmbedderFailure,
  embedRows,
  removeRows,
  storedEpisodes,
  upsert,
  type Writing,
} from './reembed.ts';
import { idsWithoutVector, idsWithUnreadableVector } from './repair.ts';
import { checkEpisode, type EpisodeRow, episodeRow } from './rows.ts';
import { recordingsSchema } from './schema.ts';
import { closeTables, dropNext, openTables, openTablesToRead, storeError, type Tables } from './tables.ts';
import { WriteQueue } from './write-queue.ts';

/** Rows without a vector that one `maintain` embeds at a time. */
const FILL_BATCH = 256;

export interface OpenMemoryOptions {
  /** Folder of the memory, `<library>/memory`; made when missing. */
  dir: string;
  embedder: TextEmbedder;
  /** The words of an episode that are indexed and embedded. */
  searchText: (episode: Episode) => string;
  /** Refuses writes and writes nothing; another process may hold the library. */
  readOnly?: boolean;
  /** How pictures count beside the text; default: what core/evaluation/pictures.ts found best. */
  pictureSetting?: PictureSetting;
  /** Told when search had to go on with one channel; default: nobody. */
  onProblem?: (problem: MemoryProblem) => void;
}

export interface ReembedOptions {
  /** The embedder to take up; default: the one the memory was opened with. */
  embedder?: TextEmbedder;
  /** Episodes done, and of how many. */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** How far giving the episodes the vectors of another embedder has come. */
export interface Unfinished {
  embedder: EmbedderIdentity;
  /** Episodes that have its vectors, of how many. */
  done: number;
  total: number;
}

/** The memory over LanceDB, with what only its keeper needs. */
export interface LanceMemory extends Memory, PictureMemory {
  /** Context views, graphs and their retrieval. */
  readonly cells: CellMemory;
  /** What the stored vectors were made with. */
  readonly madeWith: EmbedderIdentity;
  /** False when the stored vectors come from another embedder: search then goes by words alone until `reembed`. */
  readonly vectorsAreCurrent: boolean;
  /**
   * Gives every episode a vector of another embedder, in batches, beside the present ones: searches go on with the old embedder and the
   * old vectors until all are there, then the memory has changed over to the new. Writable throughout. After a kill or an abort, the
   * next call with the same embedder goes on from there; with another one it begins anew.
   * @throws FootnoteError CANCELLED, MODEL_FAILED, DISK_FULL, LIBRARY_BUSY when it is under way already
   */
  reembed(options?: ReembedOptions): Promise<void>;
  /** What an interrupted `reembed` left; null when nothing. */
  unfinished(): Promise<Unfinished | null>;
  /** Gives up what an interrupted `reembed` left. */
  dropUnfinished(): Promise<void>;
}

/**
 * Opens the memory, making it when it does not exist.
 * @throws FootnoteError LIBRARY_TOO_NEW, LIBRARY_UNREADABLE
 */
export async function openMemory(options: OpenMemoryOptions): Promise<LanceMemory> {
  const open = options.readOnly ? openTablesToRead : openTables;
  try {
    const keeper = new Keeper(await open(options.dir, options.embedder), options);
    await keeper.openCells();
    return keeper;
  } catch (error) {
    throw storeError(error);
  }
}

/**
 * What the vectors of a memory folder were made with, without opening it; null when there is none yet.
 * @throws FootnoteError LIBRARY_TOO_NEW, LIBRARY_UNREADABLE
 */
export async function embedderOfMemory(dir: string): Promise<EmbedderIdentity | null> {
  return (await readManifest(dir))?.embedder ?? null;
}

class Keeper extends LanceReader implements LanceMemory {
  readonly #queue = new WriteQueue();
  readonly #readOnly: boolean;
  readonly #searchText: Writing['searchText'];
  readonly #cellStore: CellStore;
  readonly cells: LanceCells;
  /** Ids put or deleted while the library is being embedded anew; null at other times. */
  #changed: Set<string> | null = null;

  constructor(tables: Tables, options: OpenMemoryOptions) {
    super(tables, options.embedder, options.onProblem ?? (() => undefined), options.pictureSetting);
    this.#readOnly = options.readOnly ?? false;
    this.#searchText = options.searchText;
    const stored = (ids: readonly string[]) => storedEpisodes(this.tables.episodes, ids);
    this.#cellStore = new CellStore({
      dir: tables.dir,
      connection: tables.connection,
      episodes: () => this.tables.episodes,
      embedder: () => this.embedder,
      identity: () => this.tables.manifest.embedder,
      vectorsAreCurrent: () => this.vectorsAreCurrent,
      days: async () => (await this.days()).map(({ day }) => day),
      episodesOfDay: async (day) => (await this.episodesOfDay(day, null, Number.POSITIVE_INFINITY)).episodes,
      stored,
      onEmbeddingFailed: (error) => this.onProblem({ what: 'embedding-failed', error }),
    });
    this.cells = new LanceCells({
      dir: tables.dir,
      store: this.#cellStore,
      embedder: () => this.embedder,
      vectorsAreCurrent: () => this.vectorsAreCurrent,
      searchText: options.searchText,
      search: (query) => this.search(query),
      stored,
      write: (job) => this.#write(job),
    });
  }

  /** Opens what there is of views and graphs. */
  async openCells(): Promise<void> {
    await this.#cellStore.open();
  }

  get madeWith(): EmbedderIdentity {
    return this.tables.manifest.embedder;
  }

  get #writing(): Writing {
    return { embedder: this.embedder, searchText: this.#searchText };
  }

  async putEpisodes(episodes: readonly Episode[]): Promise<void> {
    for (const episode of episodes) checkEpisode(episode);
    const latest = [...new Map(episodes.map((episode) => [episode.id, episode])).values()];
    await this.#write(async () => {
      const { dims } = this.tables.manifest.embedder;
      // Vectors of two embedders never share a column: until the library is embedded anew, new rows wait without one.
      const rows = (this.vectorsAreCurrent && (await this.#embedded(latest))) || this.#waiting(latest);
      const ids = latest.map(({ id }) => id);
      await this.#cellsDo(() => this.#cellStore.touch(ids, latest));
      await upsert(this.tables.episodes, rows, dims);
      await this.#cellsDo(() => this.#cellStore.settle());
      await this.pictures.follow(latest);
      this.#note(latest.map((episode) => episode.id));
    });
  }

  async putRecording(recording: Recording): Promise<void> {
    const row = { id: recording.id, startMs: recording.startMs, body: JSON.stringify(recording) };
    await this.#write(async () => {
      await this.tables.recordings
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(makeArrowTable([row], { schema: recordingsSchema() }));
    });
  }

  async deleteEpisodes(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#write(async () => {
      // What is to be forgotten is noted first: a kill at any moment leaves it to the next start to finish.
      await this.#cellStore.touch(ids, [], true);
      for (const piece of anyOf('id', ids)) await this.tables.episodes.delete(piece);
      this.#note(ids);
      await this.pictures.remove(ids);
      if (this.tables.next) await removeRows(this.tables.next, ids);
      await this.#overSoundRows(() => purge(this.tables.episodes));
      await this.#cellStore.settle();
      await this.cells.forget(new Set(ids), (await this.tables.episodes.countRows()) === 0);
    });
  }

  async deleteRecordings(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#write(async () => {
      const { recordings } = this.tables;
      for (const piece of anyOf('id', ids)) await recordings.delete(piece);
      await recordings.update({ where: 'true', valuesSql: { startMs: 'startMs' } });
      await recordings.optimize({ cleanupOlderThan: new Date() });
    });
  }

  async maintain(): Promise<void> {
    await this.#write(async () => {
      await this.#overSoundRows(() => this.#fillVectors());
      await this.#overSoundRows(() => tidy(this.tables.episodes));
      await tidy(this.tables.recordings);
    });
    // A day at a time, so that writes never wait long for the past of an older library.
    while (await this.#write(() => this.#cellStore.maintain()));
  }

  /** Views and graphs follow from the episodes: what fails here is made up by `maintain`, and never costs an episode. */
  async #cellsDo(job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch (error) {
      this.onProblem({ what: 'cells-failed', error: error as Error });
    }
  }

  async reembed({ embedder = this.embedder, onProgress, signal }: ReembedOptions = {}): Promise<void> {
    if (isOf(embedder, this.madeWith) && this.vectorsAreCurrent) {
      await this.dropUnfinished();
      return this.maintain();
    }
    if (this.#changed) throw new FootnoteError('LIBRARY_BUSY', 'The library is already being embedded anew.');
    this.#refuseWhenReadOnly();
    const changed = new Set<string>();
    this.#changed = changed;
    const building: Building = {
      tables: this.tables,
      writing: { embedder, searchText: this.#searchText },
      changed,
      inQueue: (job) => this.#queue.run(job),
      onProgress: onProgress ?? (() => undefined),
      signal,
    };
    try {
      // Writes asked for before now are not noted in `changed`: they must be in the table before it is read.
      await this.#queue.idle();
      await buildNext(building);
      await this.#queue.run(() => this.#changeOver(building));
    } catch (error) {
      throw signal?.aborted
        ? new FootnoteError('CANCELLED', 'Embedding anew was stopped.')
        : storeError(error);
    } finally {
      this.#changed = null;
    }
    await this.maintain();
  }

  async #changeOver(building: Building): Promise<void> {
    const { tables } = this;
    const manifest = await completeNext(building);
    const old = { name: tables.manifest.episodes, table: tables.episodes };
    // In one go: a search takes the table and the embedder together.
    tables.episodes = tables.next!;
    tables.next = null;
    tables.manifest = manifest;
    this.embedder = building.writing.embedder;
    this.vectorsSuspect = false;
    await this.readsEnded();
    old.table.close();
    await tables.connection.dropTable(old.name);
  }

  async unfinished(): Promise<Unfinished | null> {
    const { next, manifest } = this.tables;
    if (!next || !manifest.next) return null;
    const [done, total] = await Promise.all([next.countRows(), this.tables.episodes.countRows()]);
    return { embedder: manifest.next.embedder, done: Math.min(done, total), total };
  }

  async dropUnfinished(): Promise<void> {
    if (!this.tables.manifest.next || this.#changed) return;
    await this.#write(() => dropNext(this.tables));
  }

  async setPictureModel(embedder: PictureEmbedder | null): Promise<void> {
    if (this.#readOnly || !embedder || this.pictures.holds(embedder)) this.pictures.use(embedder);
    else await this.#write(() => this.pictures.startAnew(embedder));
  }

  async episodesWithoutPictures(): Promise<string[]> {
    const seen = await this.pictures.lookedAt();
    if (!seen) return [];
    return this.reading(async (table) => {
      const rows = (await table.query().select(['id', 'startMs']).toArray()) as {
        id: string;
        startMs: number;
      }[];
      return rows
        .filter(({ id }) => !seen.has(id))
        .sort((a, b) => b.startMs - a.startMs)
        .map(({ id }) => id);
    });
  }

  async putPictures(model: string, pictures: readonly EpisodePictures[]): Promise<void> {
    const ids = pictures.map(({ episodeId }) => episodeId);
    await this.#write(async () => {
      // As they are now: one may have been forgotten, or moved, while its pictures were looked at.
      const episodes = await storedEpisodes(this.tables.episodes, ids);
      await this.pictures.put(model, episodes, pictures);
    });
  }

  async tendPictures(): Promise<void> {
    const measured = await this.pictures.measure();
    await this.#write(async () => {
      if (measured) await this.pictures.settle(measured);
      await this.pictures.mend();
    });
  }

  countPictures(): Promise<PictureCount | null> {
    return this.reading(() => this.pictures.count());
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    this.#cellStore.close();
    closeTables(this.tables);
  }

  /** Rows with their vectors; null when the model fails, which must not cost anybody an episode. */
  async #embedded(episodes: readonly Episode[]): Promise<EpisodeRow[] | null> {
    try {
      return await embedRows(episodes, this.#writing);
    } catch (error) {
      if (!(error instanceof EmbedderFailure)) throw error;
      this.onProblem({ what: 'embedding-failed', error: error.cause as Error });
      return null;
    }
  }

  /** Rows that wait for a vector. */
  #waiting(episodes: readonly Episode[]): EpisodeRow[] {
    return episodes.map((episode) => episodeRow(episode, this.#searchText(episode), null));
  }

  /** Embeds rows that wait for a vector; they wait on when the model fails. */
  async #fillVectors(): Promise<void> {
    if (!this.vectorsAreCurrent) return;
    for (;;) {
      const ids = await idsWithoutVector(this.tables.episodes, FILL_BATCH);
      const rows = await this.#embedded(await storedEpisodes(this.tables.episodes, ids));
      if (!rows) return;
      await upsert(this.tables.episodes, rows, this.embedder.dims);
      if (ids.length < FILL_BATCH) return;
    }
  }

  /** Runs a job that reads whole rows; if it fails because of unreadable vectors, gives those new ones and runs it again. */
  async #overSoundRows(job: () => Promise<unknown>): Promise<void> {
    const { episodes } = this.tables;
    try {
      if (!this.vectorsSuspect) {
        await job();
        return;
      }
    } catch (error) {
      const unreadable = await idsWithUnreadableVector(episodes);
      if (unreadable.length === 0 || !this.vectorsAreCurrent) throw error;
      await this.#embedStored(unreadable);
      await job();
      return;
    }
    if (this.vectorsAreCurrent) await this.#embedStored(await idsWithUnreadableVector(episodes));
    this.vectorsSuspect = false;
    await job();
  }

  async #embedStored(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += FILL_BATCH) {
      const stored = await storedEpisodes(this.tables.episodes, ids.slice(at, at + FILL_BATCH));
      await upsert(this.tables.episodes, await embedRows(stored, this.#writing), this.embedder.dims);
    }
  }

  #note(ids: readonly string[]): void {
    for (const id of ids) this.#changed?.add(id);
  }

  #refuseWhenReadOnly(): void {
    if (this.#readOnly) {
      throw new FootnoteError('LIBRARY_BUSY', 'This library is open for reading only.');
    }
  }

  async #write<T>(job: () => Promise<T>): Promise<T> {
    this.#refuseWhenReadOnly();
    try {
      return await this.#queue.run(job);
    } catch (error) {
      throw storeError(error);
    }
  }
}

function isOf(embedder: EmbedderIdentity, identity: EmbedderIdentity): boolean {
  return embedder.name === identity.name && embedder.dims === identity.dims;
}
