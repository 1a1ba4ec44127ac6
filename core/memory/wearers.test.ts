import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import { type Episode, Wearer, wearerId } from '../contract/index.ts';
import { openMemory } from './lance-memory.ts';
import { WEARER_COLUMN } from './schema.ts';
import { episodeAt, NINE, SEGMENT_MS } from './testing/episodes.ts';

const embedder = await createStaticEmbedder();
const searchText = (episode: Episode): string => episode.text;
const LATER = NINE + 86_400_000;
const DAY = { startMs: NINE, endMs: LATER };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'footnote-wearers-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const open = (change: Partial<Parameters<typeof openMemory>[0]> = {}) =>
  openMemory({ dir, embedder, searchText, ...change });
const mine = episodeAt(NINE, 'I water the plants.');
const annas = episodeAt(NINE + SEGMENT_MS, 'I water the horses.', {}, { wearer: 'anna' });

describe('whose a memory is', () => {
  it('finds and fetches one wearer’s episodes, everybody’s when none is named', async () => {
    const memory = await open();
    await memory.putEpisodes([mine, annas]);
    const search = async (wearer?: string) =>
      (
        await memory.search({
          query: 'water',
          timeAnchor: null,
          topK: 32,
          nowMs: LATER,
          ...(wearer ? { wearer } : {}),
        })
      ).map(({ episode }) => episode.id);
    expect(await search('anna')).toEqual([annas.id]);
    expect(await search('me')).toEqual([mine.id]);
    expect(await search('nobody')).toEqual([]);
    expect(await search()).toEqual([mine.id, annas.id]);
    const fetched = await memory.fetch({ timeAnchor: DAY, limit: 64, nowMs: LATER, wearer: 'anna' });
    expect(fetched).toEqual({ episodes: [annas], more: 0 });
    await memory.close();
  });

  it('takes everything in an older library for its person’s own, before and after it is opened to be written', async () => {
    const first = await open();
    await first.putEpisodes([mine]);
    await first.close();
    const connection = await connect(dir);
    const table = await connection.openTable('episodes');
    await table.dropColumns([WEARER_COLUMN]);
    table.close();
    const count = async (readOnly: boolean, wearer: string) => {
      const memory = await open({ readOnly });
      const { episodes } = await memory.fetch({ timeAnchor: DAY, limit: 64, nowMs: LATER, wearer });
      await memory.close();
      return episodes.length;
    };
    expect([await count(true, 'me'), await count(true, 'anna')]).toEqual([1, 0]);
    const again = await open();
    await again.putEpisodes([annas]);
    await again.close();
    expect([await count(false, 'me'), await count(true, 'anna')]).toEqual([1, 1]);
  });
});

describe('a wearer’s id', () => {
  it.each([
    ['Anna', 'anna'],
    ['  Anna Maria ', 'anna-maria'],
    ['Zoë', 'zoë'],
    ['李雷', '李雷'],
    ['', null],
    ['../etc', null],
    ["'; drop", null],
    ['x'.repeat(41), null],
  ])('of %j is %j', (name, id) => {
    expect(wearerId(name)).toBe(id);
    if (id) expect(Wearer.parse(id)).toBe(id);
  });
});
