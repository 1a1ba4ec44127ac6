import type { Table } from '@lancedb/lancedb';
import { anyOf } from './filters.ts';

/** Rows whose vector is read in one go when looking for a damaged one. */
const PROBE_ROWS = 4096;

/** Ids of rows without a vector, at most `limit`. */
export async function idsWithoutVector(table: Table, limit: number): Promise<string[]> {
  const rows = (await table.query().where('vector IS NULL').select(['id']).limit(limit).toArray()) as {
    id: string;
  }[];
  return rows.map((row) => row.id);
}

/**
 * Ids of rows whose vector cannot be read: one such row (an empty vector, damaged bytes) makes every vector search
 * fail. Found by halving, since reading any set that holds one fails as a whole.
 */
export async function idsWithUnreadableVector(table: Table): Promise<string[]> {
  const rows = (await table.query().select(['id']).toArray()) as { id: string }[];
  const bad: string[] = [];
  const pending: string[][] = [];
  for (let at = 0; at < rows.length; at += PROBE_ROWS) {
    pending.push(rows.slice(at, at + PROBE_ROWS).map((row) => row.id));
  }
  while (pending.length > 0) {
    const ids = pending.pop()!;
    if (await readable(table, ids)) continue;
    if (ids.length === 1) bad.push(ids[0]!);
    else pending.push(ids.slice(0, ids.length >> 1), ids.slice(ids.length >> 1));
  }
  return bad;
}

async function readable(table: Table, ids: readonly string[]): Promise<boolean> {
  try {
    for (const piece of anyOf('id', ids)) await table.query().where(piece).select(['id', 'vector']).toArrow();
    return true;
  } catch {
    // The failure is the finding: the caller halves the set until one row is left.
    return false;
  }
}
