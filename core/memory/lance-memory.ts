import { makeArrowTable } from '@lancedb/lancedb';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import { type Episode, FootnoteError, type Recording } from '../contract/index.ts';
import { anyOf } from './filters.ts';
import { purge, tidy } from './maintenance.ts';
import type { Memory } from './memory.ts';
import { LanceReader, type MemoryProblem } from './reader.ts';
import { adopt, buildAnew, embedRows, storedEpisodes, upsert, type Writing } from './reembed.ts';
import { idsWithoutVector, idsWithUnreadableVector } from './repair.ts';
import { checkEpisode, episodeRow } from './rows.ts';
import { recordingsSchema } from './schema.ts';
import { closeTables, openTables, openTablesToRead, storeError, type Tables } from './tables.ts';
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
  /** Told when search had to go on with one channel; default: nobody. */
  onProblem?: (problem: MemoryProblem) => void;
}

export interface ReembedOptions {
  /** Episodes done, and of how many. */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** The memory over LanceDB, with what only its keeper needs. */
export interface LanceMemory extends Memory {
  /** False when the stored vectors come from another embedder: search then goes by words alone until `reembed`. */
  readonly vectorsAreCurrent: boolean;
  /**
   * Gives every episode a vector of the present embedder, in batches. Searchable and writable throughout; a kill leaves the old
   * vectors, and the next call starts again.
   */
  reembed(options?: ReembedOptions): Promise<void>;
}

/**
 * Opens the memory, making it when it does not exist.
 * @throws FootnoteError LIBRARY_TOO_NEW, LIBRARY_UNREADABLE
 */
export async function openMemory(options: OpenMemoryOptions): Promise<LanceMemory> {
  const open = options.readOnly ? openTablesToRead : openTables;
  try {
    return new Keeper(await open(options.dir, options.embedder), options);
  } catch (error) {
    throw storeError(error);
  }
}

class Keeper extends LanceReader implements LanceMemory {
  readonly #queue = new WriteQueue();
  readonly #readOnly: boolean;
  readonly #writing: Writing;
  /** Ids put or deleted while the library is being embedded anew; null at other times. */
  #changed: Set<string> | null = null;

  constructor(tables: Tables, options: OpenMemoryOptions) {
    super(tables, options.embedder, options.onProblem ?? (() => undefined));
    this.#readOnly = options.readOnly ?? false;
    this.#writing = { embedder: options.embedder, searchText: options.searchText };
  }

  async putEpisodes(episodes: readonly Episode[]): Promise<void> {
    for (const episode of episodes) checkEpisode(episode);
    const latest = [...new Map(episodes.map((episode) => [episode.id, episode])).values()];
    await this.#write(async () => {
      const { dims } = this.tables.manifest.embedder;
      // Vectors of two embedders never share a column: until the library is embedded anew, new rows wait without one.
      const rows = this.vectorsAreCurrent
        ? await embedRows(latest, this.#writing)
        : latest.map((episode) => episodeRow(episode, this.#writing.searchText(episode), null));
      await upsert(this.tables.episodes, rows, dims);
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
      for (const piece of anyOf('id', ids)) await this.tables.episodes.delete(piece);
      this.#note(ids);
      await this.#overSoundRows(() => purge(this.tables.episodes));
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
  }

  async reembed({ onProgress, signal }: ReembedOptions = {}): Promise<void> {
    if (this.vectorsAreCurrent) return this.maintain();
    if (this.#changed) throw new FootnoteError('LIBRARY_BUSY', 'The library is already being embedded anew.');
    this.#refuseWhenReadOnly();
    const changed = new Set<string>();
    this.#changed = changed;
    try {
      // Writes asked for before now are not noted in `changed`: they must be in the table before it is read.
      await this.#queue.idle();
      const built = await buildAnew(this.tables, this.#writing, onProgress ?? (() => undefined), signal);
      await this.#write(() => adopt(this.tables, built, changed, this.#writing));
    } catch (error) {
      throw signal?.aborted
        ? new FootnoteError('CANCELLED', 'Embedding anew was stopped.')
        : storeError(error);
    } finally {
      this.#changed = null;
    }
    await this.maintain();
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    closeTables(this.tables);
  }

  /** Embeds rows that wait for a vector. */
  async #fillVectors(): Promise<void> {
    if (!this.vectorsAreCurrent) return;
    for (;;) {
      const ids = await idsWithoutVector(this.tables.episodes, FILL_BATCH);
      await this.#embedStored(ids);
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
