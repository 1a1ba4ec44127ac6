import type { Table } from '@lancedb/lancedb';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import {
  type DaySummary,
  type Episode,
  FETCH_MAX,
  type FetchQuery,
  FootnoteError,
  type FoundEpisode,
  ME,
  type Recording,
  SEARCH_MAX,
  type SearchQuery,
  type TimeSpan,
} from '../contract/index.ts';
import { cosinesOf, textChannel, vectorChannel } from './channels.ts';
import { dayColumns, summariesOf } from './day-summaries.ts';
import { allOf, anyOf, differs, endedAfter, endedBy, equals, NOTHING, overlaps } from './filters.ts';
import { fuse, type Hit, type PictureSetting } from './fusion.ts';
import { hasVectorIndex, hasWearers, VECTOR_INDEX_ROWS } from './maintenance.ts';
import type { MemoryReader } from './memory.ts';
import { PictureStore } from './pictures/picture-store.ts';
import { byTime, checkedVector, episodeOfBody, recordingOfBody } from './rows.ts';
import { WEARER_COLUMN } from './schema.ts';
import { FUSION, PICTURES } from './settings.ts';
import { storeError, type Tables } from './tables.ts';

/** A channel that did not answer, told to whoever opened the memory; it never holds what was searched for. */
export interface MemoryProblem {
  what: 'vector-search-failed' | 'embedding-failed' | 'picture-search-failed' | 'cells-failed';
  error: Error;
}

/** Files of an old version can go while a read holds it; the newest version has them. */
const VERSION_GONE = /not ?found|no such file/i;

interface TimeRow {
  id: string;
  startMs: number;
  endMs: number;
}

/** The reading half of the memory over open tables. */
export class LanceReader implements MemoryReader {
  protected readonly tables: Tables;
  protected embedder: TextEmbedder;
  protected readonly onProblem: (problem: MemoryProblem) => void;
  /** A vector search failed: some row's vector may be unreadable. The next `maintain` looks for it. */
  protected vectorsSuspect = false;
  #days: { version: number; days: DaySummary[] } | null = null;
  protected readonly pictures: PictureStore;
  /** Reads that are under way, each over the table it began with. */
  readonly #under = new Set<Promise<unknown>>();

  readonly #pictureSetting: PictureSetting;

  constructor(
    tables: Tables,
    embedder: TextEmbedder,
    onProblem: (problem: MemoryProblem) => void,
    pictureSetting = PICTURES,
  ) {
    this.tables = tables;
    this.embedder = embedder;
    this.onProblem = onProblem;
    this.#pictureSetting = pictureSetting;
    this.pictures = new PictureStore(tables, (error) => onProblem({ what: 'picture-search-failed', error }));
  }

  /** Whether the stored vectors were made by the embedder in use; if not, search goes by text alone. */
  get vectorsAreCurrent(): boolean {
    const { name, dims } = this.tables.manifest.embedder;
    return name === this.embedder.name && dims === this.embedder.dims;
  }

  /**
   * MemLife's search_memory. Both channels see only rows that had ended by `nowMs` and overlap the span; the best
   * `topK` (at most 32) of their fusion come back in time order. Vector search always finds a nearest row: judge "nothing found" by
   * `textScore` (null: no word of the query occurs) and `cosine`, not by `score`, which ranks within this search.
   */
  async search(query: SearchQuery): Promise<FoundEpisode[]> {
    const topK = Math.min(SEARCH_MAX, Math.max(1, Math.floor(query.topK)));
    const anchor = query.timeAnchor;
    if (anchor && anchor.startMs >= anchor.endMs) return [];
    return this.reading(async (episodes) => {
      // Taken together with the table: another embedder may have both by the time the filter is known.
      const embedder = this.vectorsAreCurrent ? this.embedder : null;
      const filter = await this.#filter(episodes, query);
      // Another process looks at pictures meanwhile.
      const looking = this.pictures.nearest(query.query, filter);
      const vector = embedder && (await this.#queryVector(embedder, query.query));
      const [text, near] = await Promise.all([
        textChannel(episodes, query.query, filter),
        vector ? this.#nearest(episodes, vector, filter) : [],
      ]);
      const known = new Set(near.map((hit) => hit.id));
      const rest = text.map((hit) => hit.id).filter((id) => !known.has(id));
      const also = vector && near.length > 0 ? await cosinesOf(episodes, vector, rest) : [];
      const best = fuse(text, [...near, ...also], FUSION, await looking, this.#pictureSetting).slice(0, topK);
      const bodies = await this.#bodies(
        episodes,
        best.map((hit) => hit.id),
      );
      return best
        .flatMap(({ id, score, cosine, textScore, picture }) => {
          const episode = bodies.get(id);
          // A row may have been written since the filter was decided on.
          if (!episode || episode.endMs > query.nowMs) return [];
          const pictureScore = picture?.strength ?? null;
          const pictureAtMs = picture ? (episode.keyframes[picture.n]?.atMs ?? null) : null;
          return [{ episode, score, cosine, textScore, pictureScore, pictureAtMs }];
        })
        .sort((a, b) => byTime(a.episode, b.episode));
    });
  }

  async fetch(query: FetchQuery): Promise<{ episodes: Episode[]; more: number }> {
    const limit = Math.min(FETCH_MAX, Math.max(1, Math.floor(query.limit)));
    if (query.timeAnchor.startMs >= query.timeAnchor.endMs) return { episodes: [], more: 0 };
    return this.reading(async (table) => {
      const worn = await this.#wornBy(table, query.wearer);
      const filter = allOf(endedBy(query.nowMs), overlaps(query.timeAnchor), worn);
      const rows = (await table
        .query()
        .where(filter)
        .select(['id', 'startMs', 'endMs'])
        .orderBy([
          { columnName: 'startMs', ascending: true },
          { columnName: 'endMs', ascending: true },
          { columnName: 'id', ascending: true },
        ])
        .limit(limit)
        .toArray()) as TimeRow[];
      const total = rows.length < limit ? rows.length : await table.countRows(filter);
      return {
        episodes: await this.#inOrder(
          table,
          rows.map((row) => row.id),
        ),
        more: Math.max(0, total - rows.length),
      };
    });
  }

  async getEpisode(id: string): Promise<Episode | null> {
    return this.reading(async (table) => (await this.#bodies(table, [id])).get(id) ?? null);
  }

  async existing(ids: readonly string[]): Promise<Set<string>> {
    return this.reading(async (table) => {
      const found = new Set<string>();
      for (const piece of anyOf('id', ids)) {
        for (const row of (await table.query().where(piece).select(['id']).toArray()) as { id: string }[]) {
          found.add(row.id);
        }
      }
      return found;
    });
  }

  async episodesOfRecording(recordingId: string): Promise<Episode[]> {
    return this.#episodesWhere(equals('recordingId', recordingId));
  }

  async episodesInSpan(span: TimeSpan): Promise<Episode[]> {
    return span.startMs < span.endMs ? this.#episodesWhere(overlaps(span)) : [];
  }

  /**
   * One page of a day's episodes, the day being that of each episode's own zone.
   * @param after id of the last episode of the page before, or null
   * @throws FootnoteError NOT_FOUND when `after` is no longer one of that day
   */
  async episodesOfDay(
    day: string,
    after: string | null,
    limit: number,
  ): Promise<{ episodes: Episode[]; next: string | null }> {
    return this.reading(async (table) => {
      const rows = (await table
        .query()
        .where(equals('day', day))
        .select(['id', 'startMs', 'endMs'])
        .toArray()) as TimeRow[];
      rows.sort(byTime);
      const at = after === null ? 0 : rows.findIndex((row) => row.id === after) + 1;
      if (after !== null && at === 0) {
        throw new FootnoteError('NOT_FOUND', 'The page before this one has changed. Start the day again.');
      }
      const ids = rows.slice(at, at + limit).map((row) => row.id);
      return {
        episodes: await this.#inOrder(table, ids),
        next: at + limit < rows.length ? (ids.at(-1) ?? null) : null,
      };
    });
  }

  async listRecordings(): Promise<Recording[]> {
    return this.reading(async () => {
      const rows = (await this.tables.recordings.query().select(['body']).toArray()) as { body: string }[];
      return rows.map((row) => recordingOfBody(row.body)).sort(byTime);
    });
  }

  async getRecording(id: string): Promise<Recording | null> {
    return this.reading(async () => {
      const rows = (await this.tables.recordings
        .query()
        .where(equals('id', id))
        .select(['body'])
        .limit(1)
        .toArray()) as { body: string }[];
      return rows[0] ? recordingOfBody(rows[0].body) : null;
    });
  }

  async days(asOfMs = Number.POSITIVE_INFINITY): Promise<DaySummary[]> {
    return this.reading(async (table) => {
      const begun = (await this.#daysOf(table)).filter(({ startMs }) => startMs < asOfMs);
      // A day that goes on beyond the instant counts with what had ended by then, and not at all when nothing had.
      const open = begun.filter(({ endMs }) => endMs > asOfMs).map(({ day }) => day);
      if (open.length === 0) return begun;
      const whole = begun.filter(({ endMs }) => endMs <= asOfMs);
      for (const piece of anyOf('day', open)) {
        whole.push(...summariesOf(await dayColumns(table, allOf(piece, endedBy(asOfMs)))));
      }
      return whole.sort((a, b) => (a.day < b.day ? -1 : 1));
    });
  }

  async extent(asOfMs = Number.POSITIVE_INFINITY): Promise<TimeSpan | null> {
    const days = await this.days(asOfMs);
    if (days.length === 0) return null;
    return {
      startMs: days.reduce((least, day) => Math.min(least, day.startMs), Number.POSITIVE_INFINITY),
      endMs: days.reduce((most, day) => Math.max(most, day.endMs), Number.NEGATIVE_INFINITY),
    };
  }

  async count(): Promise<{ episodes: number; recordings: number }> {
    return this.reading(async (table) => ({
      episodes: await table.countRows(),
      recordings: await this.tables.recordings.countRows(),
    }));
  }

  /** Runs a read on the newest version, once more if the version it held was cleaned away under it; errors are coded. */
  protected reading<T>(read: (episodes: Table) => Promise<T>): Promise<T> {
    const work = this.#read(read);
    const ended: Promise<unknown> = work.then(
      () => this.#under.delete(ended),
      () => this.#under.delete(ended),
    );
    this.#under.add(ended);
    return work;
  }

  /** Resolves when the reads that are under way now have ended. */
  protected async readsEnded(): Promise<void> {
    await Promise.all([...this.#under]);
  }

  async #read<T>(read: (episodes: Table) => Promise<T>): Promise<T> {
    try {
      return await read(this.tables.episodes);
    } catch (error) {
      if (error instanceof FootnoteError) throw error;
      if (!VERSION_GONE.test(String(error))) throw storeError(error);
    }
    try {
      await this.tables.episodes.checkoutLatest();
      await this.tables.recordings.checkoutLatest();
      return await read(this.tables.episodes);
    } catch (error) {
      throw storeError(error);
    }
  }

  /** What a search may see. Null, sparing the store a list of every row, when that is everything: most questions are asked now. */
  async #filter(table: Table, { nowMs, timeAnchor, wearer }: SearchQuery): Promise<string | null> {
    const future = await table.countRows(endedAfter(nowMs));
    const worn = await this.#wornBy(table, wearer);
    const parts = [future > 0 ? endedBy(nowMs) : null, timeAnchor && overlaps(timeAnchor), worn];
    return allOf(...parts) || null;
  }

  /** What one wearer's rows are known by; null when that is every row, or anybody's will do. */
  async #wornBy(table: Table, wearer: string | undefined): Promise<string | null> {
    if (wearer === undefined) return null;
    // An older library that is only read: everything in it is its person's own.
    if (!(await hasWearers(table))) return wearer === ME ? null : NOTHING;
    const others = await table.countRows(differs(WEARER_COLUMN, wearer));
    return others > 0 ? equals(WEARER_COLUMN, wearer) : null;
  }

  /** The query's vector, or null when there is none to search with: then words alone decide. */
  async #queryVector(embedder: TextEmbedder, text: string): Promise<Float32Array | null> {
    try {
      const [vector] = await embedder.embed([text], 'query');
      return Float32Array.from(checkedVector(vector, embedder.dims));
    } catch (error) {
      this.onProblem({ what: 'embedding-failed', error: error as Error });
      return null;
    }
  }

  /** The vector channel; when a damaged row breaks it, search goes on by words and the next `maintain` repairs the row. */
  async #nearest(table: Table, vector: Float32Array, filter: string | null): Promise<Hit[]> {
    try {
      const exact =
        !(await hasVectorIndex(table)) ||
        (filter !== null && (await table.countRows(filter)) < VECTOR_INDEX_ROWS);
      return await vectorChannel(table, vector, filter, exact);
    } catch (error) {
      if (VERSION_GONE.test(String(error))) throw error;
      this.vectorsSuspect = true;
      this.onProblem({ what: 'vector-search-failed', error: error as Error });
      return [];
    }
  }

  async #bodies(table: Table, ids: readonly string[]): Promise<Map<string, Episode>> {
    const found = new Map<string, Episode>();
    for (const piece of anyOf('id', ids)) {
      const rows = (await table.query().where(piece).select(['id', 'body']).toArray()) as {
        id: string;
        body: string;
      }[];
      for (const row of rows) found.set(row.id, episodeOfBody(row.body));
    }
    return found;
  }

  async #inOrder(table: Table, ids: readonly string[]): Promise<Episode[]> {
    const bodies = await this.#bodies(table, ids);
    return ids.flatMap((id) => bodies.get(id) ?? []);
  }

  async #episodesWhere(filter: string): Promise<Episode[]> {
    return this.reading(async (table) => {
      const rows = (await table.query().where(filter).select(['body']).toArray()) as { body: string }[];
      return rows.map((row) => episodeOfBody(row.body)).sort(byTime);
    });
  }

  async #daysOf(table: Table): Promise<DaySummary[]> {
    const version = await table.version();
    if (this.#days?.version === version) return this.#days.days;
    const days = summariesOf(await dayColumns(table, null));
    this.#days = { version, days };
    return days;
  }
}
