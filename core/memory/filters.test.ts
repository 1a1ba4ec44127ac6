import { connect } from '@lancedb/lancedb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allOf, anyOf, equals, FILTER_LIST_MAX, overlaps, sqlNumber, sqlText } from './filters.ts';

describe('filters', () => {
  it('find exactly the row whose text they were given, whatever it holds', async () => {
    const connection = await connect('memory://');
    const texts = fc.sample(fc.string({ unit: 'grapheme', minLength: 1 }), { numRuns: 60, seed: 7 });
    const odd = [
      "O'Brien",
      "' OR '1'='1",
      "''",
      "\\'",
      '%_',
      '"id"',
      '--',
      '/*',
      ';',
      'día 日本',
      '$1',
      '{}',
    ];
    const names = [...new Set([...texts, ...odd])].filter((text) => !text.includes('\0'));
    const table = await connection.createTable(
      'rows',
      names.map((name, n) => ({ n, name })),
    );
    for (const name of names) {
      const rows = (await table.query().where(equals('name', name)).toArray()) as { name: string }[];
      expect(rows.map((row) => row.name)).toEqual([name]);
    }
    const [piece] = anyOf('name', odd);
    expect(await table.countRows(piece!)).toBe(odd.length);
    connection.close();
  });

  it('cut long lists into pieces and drop duplicates', () => {
    const ids = Array.from({ length: FILTER_LIST_MAX + 1 }, (_, n) => `a${n}`);
    expect(anyOf('id', [...ids, ...ids])).toHaveLength(2);
    expect(anyOf('id', [])).toEqual([]);
  });

  it('refuse numbers that compare with nothing, and zero bytes', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => sqlNumber(bad)).toThrow(/finite/);
    expect(() => overlaps({ startMs: Number.NaN, endMs: 1 })).toThrow(/finite/);
    expect(() => sqlText('a\0')).toThrow(/zero byte/);
  });

  it('join with AND, leaving out what is null', () => {
    expect(allOf('a = 1', null, 'b = 2')).toBe('(a = 1) AND (b = 2)');
    expect(allOf(null)).toBe('');
  });
});
