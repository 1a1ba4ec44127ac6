import { Index, type Table } from '@lancedb/lancedb';
import { ME } from '../contract/index.ts';
import { sqlText } from './filters.ts';
import { FILTER_COLUMNS, TEXT_COLUMN, WEARER_COLUMN } from './schema.ts';

/** From here on, comparing a question with every row takes longer than a person notices; below, flat search is exact and quick. */
export const VECTOR_INDEX_ROWS = 50_000;

/** Versions and fragments the store may have before they are folded together. */
const VERSIONS_MAX = 20;
const FRAGMENTS_MAX = 8;

/**
 * Rows outside the indexes before these are brought up to date, as a share of all rows. Few, because LanceDB 0.31 counts occurrences
 * where it should count rows outside the full-text index: a word that is said more often than there are rows is then not found.
 */
const UNINDEXED_SHARE = 0.05;

/** HNSW build width; 150 to 300 is what the library advises. */
const BUILD_WIDTH = 300;

/**
 * English words are lower-cased, folded to ASCII and stemmed, so that "cafés" finds "café" and "running" "ran a run";
 * words of other languages are kept as they are. Positions are left out: no phrase is asked for, and they cost space.
 */
export function textIndex(): Index {
  return Index.fts({
    baseTokenizer: 'simple',
    language: 'English',
    lowercase: true,
    stem: true,
    removeStopWords: true,
    asciiFolding: true,
    withPosition: false,
  });
}

/** Builds the full-text and filter indexes anew, from the present rows alone. */
export async function buildIndexes(table: Table): Promise<void> {
  await table.createIndex(TEXT_COLUMN, { config: textIndex() });
  for (const column of FILTER_COLUMNS) await table.createIndex(column, { config: Index.btree() });
  await table.createIndex(WEARER_COLUMN, { config: Index.bitmap() });
}

/** Whether the table says whose each episode is. */
export async function hasWearers(table: Table): Promise<boolean> {
  return (await table.schema()).fields.some(({ name }) => name === WEARER_COLUMN);
}

/** Gives the table of an older library its wearers: everything in it is the person's own. */
export async function ensureWearers(table: Table): Promise<void> {
  if (await hasWearers(table)) return;
  await table.addColumns([{ name: WEARER_COLUMN, valueSql: sqlText(ME) }]);
  await table.createIndex(WEARER_COLUMN, { config: Index.bitmap() });
}

/**
 * Builds the vector index once there are enough rows. HNSW-SQ over l2: on unit vectors it agrees with exact search;
 * built with `dot` it does not.
 */
async function ensureVectorIndex(table: Table, rows: number): Promise<void> {
  if (rows < VECTOR_INDEX_ROWS || (await hasVectorIndex(table))) return;
  await table.createIndex('vector', {
    config: Index.hnswSq({ distanceType: 'l2', numPartitions: 1, efConstruction: BUILD_WIDTH }),
  });
}

async function hasVectors(table: Table): Promise<boolean> {
  return (await table.schema()).fields.some(({ name }) => name === 'vector');
}

/** Whether vector search may go through an index. */
export async function hasVectorIndex(table: Table): Promise<boolean> {
  return (await table.listIndices()).some((index) => index.columns.includes('vector'));
}

/**
 * Folds small fragments together, drops old versions and brings indexes up to date, when that is worth it.
 * @returns whether anything was done
 */
export async function tidy(table: Table): Promise<boolean> {
  const { numRows, fragmentStats } = await table.stats();
  const versions = (await table.listVersions()).length;
  const behind = (await table.listIndices()).reduce(
    (most, index) => Math.max(most, Number(index.numUnindexedRows ?? 0)),
    0,
  );
  const due =
    versions > VERSIONS_MAX ||
    fragmentStats.numFragments > FRAGMENTS_MAX ||
    behind > numRows * UNINDEXED_SHARE;
  if (due) await fold(table);
  const missing = numRows >= VECTOR_INDEX_ROWS && (await hasVectors(table)) && !(await hasVectorIndex(table));
  if (missing) await ensureVectorIndex(table, numRows);
  return due || missing;
}

/** Compacts, and deletes every version but the present one. */
async function fold(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date() });
}

/**
 * Makes deleted rows unreadable on disk, not merely unreachable. Compaction leaves a fragment alone while few of its
 * rows are gone, and indexes keep the words and vectors of deleted rows; so what is left is written into new fragments
 * (natively, without passing through this process), indexes are built anew, and older files are removed. The vector
 * index is dropped and comes back with the next `tidy`: until then vector search is exact, and slower.
 */
export async function purge(table: Table, build = buildIndexes): Promise<void> {
  const indexes = await table.listIndices();
  for (const index of indexes) await table.dropIndex(index.name);
  await table.update({ where: 'true', valuesSql: { startMs: 'startMs' } });
  await build(table);
  await fold(table);
}
