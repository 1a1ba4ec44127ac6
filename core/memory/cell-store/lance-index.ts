import type { Table } from '@lancedb/lancedb';
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';
import type { Episode, FoundEpisode, SearchQuery } from '../../contract/index.ts';
import { SEARCH_MAX } from '../../contract/index.ts';
import type { CellIndex, CellQuery, Sharing, Unit, UnitHit } from '../cell-search/cell-index.ts';
import { ENTITY_HOP, LOOKED_AT, type Scale } from '../cell-search/constants.ts';
import { unitOfEpisode, unitOfView } from '../cell-search/unit-of.ts';
import { cosinesOf, textChannel, vectorChannel } from '../channels.ts';
import { allOf, anyOf, endedBy, equals, overlaps, sqlNumber } from '../filters.ts';
import { fuse, type Hit } from '../fusion.ts';
import type { Corrections } from '../graph/corrections.ts';
import type { Evidence, Observed } from '../graph/semantic-graph.ts';
import { hasVectorIndex, VECTOR_INDEX_ROWS } from '../maintenance.ts';
import { FUSION } from '../settings.ts';
import { viewsInProgress } from '../views/update.ts';
import type { ContextView } from '../views/view.ts';
import { evidenceOf, type FactRow, type MentionRow } from './cell-rows.ts';
import type { CellStore } from './cell-store.ts';

/** "Before" reaches over a pause of this length, ms; an entity is looked for so far from a seed: beyond that its share has faded. */
const BESIDE_MS = 3_600_000;
const SHARING_MS = 86_400_000;
/** Rows read of the inverted indexes for one question. */
const MENTIONS_MOST = 256;
const FACTS_MOST = 4_000;
/** Seeds of the expansion are among the first few found. */
const KEYED = LOOKED_AT * ENTITY_HOP.seeds;

export interface LanceIndexParts {
  store: CellStore;
  corrections: Corrections;
  embedder: TextEmbedder;
  searchText: (episode: Episode) => string;
  search(query: SearchQuery): Promise<FoundEpisode[]>;
  stored(ids: readonly string[]): Promise<Episode[]>;
}

/** The cells of a library for one question: what was read stays at hand until it is answered. */
export class LanceIndex implements CellIndex {
  readonly #parts: LanceIndexParts;
  readonly #episodes = new Map<string, Episode>();
  readonly #views = new Map<string, ContextView>();
  #open: Promise<Map<string, { view: ContextView; vector: Float32Array | null }>> | null = null;

  constructor(parts: LanceIndexParts) {
    this.#parts = parts;
  }

  /** An episode that was read for this question. */
  episode(id: string): Episode | undefined {
    return this.#episodes.get(id);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.length === 0 ? [] : this.#parts.embedder.embed([...texts], 'passage');
  }

  async search(scale: Scale, query: CellQuery, limit: number): Promise<UnitHit[]> {
    return scale === 'event' ? this.#events(query, limit) : this.#ofScale(scale, query, limit);
  }

  async #events({ question, nowMs, wearer, span }: CellQuery, limit: number): Promise<UnitHit[]> {
    const found = await this.#parts.search({
      query: question,
      timeAnchor: span,
      topK: Math.min(limit, SEARCH_MAX),
      nowMs,
      wearer,
    });
    for (const { episode } of found) this.#episodes.set(episode.id, episode);
    return found
      .map(({ episode, score, cosine }) => ({
        id: episode.id,
        startMs: episode.startMs,
        endMs: episode.endMs,
        score,
        cosine: cosine ?? null,
      }))
      .sort((a, b) => b.score - a.score || b.startMs - a.startMs || (a.id < b.id ? 1 : -1));
  }

  /** Views of windows in progress, with their vectors. */
  #inProgress(query: CellQuery): Promise<Map<string, { view: ContextView; vector: Float32Array | null }>> {
    this.#open ??= (async () => {
      const views = await viewsInProgress(this.#parts.store, query.wearer, query.nowMs);
      const vectors = query.vector ? await this.embed(views.map((view) => unitOfView(view).text)) : [];
      return new Map(views.map((view, i) => [view.id, { view, vector: vectors[i] ?? null }]));
    })();
    return this.#open;
  }

  async #ofScale(scale: Scale, query: CellQuery, limit: number): Promise<UnitHit[]> {
    const views = this.#parts.store.tables?.views;
    if (!views) return [];
    const filter = allOf(
      endedBy(query.nowMs),
      equals('level', scale),
      equals('wearer', query.wearer),
      query.span && overlaps(query.span),
    );
    const vector = this.#parts.store.vectorsAreCurrent ? query.vector : null;
    const [text, near] = await Promise.all([
      textChannel(views, query.question, filter),
      vector ? nearest(views, vector, filter) : [],
    ]);
    const known = new Set(near.map(({ id }) => id));
    const rest = text.map(({ id }) => id).filter((id) => !known.has(id));
    const also = vector && near.length > 0 ? await cosinesOf(views, vector, rest) : [];
    const open = [...(await this.#inProgress(query)).values()].filter(({ view }) => view.level === scale);
    const fresh = open.flatMap(({ view, vector: own }): Hit[] =>
      vector && own ? [{ id: view.id, startMs: view.startMs, value: dot(vector, own) }] : [],
    );
    const openIds = new Set(open.map(({ view }) => view.id));
    const stored = (hits: readonly Hit[]) => hits.filter(({ id }) => !openIds.has(id));
    const best = fuse(stored(text), [...stored(near), ...stored(also), ...fresh], FUSION).slice(0, limit);
    const found = new Map(
      (
        await this.#viewsOf(
          best.map(({ id }) => id),
          query,
        )
      ).map((view) => [view.id, view]),
    );
    return best.flatMap(({ id, startMs, score, cosine }) => {
      const view = found.get(id);
      return view ? [{ id, startMs, endMs: view.endMs, score, cosine }] : [];
    });
  }

  async #viewsOf(ids: readonly string[], query: CellQuery): Promise<ContextView[]> {
    const open = await this.#inProgress(query);
    const unread = ids.filter((id) => !open.has(id) && !this.#views.has(id));
    for (const view of await this.#parts.store.viewsOf(unread)) this.#views.set(view.id, view);
    return ids
      .flatMap((id) => open.get(id)?.view ?? this.#views.get(id) ?? [])
      .filter(({ endMs }) => endMs <= query.nowMs);
  }

  async units(scale: Scale, ids: readonly string[], query: CellQuery): Promise<Unit[]> {
    if (scale !== 'event') return (await this.#viewsOf(ids, query)).map(unitOfView);
    const unread = ids.filter((id) => !this.#episodes.has(id));
    for (const episode of await this.#parts.stored(unread)) this.#episodes.set(episode.id, episode);
    return ids.flatMap((id, rank) => {
      const episode = this.#episodes.get(id);
      if (!episode || episode.endMs > query.nowMs) return [];
      return unitOfEpisode(episode, this.#parts.searchText(episode), this.#parts.corrections, rank < KEYED);
    });
  }

  async beside(unit: { startMs: number; endMs: number; id: string }, query: CellQuery): Promise<UnitHit[]> {
    const near = await this.#parts.store.episodes(
      query.wearer,
      unit.startMs - BESIDE_MS,
      Math.min(query.nowMs, unit.endMs + BESIDE_MS),
    );
    const inTime = near.filter(({ endMs }) => endMs <= query.nowMs).sort((a, b) => a.startMs - b.startMs);
    const at = inTime.findIndex(({ id }) => id === unit.id);
    if (at < 0) return [];
    return [inTime[at - 1], inTime[at + 1]].flatMap((episode) => {
      if (!episode) return [];
      this.#episodes.set(episode.id, episode);
      const { id, startMs, endMs } = episode;
      return [{ id, startMs, endMs, score: 0, cosine: null }];
    });
  }

  async sharing(
    keys: readonly string[],
    aroundMs: number,
    query: CellQuery,
    limit: number,
  ): Promise<Sharing[]> {
    const mentions = this.#parts.store.tables?.mentions;
    if (!mentions || keys.length === 0) return [];
    const { corrections } = this.#parts;
    const sources = [...new Set(keys.flatMap((key) => corrections.sourcesOf(key)))];
    const wanted = new Set(keys);
    const when = `startMs >= ${sqlNumber(aroundMs - SHARING_MS)} AND startMs <= ${sqlNumber(Math.min(query.nowMs, aroundMs + SHARING_MS))}`;
    const found = new Map<string, Sharing>();
    for (const piece of anyOf('key', sources)) {
      const rows = (await mentions
        .query()
        .where(allOf(piece, equals('wearer', query.wearer), when))
        .select(['key', 'startMs', 'evidence'])
        .limit(MENTIONS_MOST)
        .toArray()) as MentionRow[];
      for (const row of rows) {
        for (const { episodeId, recordingId, startMs, endMs } of evidenceOf(row)) {
          const key = corrections.keyOf(row.key, { episodeId, recordingId });
          if (endMs > query.nowMs || !wanted.has(key)) continue;
          const known = found.get(episodeId) ?? { id: episodeId, startMs, endMs, keys: [] };
          if (!known.keys.includes(key)) known.keys.push(key);
          found.set(episodeId, known);
        }
      }
    }
    const worth = ({ startMs, keys: shared }: Sharing) =>
      (0.55 + 0.15 * Math.min(shared.length, 3)) / (1 + Math.abs(startMs - aroundMs) / ENTITY_HOP.fadeMs);
    return [...found.values()].sort((a, b) => worth(b) - worth(a) || (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  async observed(keys: readonly string[], query: CellQuery): Promise<Observed[]> {
    const facts = this.#parts.store.tables?.facts;
    if (!facts || keys.length === 0) return [];
    const { corrections } = this.#parts;
    const sources = [...new Set(keys.flatMap((key) => corrections.sourcesOf(key)))];
    const wanted = new Set(keys);
    const found = new Map<string, Observed & { evidence: Evidence[] }>();
    for (const piece of anyOf('object', sources)) {
      const rows = (await facts
        .query()
        .where(allOf(piece, equals('wearer', query.wearer), `startMs < ${sqlNumber(query.nowMs)}`))
        .select(['subject', 'verb', 'object', 'day', 'startMs', 'evidence'])
        .limit(FACTS_MOST)
        .toArray()) as FactRow[];
      for (const row of rows) {
        for (const one of evidenceOf(row)) {
          const subject = corrections.keyOf(row.subject, one);
          const object = corrections.keyOf(row.object, one);
          if (one.endMs > query.nowMs || !wanted.has(object)) continue;
          const key = `${subject}|${row.verb}|${object}`;
          const known = found.get(key) ?? { subject, verb: row.verb, object, evidence: [] };
          known.evidence.push(one);
          found.set(key, known);
        }
      }
    }
    return [...found.values()];
  }
}

async function nearest(views: Table, vector: Float32Array, filter: string): Promise<Hit[]> {
  const exact = !(await hasVectorIndex(views)) || (await views.countRows(filter)) < VECTOR_INDEX_ROWS;
  return vectorChannel(views, vector, filter, exact);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
