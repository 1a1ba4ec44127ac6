import type { Connection, Table } from '@lancedb/lancedb';
import { makeArrowTable } from '@lancedb/lancedb';
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';
import { type Episode, wearerOf } from '../../contract/index.ts';
import { allOf, anyOf, equals, sqlNumber } from '../filters.ts';
import { forgetSentences } from '../graph/clauses.ts';
import { tidy } from '../maintenance.ts';
import type { EmbedderIdentity } from '../manifest.ts';
import { byTime, checkedVector, episodeOfBody } from '../rows.ts';
import { windowsOf } from '../views/in-memory.ts';
import { WINDOW_MS } from '../views/levels.ts';
import { type TouchedWindow, updateViews, type ViewSource } from '../views/update.ts';
import { type ContextView, windowOfEpisode } from '../views/view.ts';
import { CELLS_FORMAT, type CellManifest, readCellManifest, writeCellManifest } from './cell-manifest.ts';
import { postingsOf, type ViewRow, viewOfRow, viewRow } from './cell-rows.ts';
import { viewsSchema } from './cell-schema.ts';
import {
  addRows,
  CELL_TABLES,
  type CellTables,
  createCellTables,
  dropOtherCells,
  openCellTables,
  purgeCells,
} from './cell-tables.ts';
import { readAhead } from './read-ahead.ts';

/** Views embedded at once, and windows rebuilt at once. */
const BATCH = 256;
const WINDOWS_AT_ONCE = 64;
const WINDOW_LIST_MAX = 200;
/** Episodes kept as they were read, with what was analysed in them: the windows of an import are rebuilt as it goes on. */
const PARSED_KEPT = 512;

/** What the cells are built from and beside. */
export interface CellHost {
  dir: string;
  connection: Connection;
  episodes(): Table;
  embedder(): TextEmbedder;
  /** What the library's vectors are made with. */
  identity(): EmbedderIdentity;
  /** Whether that is the embedder at hand: else rows wait without a vector. */
  vectorsAreCurrent(): boolean;
  /** Days that hold episodes, oldest first. */
  days(): Promise<string[]>;
  episodesOfDay(day: string): Promise<Episode[]>;
  stored(ids: readonly string[]): Promise<Episode[]>;
  onEmbeddingFailed(error: Error): void;
}

const sameIdentity = (a: EmbedderIdentity, b: EmbedderIdentity): boolean =>
  a.name === b.name && a.dims === b.dims;

/**
 * Views and graph indexes of a library, kept beside its episodes. Everything that writes runs in the memory's write queue. What cannot
 * be written now is noted and made up by `maintain`; nothing here is lost with its tables, since all of it follows from the episodes.
 */
export class CellStore implements ViewSource {
  readonly #host: CellHost;
  #tables: CellTables | null = null;
  #manifest: CellManifest | null = null;
  readonly #parsed = new Map<string, Episode>();

  constructor(host: CellHost) {
    this.#host = host;
  }

  /** Opens what is there; makes nothing. */
  async open(): Promise<void> {
    const manifest = await readCellManifest(this.#host.dir);
    const tables = manifest && (await openCellTables(this.#host.connection, manifest.generation));
    if (!manifest || !tables) return;
    this.#manifest = manifest;
    this.#tables = tables;
  }

  /** The tables, when there are any. */
  get tables(): CellTables | null {
    return this.#tables;
  }

  /** Whether every episode is in its views and graphs. */
  get complete(): boolean {
    return this.#manifest !== null && this.#manifest.building === null && this.#manifest.pending.length === 0;
  }

  get vectorsAreCurrent(): boolean {
    return (
      this.#manifest !== null &&
      this.#host.vectorsAreCurrent() &&
      sameIdentity(this.#manifest.embedder, this.#host.identity())
    );
  }

  close(): void {
    for (const name of CELL_TABLES) this.#tables?.[name].close();
  }

  async #save(change: Partial<CellManifest>): Promise<void> {
    this.#manifest = { ...this.#manifest!, ...change };
    await writeCellManifest(this.#host.dir, this.#manifest);
  }

  /** Tables to write to, made when there are none: for a library that holds episodes already its past is then built by `maintain`. */
  async #ready(): Promise<CellTables> {
    if (this.#tables) return this.#tables;
    const generation = (this.#manifest?.generation ?? 0) + 1;
    const embedder = this.#host.identity();
    const empty = (await this.#host.episodes().countRows()) === 0;
    const tables = await createCellTables(this.#host.connection, generation, embedder);
    this.#manifest = {
      format: CELLS_FORMAT,
      generation,
      embedder: { name: embedder.name, dims: embedder.dims },
      building: empty ? null : { after: null },
      pending: [],
      purge: false,
    };
    await writeCellManifest(this.#host.dir, this.#manifest);
    this.#tables = tables;
    await dropOtherCells(this.#host.connection, generation);
    return tables;
  }

  /**
   * Notes what a write is about to touch: where these episodes lie now, and where they will lie. Before the write.
   * @param episodes as they will be stored; none for those that go
   */
  async touch(ids: readonly string[], episodes: readonly Episode[], purge = false): Promise<void> {
    await this.#ready();
    const before = await this.#host.stored(ids);
    const { pending, purge: due } = this.#manifest!;
    const touched = new Map(
      [...pending, ...windowsOf([...before, ...episodes])].map((one) => [
        `${one.wearer} ${one.windowMs}`,
        one,
      ]),
    );
    await this.#save({ pending: [...touched.values()], purge: due || purge });
  }

  /** Builds what was touched, after the write. */
  async settle(): Promise<void> {
    if (!this.#manifest) return;
    const { pending, purge } = this.#manifest;
    for (let at = 0; at < pending.length; at += WINDOWS_AT_ONCE) {
      await this.#build(pending.slice(at, at + WINDOWS_AT_ONCE));
    }
    if (purge) {
      this.#parsed.clear();
      forgetSentences();
    }
    if (purge && this.#tables) await purgeCells(this.#tables);
    if (pending.length > 0 || purge) await this.#save({ pending: [], purge: false });
  }

  /**
   * Makes up what is missing: pending windows, vectors, one day of a library older than its cells; then folds what many writes left.
   * @returns whether there is more to build
   */
  async maintain(): Promise<boolean> {
    const tables = await this.#ready();
    await this.settle();
    await this.#embedAnew();
    const more = await this.#buildDay();
    if (!more) for (const name of CELL_TABLES) await tidy(this.#tables?.[name] ?? tables[name]);
    return more;
  }

  async #buildDay(): Promise<boolean> {
    const after = this.#manifest?.building?.after;
    if (after === undefined) return false;
    const day = (await this.#host.days()).find((one) => after === null || one > after);
    if (day === undefined) {
      await this.#save({ building: null });
      return false;
    }
    const windows = windowsOf(await this.#host.episodesOfDay(day));
    for (let at = 0; at < windows.length; at += WINDOWS_AT_ONCE) {
      await this.#build(windows.slice(at, at + WINDOWS_AT_ONCE));
    }
    await this.#save({ building: { after: day } });
    return true;
  }

  /** The library changed its embedder: the views' texts stay, their vectors are made anew in a table of the next generation. */
  async #embedAnew(): Promise<void> {
    const manifest = this.#manifest;
    const old = this.#tables;
    if (!manifest || !old || !this.#host.vectorsAreCurrent()) return;
    const identity = this.#host.identity();
    if (sameIdentity(manifest.embedder, identity)) {
      await this.#fillVectors(old.views);
      return;
    }
    const generation = manifest.generation + 1;
    const made = await createCellTables(this.#host.connection, generation, identity);
    for (const name of CELL_TABLES) {
      const columns = (await old[name].schema()).fields
        .map((field) => field.name)
        .filter((field) => field !== 'vector');
      const rows = (await old[name].query().select(columns).toArray()) as Record<string, unknown>[];
      for (let at = 0; at < rows.length; at += BATCH * 16) {
        const piece = rows.slice(at, at + BATCH * 16).map((row) => ({ ...row }));
        if (name === 'views') await this.#embedRows(piece as ViewRow[]);
        await addRows(name, made[name], piece, identity.dims);
      }
    }
    await this.#save({ generation, embedder: { name: identity.name, dims: identity.dims } });
    this.#tables = made;
    for (const name of CELL_TABLES) old[name].close();
    await dropOtherCells(this.#host.connection, generation);
  }

  async #fillVectors(views: Table): Promise<void> {
    for (;;) {
      const rows = (await views
        .query()
        .where('vector IS NULL')
        .select(['id', 'level', 'wearer', 'startMs', 'endMs', 'searchText', 'body'])
        .limit(BATCH)
        .toArray()) as ViewRow[];
      const waiting = rows.map((row) => ({ ...row }));
      if (!(await this.#embedRows(waiting))) return;
      await this.#putViews(views, waiting);
      if (rows.length < BATCH) return;
    }
  }

  /**
   * Gives rows their vectors.
   * @returns false when the model failed: the rows left then wait without one, and words find them
   */
  async #embedRows(rows: ViewRow[]): Promise<boolean> {
    const { dims } = this.#host.identity();
    for (let at = 0; at < rows.length; at += BATCH) {
      const piece = rows.slice(at, at + BATCH);
      try {
        const texts = piece.map(({ searchText }) => searchText);
        const vectors = await this.#host.embedder().embed(texts, 'passage');
        const checked = piece.map((_, i) => checkedVector(vectors[i], dims));
        for (const [i, row] of piece.entries()) row.vector = checked[i]!;
      } catch (error) {
        this.#host.onEmbeddingFailed(error as Error);
        return false;
      }
    }
    return true;
  }

  async #putViews(views: Table, rows: ViewRow[]): Promise<void> {
    if (rows.length === 0) return;
    await views
      .mergeInsert('id')
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .execute(makeArrowTable(rows, { schema: viewsSchema(this.#manifest!.embedder.dims) }));
  }

  /** Rebuilds views and graph rows of some windows, from the episodes as they are now. */
  async #build(windows: readonly TouchedWindow[]): Promise<void> {
    const tables = await this.#ready();
    const { dims } = this.#manifest!.embedder;
    const source = readAhead(this);
    const { put, remove } = await updateViews(source, windows);
    const rows = put.map((view) => viewRow(view, null));
    if (this.vectorsAreCurrent) await this.#embedRows(rows);
    await this.#putViews(tables.views, rows);
    for (const piece of anyOf('id', remove)) await tables.views.delete(piece);
    for (const [wearer, own] of byWearer(windows)) {
      for (let at = 0; at < own.length; at += WINDOW_LIST_MAX) {
        await this.#buildPostings(tables, source, wearer, own.slice(at, at + WINDOW_LIST_MAX), dims);
      }
    }
  }

  async #buildPostings(
    tables: CellTables,
    source: ViewSource,
    wearer: string,
    windows: readonly number[],
    dims: number,
  ): Promise<void> {
    const filter = allOf(equals('wearer', wearer), `windowMs IN (${windows.map(sqlNumber).join(', ')})`);
    const mentions = [];
    const facts = [];
    for (const windowMs of windows) {
      const near = await source.episodes(wearer, windowMs, windowMs + WINDOW_MS['3min']);
      const rows = postingsOf(near.filter((one) => windowOfEpisode(one).windowMs === windowMs).sort(byTime));
      mentions.push(...rows.mentions);
      facts.push(...rows.facts);
    }
    for (const [name, rows] of [
      ['mentions', mentions],
      ['facts', facts],
    ] as const) {
      // A delete that matches nothing would still be a version of the table.
      if ((await tables[name].countRows(filter)) > 0) await tables[name].delete(filter);
      await addRows(name, tables[name], rows, dims);
    }
  }

  /** The same body gives the same object, for which the analysis is kept. */
  #parse(body: string): Episode {
    const known = this.#parsed.get(body) ?? episodeOfBody(body);
    this.#parsed.delete(body);
    this.#parsed.set(body, known);
    if (this.#parsed.size > PARSED_KEPT) this.#parsed.delete(this.#parsed.keys().next().value!);
    return known;
  }

  async episodes(wearer: string, fromMs: number, toMs: number): Promise<Episode[]> {
    const table = this.#host.episodes();
    const filter = `startMs >= ${sqlNumber(fromMs)} AND startMs < ${sqlNumber(toMs)}`;
    const rows = (await table.query().where(filter).select(['body']).toArray()) as { body: string }[];
    return rows.map(({ body }) => this.#parse(body)).filter((episode) => wearerOf(episode) === wearer);
  }

  async views(
    wearer: string,
    level: ContextView['level'],
    fromMs: number,
    toMs: number,
  ): Promise<ContextView[]> {
    if (!this.#tables) return [];
    const filter = allOf(
      `startMs >= ${sqlNumber(fromMs)} AND startMs < ${sqlNumber(toMs)}`,
      equals('level', level),
      equals('wearer', wearer),
    );
    const rows = (await this.#tables.views
      .query()
      .where(filter)
      .select(['id', 'level', 'wearer', 'startMs', 'endMs', 'body'])
      .toArray()) as ViewRow[];
    return rows.map(viewOfRow);
  }

  /** Views by id. */
  async viewsOf(ids: readonly string[]): Promise<ContextView[]> {
    if (!this.#tables) return [];
    const found: ContextView[] = [];
    for (const piece of anyOf('id', ids)) {
      const rows = (await this.#tables.views
        .query()
        .where(piece)
        .select(['id', 'level', 'wearer', 'startMs', 'endMs', 'body'])
        .toArray()) as ViewRow[];
      found.push(...rows.map(viewOfRow));
    }
    return found;
  }
}

function byWearer(windows: readonly TouchedWindow[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const { wearer, windowMs } of windows) groups.set(wearer, [...(groups.get(wearer) ?? []), windowMs]);
  return groups;
}
