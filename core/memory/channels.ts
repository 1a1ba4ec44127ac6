import { MatchQuery, type Table } from '@lancedb/lancedb';
import { anyOf } from './filters.ts';
import type { Hit } from './fusion.ts';
import { TEXT_COLUMN } from './schema.ts';

/** Candidates each channel gives to the fusion. */
export const CANDIDATES = 100;

/** Longest text given to the full-text index; a question is far shorter. */
const QUERY_TEXT_MAX = 2000;

/** Rows the index proposes for each one asked for; their true distances decide, since the index holds rounded vectors. */
const REFINE = 2;

/** HNSW search width; below rows × REFINE recall falls. */
const SEARCH_WIDTH = 300;

/**
 * Full-text channel: BM25 over stemmed words. The text goes in as words to match, so operators in it mean nothing.
 * @param filter rows that may be returned, applied before ranking; null for all
 */
export async function textChannel(
  table: Table,
  query: string,
  filter: string | null,
  limit = CANDIDATES,
): Promise<Hit[]> {
  const words = query.slice(0, QUERY_TEXT_MAX).replaceAll('\0', ' ');
  if (words.trim() === '') return [];
  let search = table
    .query()
    .fullTextSearch(new MatchQuery(words, TEXT_COLUMN))
    .select(['id', 'startMs', '_score'])
    .limit(limit);
  if (filter !== null) search = search.where(filter);
  const rows = (await search.toArray()) as { id: string; startMs: number; _score: number }[];
  return rows
    .map((row) => ({ id: row.id, startMs: row.startMs, value: Number(row._score) }))
    .filter((hit) => hit.value > 0);
}

/**
 * Vector channel: nearest by l2 on unit vectors, which is the order of the cosine (`1 - d² / 2`). Rows without a vector are left out.
 * @param exact true compares with every row the filter lets through, without the index
 * @returns cosines, best first
 */
export async function vectorChannel(
  table: Table,
  vector: Float32Array,
  filter: string | null,
  exact: boolean,
  limit = CANDIDATES,
): Promise<Hit[]> {
  let query = table
    .query()
    .nearestTo(vector)
    .distanceType('l2')
    .select(['id', 'startMs', '_distance'])
    .limit(limit);
  if (filter !== null) query = query.where(filter);
  query = exact
    ? query.bypassVectorIndex()
    : query.ef(Math.max(SEARCH_WIDTH, limit * REFINE)).refineFactor(REFINE);
  const rows = (await query.toArray()) as { id: string; startMs: number; _distance: number }[];
  // LanceDB's l2 distance is already squared.
  return rows.map((row) => ({ id: row.id, startMs: row.startMs, value: 1 - Number(row._distance) / 2 }));
}

/** Cosines of the text channel's hits that the vector channel did not return, so that every candidate has one. */
export async function cosinesOf(table: Table, vector: Float32Array, ids: readonly string[]): Promise<Hit[]> {
  const found: Hit[] = [];
  for (const piece of anyOf('id', ids)) {
    found.push(...(await vectorChannel(table, vector, piece, true, ids.length)));
  }
  return found;
}
