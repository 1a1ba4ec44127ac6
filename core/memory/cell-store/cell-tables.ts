import { type Connection, Index, makeArrowTable, type Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { purge, textIndex } from '../maintenance.ts';
import type { EmbedderIdentity } from '../manifest.ts';
import { TEXT_COLUMN } from '../schema.ts';
import { CELL_INDEXES, factsSchema, mentionsSchema, viewsSchema } from './cell-schema.ts';

export type CellTable = keyof typeof CELL_INDEXES;
export const CELL_TABLES = ['views', 'mentions', 'facts'] as const satisfies readonly CellTable[];

/** Names of the tables of cells, of any generation. */
export const CELL_TABLE_NAME = /^(?:views|mentions|facts)_\d+$/;

export type CellTables = Record<CellTable, Table>;

export const schemaOf = (table: CellTable, dims: number): Schema =>
  table === 'views' ? viewsSchema(dims) : table === 'mentions' ? mentionsSchema() : factsSchema();

const nameOf = (table: CellTable, generation: number): string => `${table}_${generation}`;

/** Builds a table's indexes anew, from the present rows alone. */
export async function buildCellIndexes(name: CellTable, table: Table): Promise<void> {
  if (name === 'views') await table.createIndex(TEXT_COLUMN, { config: textIndex() });
  for (const column of CELL_INDEXES[name]) await table.createIndex(column, { config: Index.btree() });
}

/** Empty tables of a generation, in place of any of that number. */
export async function createCellTables(
  connection: Connection,
  generation: number,
  { dims }: EmbedderIdentity,
): Promise<CellTables> {
  const made = await Promise.all(
    CELL_TABLES.map(async (name) => {
      const table = await connection.createEmptyTable(nameOf(name, generation), schemaOf(name, dims), {
        mode: 'overwrite',
      });
      await buildCellIndexes(name, table);
      return [name, table] as const;
    }),
  );
  return Object.fromEntries(made) as CellTables;
}

/** The tables of a generation; null when one of them is not there. */
export async function openCellTables(connection: Connection, generation: number): Promise<CellTables | null> {
  const names = await connection.tableNames();
  if (!CELL_TABLES.every((name) => names.includes(nameOf(name, generation)))) return null;
  const opened = await Promise.all(
    CELL_TABLES.map(async (name) => [name, await connection.openTable(nameOf(name, generation))] as const),
  );
  return Object.fromEntries(opened) as CellTables;
}

/** Drops every table of cells but those of a generation. */
export async function dropOtherCells(connection: Connection, generation: number | null): Promise<void> {
  for (const name of await connection.tableNames()) {
    if (CELL_TABLE_NAME.test(name) && !name.endsWith(`_${generation}`)) await connection.dropTable(name);
  }
}

/** Adds rows; none is one commit less. */
export async function addRows(
  name: CellTable,
  table: Table,
  rows: readonly Record<string, unknown>[],
  dims: number,
): Promise<void> {
  if (rows.length === 0) return;
  await table.add(makeArrowTable(rows as Record<string, unknown>[], { schema: schemaOf(name, dims) }));
}

/** Makes deleted rows unreadable on disk. */
export async function purgeCells(tables: CellTables): Promise<void> {
  for (const name of CELL_TABLES) await purge(tables[name], (table) => buildCellIndexes(name, table));
}
