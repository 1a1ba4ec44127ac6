import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeArrowTable } from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import { buildIndexes } from './maintenance.ts';
import { episodesSchema } from './schema.ts';
import { closeTables, openTables } from './tables.ts';

describe('the store on a small machine', () => {
  it('builds its full-text index over many rows and comes to an end', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'footnote-threads-'));
    const tables = await openTables(dir, { name: 'none', dims: 1 });
    // On one thread this many rows of this length never ended.
    const rows = Array.from({ length: 50_000 }, (_, n) => ({
      id: `e${n}`,
      recordingId: 'r',
      day: '2026-07-01',
      startMs: n,
      endMs: n + 1,
      searchText: Array.from({ length: 60 }, (_, k) => `word${(n * 31 + k * k * 17) % 40_000}`).join(' '),
      body: '{}',
      vector: null,
    }));
    await tables.episodes.add(makeArrowTable(rows, { schema: episodesSchema(1) }));
    await buildIndexes(tables.episodes);
    const text = (await tables.episodes.listIndices()).find((index) => index.columns.includes('searchText'));
    expect(text?.numIndexedRows).toBe(rows.length);
    closeTables(tables);
    rmSync(dir, { recursive: true });
  });
});
