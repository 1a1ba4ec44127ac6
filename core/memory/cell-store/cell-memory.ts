import { randomBytes } from 'node:crypto';
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';
import {
  type Episode,
  FootnoteError,
  type FoundEpisode,
  ME,
  type SearchQuery,
  type TimeSpan,
} from '../../contract/index.ts';
import { K_E } from '../cell-search/constants.ts';
import { type ChosenKeyframe, keyframesFor } from '../cell-search/keyframes.ts';
import { type Retrieved, type RetrieveOptions, retrieveCells } from '../cell-search/retrieve.ts';
import { Correction, Corrections, type SaidCorrection } from '../graph/corrections.ts';
import { byTime } from '../rows.ts';
import type { Level } from '../views/levels.ts';
import { viewsInProgress } from '../views/update.ts';
import type { ContextView } from '../views/view.ts';
import type { CellStore } from './cell-store.ts';
import { readCorrections, withoutEpisodes, writeCorrections } from './corrections-file.ts';
import { LanceIndex } from './lance-index.ts';

/** A question to the cells of a library. */
export interface AskCellMemory extends RetrieveOptions {
  question: string;
  nowMs: number;
  /** Whose; the library's own person when left out. */
  wearer?: string;
  span?: TimeSpan | null;
  /** Events selected; K_E when left out. */
  k?: number;
}

/** Event memory cells of a library: what a reader may ask, and a person correct. */
export interface CellMemory {
  /** False while views and graphs of an older library are still being built, in the background. */
  readonly complete: boolean;
  /** EM²Mem's readout: events in order, views and facts that took part, keyframes chosen for the question. Causal. */
  retrieve(ask: AskCellMemory): Promise<Retrieved & { keyframes: ChosenKeyframe[] }>;
  /** Views of one level that overlap a span, in time order, those in progress as far as they had come by `nowMs`. */
  views(ask: { level: Level; span: TimeSpan; nowMs: number; wearer?: string }): Promise<ContextView[]>;
  corrections(): Promise<SaidCorrection[]>;
  /** @throws FootnoteError BAD_REQUEST for what is no correction, LIBRARY_BUSY when the library is only read */
  correct(correction: Correction): Promise<SaidCorrection>;
  /** Takes a correction back. @throws FootnoteError NOT_FOUND */
  takeBack(id: string): Promise<void>;
}

export interface CellMemoryParts {
  dir: string;
  store: CellStore;
  embedder(): TextEmbedder;
  vectorsAreCurrent(): boolean;
  searchText: (episode: Episode) => string;
  search(query: SearchQuery): Promise<FoundEpisode[]>;
  stored(ids: readonly string[]): Promise<Episode[]>;
  /** Runs in the memory's write queue; refuses when it is only read. */
  write<T>(job: () => Promise<T>): Promise<T>;
}

/** An hour's view may begin a day before the span that asks for it. */
const LONGEST_MS = 26 * 3_600_000;

export class LanceCells implements CellMemory {
  readonly #parts: CellMemoryParts;

  constructor(parts: CellMemoryParts) {
    this.#parts = parts;
  }

  get complete(): boolean {
    return this.#parts.store.complete;
  }

  async #index(): Promise<LanceIndex> {
    const said = await readCorrections(this.#parts.dir);
    const { store, searchText, search, stored } = this.#parts;
    const corrections = new Corrections(said.map(({ correction }) => correction));
    return new LanceIndex({
      store,
      corrections,
      embedder: this.#parts.embedder(),
      searchText,
      search,
      stored,
    });
  }

  async retrieve({ question, nowMs, wearer = ME, span = null, k = K_E, ...rest }: AskCellMemory) {
    const index = await this.#index();
    const [vector] = this.#parts.vectorsAreCurrent()
      ? await this.#parts.embedder().embed([question], 'query')
      : [];
    const query = { question, vector: vector ?? null, nowMs, wearer, span };
    const found = await retrieveCells(index, query, { ...rest, select: k });
    const chosen = found.ranked
      .slice(0, found.selected)
      .flatMap(({ episodeId }) => index.episode(episodeId) ?? []);
    return { ...found, keyframes: chosen.flatMap((episode) => keyframesFor(episode, question)) };
  }

  async views({
    level,
    span,
    nowMs,
    wearer = ME,
  }: Parameters<CellMemory['views']>[0]): Promise<ContextView[]> {
    const { store } = this.#parts;
    const stored = await store.views(wearer, level, span.startMs - LONGEST_MS, Math.min(span.endMs, nowMs));
    const usable = new Map(stored.filter(({ endMs }) => endMs <= nowMs).map((view) => [view.id, view]));
    for (const view of await viewsInProgress(store, wearer, nowMs)) {
      if (view.level === level) usable.set(view.id, view);
    }
    return [...usable.values()]
      .filter(({ startMs, endMs }) => startMs < span.endMs && endMs > span.startMs)
      .sort(byTime);
  }

  corrections(): Promise<SaidCorrection[]> {
    return readCorrections(this.#parts.dir);
  }

  async correct(correction: Correction): Promise<SaidCorrection> {
    const parsed = Correction.safeParse(correction);
    if (!parsed.success) {
      throw new FootnoteError('BAD_REQUEST', 'That is no correction of a name.', {
        field: parsed.error.issues[0]?.path.join('.') ?? '',
      });
    }
    const said = { id: `c${randomBytes(8).toString('hex')}`, saidAtMs: Date.now(), correction: parsed.data };
    await this.#change((list) => [...list, said]);
    return said;
  }

  async takeBack(id: string): Promise<void> {
    await this.#change((list) => {
      const left = list.filter((one) => one.id !== id);
      if (left.length === list.length)
        throw new FootnoteError('NOT_FOUND', 'There is no such correction.', { id });
      return left;
    });
  }

  /** In the write queue already: names given to forgotten episodes go with them, all of them with the last episode. */
  async forget(ids: ReadonlySet<string>, nothingLeft: boolean): Promise<void> {
    const list = await readCorrections(this.#parts.dir);
    const left = nothingLeft ? [] : withoutEpisodes(list, ids);
    if (JSON.stringify(left) !== JSON.stringify(list)) await writeCorrections(this.#parts.dir, left);
  }

  async #change(change: (list: SaidCorrection[]) => SaidCorrection[]): Promise<void> {
    await this.#parts.write(async () => {
      await writeCorrections(this.#parts.dir, change(await readCorrections(this.#parts.dir)));
    });
  }
}
