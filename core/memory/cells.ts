/**
 * Event memory cells (EM²Mem): context views, episodic and semantic graph, and their retrieval, over episodes in memory. The same
 * retrieval runs over the library's tables; see cell-store.
 */
import { type Episode, ME, wearerOf } from '../contract/index.ts';
import { CausalBm25, countBelow } from './cell-search/bm25.ts';
import type { CellIndex, CellQuery, Sharing, Unit, UnitHit } from './cell-search/cell-index.ts';
import { K_E, SCALES, type Scale } from './cell-search/constants.ts';
import { type ChosenKeyframe, keyframesFor } from './cell-search/keyframes.ts';
import { type Retrieved, type RetrieveOptions, retrieveCells } from './cell-search/retrieve.ts';
import { unitOfEpisode, unitOfView } from './cell-search/unit-of.ts';
import { fuse } from './fusion.ts';
import { tripleKey } from './graph/analysis.ts';
import { type Correction, Corrections } from './graph/corrections.ts';
import { correctedAnalysis } from './graph/episodic-graph.ts';
import type { Evidence, Observed } from './graph/semantic-graph.ts';
import { byTime, localDay } from './rows.ts';
import { FUSION } from './settings.ts';
import { ViewMemory } from './views/in-memory.ts';
import { viewsInProgress } from './views/update.ts';
import type { ContextView } from './views/view.ts';

export { keyframesFor } from './cell-search/keyframes.ts';
export type { RankedEvent, Retrieved } from './cell-search/retrieve.ts';
export { AS_RELEASED, CELL_SETTINGS, type CellSettings } from './cell-search/settings.ts';

/** Vectors of unit length, one a text. */
export type Embed = (texts: readonly string[], kind: 'passage' | 'query') => Promise<Float32Array[]>;

export interface BuildOptions {
  /** Null: words alone decide. */
  embed: Embed | null;
  /** Words of an episode that are searched; default its text. */
  searchText?: (episode: Episode) => string;
  corrections?: readonly Correction[];
}

export interface AskCells extends RetrieveOptions {
  question: string;
  /** Of unit length; embedded here when left out. */
  queryVector?: Float32Array | null;
  nowMs: number;
  /** Whose; the library's own person when left out. */
  wearer?: string;
  span?: { startMs: number; endMs: number } | null;
  /** Events selected; K_E when left out. */
  k?: number;
}

export interface Cells {
  /** All views, in time order. */
  readonly views: readonly ContextView[];
  retrieve(ask: AskCells): Promise<Retrieved & { keyframes: ChosenKeyframe[] }>;
}

/** One scale of one wearer: units in the order in which they became known, each with its vector. */
interface Shelf {
  units: Unit[];
  ends: number[];
  words: CausalBm25;
  vectors: (Float32Array | null)[];
  at: Map<string, number>;
}

function shelfOf(units: readonly Unit[], vectors: ReadonlyMap<string, Float32Array>): Shelf {
  const sorted = [...units].sort((a, b) => a.endMs - b.endMs || byTime(a, b));
  return {
    units: sorted,
    ends: sorted.map(({ endMs }) => endMs),
    words: new CausalBm25(sorted.map(({ text }) => text)),
    vectors: sorted.map(({ id }) => vectors.get(id) ?? null),
    at: new Map(sorted.map(({ id }, at) => [id, at])),
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Candidates of each channel that are fused, as in the library's search. */
const CHANNEL = 100;

/** Views of windows in progress at one instant. */
interface Open {
  key: string;
  shelves: Map<Scale, Shelf>;
  ids: Set<string>;
}

class MemoryIndex implements CellIndex {
  readonly #views: ViewMemory;
  readonly #embed: Embed | null;
  readonly #shelves = new Map<string, Shelf>();
  /** By wearer and entity: events in time order. */
  readonly #mentions = new Map<string, Unit[]>();
  readonly #observed = new Map<string, Observed & { evidence: Evidence[] }>();
  readonly #byEntity = new Map<string, Set<string>>();
  /** Views of windows in progress, of the instant last asked about. */
  #open: Open | null = null;

  constructor(views: ViewMemory, embed: Embed | null) {
    this.#views = views;
    this.#embed = embed;
  }

  put(
    wearer: string,
    scale: Scale,
    units: readonly Unit[],
    vectors: ReadonlyMap<string, Float32Array>,
  ): void {
    this.#shelves.set(`${wearer} ${scale}`, shelfOf(units, vectors));
  }

  /** Inverted indexes of one event. */
  link(wearer: string, episode: Episode, unit: Unit, corrections: Corrections): void {
    for (const key of unit.keys) {
      const known = this.#mentions.get(`${wearer} ${key}`);
      if (known) known.push(unit);
      else this.#mentions.set(`${wearer} ${key}`, [unit]);
    }
    const { id: episodeId, recordingId, startMs, endMs, zone } = episode;
    for (const triple of correctedAnalysis(episode, corrections).triples) {
      const key = `${wearer} ${tripleKey(triple)}`;
      const known = this.#observed.get(key) ?? {
        subject: triple.subject.key,
        verb: triple.verb,
        object: triple.object.key,
        evidence: [],
      };
      known.evidence.push({ episodeId, recordingId, startMs, endMs, day: localDay(startMs, zone) });
      this.#observed.set(key, known);
      for (const entity of [triple.subject.key, triple.object.key]) {
        const of = this.#byEntity.get(`${wearer} ${entity}`) ?? new Set();
        this.#byEntity.set(`${wearer} ${entity}`, of.add(key));
      }
    }
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#embed ? this.#embed(texts, 'passage') : [];
  }

  async #inProgress(query: CellQuery): Promise<Open> {
    const key = `${query.wearer} ${query.nowMs}`;
    if (this.#open?.key === key) return this.#open;
    const views = await viewsInProgress(this.#views, query.wearer, query.nowMs);
    const units = views.filter(({ level }) => level !== 'day').map(unitOfView);
    const vectors = await this.embed(units.map(({ text }) => text));
    const byId = new Map(vectors.map((vector, i) => [units[i]!.id, vector]));
    const shelves = new Map(
      SCALES.map((scale) => [
        scale,
        shelfOf(
          units.filter((u) => u.scale === scale),
          byId,
        ),
      ]),
    );
    this.#open = { key, shelves, ids: new Set(units.map(({ id }) => id)) };
    return this.#open;
  }

  async search(scale: Scale, query: CellQuery, limit: number): Promise<UnitHit[]> {
    const shelf = this.#shelves.get(`${query.wearer} ${scale}`);
    if (!shelf) return [];
    const open = scale === 'event' ? null : await this.#inProgress(query);
    const text: { id: string; startMs: number; value: number }[] = [];
    const near: { id: string; startMs: number; value: number }[] = [];
    const spans = new Map<string, Unit>();
    const collect = (from: Shelf, skip: ReadonlySet<string> | null) => {
      const known = countBelow(from.ends, query.nowMs + 1);
      const scores = from.words.scores(query.question, known);
      for (let at = 0; at < known; at++) {
        const unit = from.units[at]!;
        if (skip?.has(unit.id)) continue;
        if (query.span && !(unit.startMs < query.span.endMs && unit.endMs > query.span.startMs)) continue;
        const { id, startMs } = unit;
        const value = scores.get(at) ?? 0;
        if (value > 0) text.push({ id, startMs, value });
        const vector = from.vectors[at];
        if (query.vector && vector) near.push({ id, startMs, value: dot(query.vector, vector) });
        spans.set(id, unit);
      }
    };
    collect(shelf, open?.ids ?? null);
    if (open) collect(open.shelves.get(scale)!, null);
    const best = (hits: typeof text) => hits.sort((a, b) => b.value - a.value || b.startMs - a.startMs);
    const words = best(text).slice(0, CHANNEL);
    const ids = new Set(words.map(({ id }) => id));
    const meaning = best(near).filter(({ id }, rank) => rank < CHANNEL || ids.has(id));
    return fuse(words, meaning, FUSION)
      .slice(0, limit)
      .map(({ id, startMs, score, cosine }) => ({ id, startMs, endMs: spans.get(id)!.endMs, score, cosine }));
  }

  async units(scale: Scale, ids: readonly string[], query: CellQuery): Promise<Unit[]> {
    const shelf = this.#shelves.get(`${query.wearer} ${scale}`);
    const open = scale === 'event' ? null : (await this.#inProgress(query)).shelves.get(scale);
    return ids.flatMap((id) => {
      const at = open?.at.get(id);
      const unit = at === undefined ? shelf?.units[shelf.at.get(id) ?? -1] : open!.units[at];
      return unit && unit.endMs <= query.nowMs ? [unit] : [];
    });
  }

  async beside(of: { startMs: number; endMs: number; id: string }, query: CellQuery): Promise<UnitHit[]> {
    const shelf = this.#shelves.get(`${query.wearer} event`);
    const at = shelf?.at.get(of.id);
    if (!shelf || at === undefined) return [];
    return [shelf.units[at - 1], shelf.units[at + 1]].flatMap((unit) =>
      unit && unit.endMs <= query.nowMs
        ? [{ id: unit.id, startMs: unit.startMs, endMs: unit.endMs, score: 0, cosine: null }]
        : [],
    );
  }

  async sharing(
    keys: readonly string[],
    aroundMs: number,
    query: CellQuery,
    limit: number,
  ): Promise<Sharing[]> {
    const found = new Map<string, Sharing>();
    for (const key of keys) {
      const events = this.#mentions.get(`${query.wearer} ${key}`) ?? [];
      const starts = events.map(({ startMs }) => startMs);
      const middle = countBelow(starts, aroundMs);
      for (const unit of events.slice(Math.max(0, middle - limit), middle + limit + 1)) {
        if (unit.endMs > query.nowMs) continue;
        const known = found.get(unit.id);
        if (known) known.keys.push(key);
        else found.set(unit.id, { id: unit.id, startMs: unit.startMs, endMs: unit.endMs, keys: [key] });
      }
    }
    const worth = ({ startMs, keys: shared }: Sharing) =>
      (0.55 + 0.15 * Math.min(shared.length, 3)) / (1 + Math.abs(startMs - aroundMs) / 300_000);
    return [...found.values()].sort((a, b) => worth(b) - worth(a) || (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  async observed(keys: readonly string[], query: CellQuery): Promise<Observed[]> {
    const found = new Set(keys.flatMap((key) => [...(this.#byEntity.get(`${query.wearer} ${key}`) ?? [])]));
    return [...found].map((key) => this.#observed.get(key)!);
  }
}

/**
 * Builds the cells of some episodes in memory: views and graphs, for each wearer apart.
 * @param options.embed vectors of unit length, for the episodes, views and facts
 */
export async function buildCells(episodes: readonly Episode[], options: BuildOptions): Promise<Cells> {
  const { embed, searchText = (episode: Episode) => episode.text } = options;
  const corrections = new Corrections(options.corrections);
  const views = new ViewMemory();
  await views.change(episodes);
  const all = views.all();
  const index = new MemoryIndex(views, embed);
  const sorted = [...episodes].sort(byTime);
  const byId = new Map(sorted.map((episode) => [episode.id, episode]));
  const units = sorted.map((episode) => ({
    wearer: wearerOf(episode),
    unit: unitOfEpisode(episode, searchText(episode), corrections),
  }));
  units.push(
    ...all
      .filter(({ level }) => level !== 'day')
      .map((view) => ({ wearer: view.wearer, unit: unitOfView(view) })),
  );
  const vectors = embed
    ? await embed(
        units.map(({ unit }) => unit.text),
        'passage',
      )
    : [];
  const vectorOf = new Map(vectors.map((vector, i) => [units[i]!.unit.id, vector]));
  for (const wearer of new Set(units.map((one) => one.wearer))) {
    const own = units.filter((one) => one.wearer === wearer).map(({ unit }) => unit);
    for (const scale of SCALES)
      index.put(
        wearer,
        scale,
        own.filter((unit) => unit.scale === scale),
        vectorOf,
      );
    for (const unit of own) {
      const episode = byId.get(unit.id);
      if (episode) index.link(wearer, episode, unit, corrections);
    }
  }
  return {
    views: all,
    async retrieve({ question, nowMs, wearer = ME, span = null, k = K_E, ...rest }) {
      const vector =
        rest.queryVector !== undefined
          ? rest.queryVector
          : embed
            ? ((await embed([question], 'query'))[0] ?? null)
            : null;
      const found = await retrieveCells(
        index,
        { question, vector, nowMs, wearer, span },
        { ...rest, select: k },
      );
      const keyframes = found.ranked
        .slice(0, found.selected)
        .flatMap(({ episodeId }) => keyframesFor(byId.get(episodeId)!, question));
      return { ...found, keyframes };
    },
  };
}
