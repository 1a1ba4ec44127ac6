import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStaticEmbedder } from '../../../models/embedding/static-embedder.ts';
import type { Episode } from '../../contract/index.ts';
import { type LanceMemory, openMemory } from '../lance-memory.ts';
import { moveEpisodes } from '../move-episodes.ts';
import { episodeAt, NINE, SEGMENT_MS } from '../testing/episodes.ts';
import { ViewMemory } from '../views/in-memory.ts';
import { LEVELS } from '../views/levels.ts';
import type { ContextView } from '../views/view.ts';

const embedder = await createStaticEmbedder();
const searchText = (episode: Episode): string => episode.text;
const DAY_MS = 86_400_000;
const LATER = NINE + 30 * DAY_MS;

let dir: string;
let memory: LanceMemory;
const problems: unknown[] = [];
const open = () =>
  openMemory({ dir, embedder, searchText, onProblem: (problem) => problems.push(problem.error) });

beforeEach(async () => {
  problems.length = 0;
  dir = mkdtempSync(path.join(tmpdir(), 'footnote-cells-'));
  memory = await open();
});
afterEach(async () => {
  await memory.close();
  rmSync(dir, { recursive: true });
  expect(problems).toEqual([]);
});

const TEXTS = ['I wash the blue bowl in the kitchen.', 'I cut an onion.', 'I read a letter from the bank.'];
const hour = Array.from({ length: 60 }, (_, n) => episodeAt(NINE + n * SEGMENT_MS, TEXTS[n % 3]!));
const span = { startMs: NINE - DAY_MS, endMs: LATER };

async function stored(of: LanceMemory, nowMs = LATER, wearer = 'me'): Promise<ContextView[]> {
  const all = await Promise.all(LEVELS.map((level) => of.cells.views({ level, span, nowMs, wearer })));
  return all.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function anew(episodes: readonly Episode[]): Promise<ContextView[]> {
  const views = new ViewMemory();
  await views.change(episodes);
  return views.all().sort((a, b) => (a.id < b.id ? -1 : 1));
}

const filesWith = (text: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes(text));

describe('views in the library', () => {
  it('are those of its episodes after every write, move and deletion, and after it is opened again', async () => {
    await memory.putEpisodes(hour.slice(20, 40));
    await memory.putEpisodes(hour.slice(0, 20));
    expect(await stored(memory)).toEqual(await anew(hour.slice(0, 40)));
    await memory.deleteEpisodes(hour.slice(5, 9).map(({ id }) => id));
    const left = hour.slice(0, 40).filter((_, n) => n < 5 || n >= 9);
    expect(await stored(memory)).toEqual(await anew(left));
    await moveEpisodes(memory, hour[0]!.recordingId, { deltaMs: 47 * 60_000 });
    const moved = left.map((one) => ({
      ...one,
      startMs: one.startMs + 47 * 60_000,
      endMs: one.endMs + 47 * 60_000,
    }));
    expect(await stored(memory)).toEqual(await anew(moved));
    await memory.close();
    memory = await open();
    expect(await stored(memory)).toEqual(await anew(moved));
    expect(memory.cells.complete).toBe(true);
  });

  it('at an instant hold nothing that had not ended, and all that had', async () => {
    await memory.putEpisodes(hour);
    const nowMs = NINE + 17 * 60_000 + 10_000;
    expect(await stored(memory, nowMs)).toEqual(await anew(hour.filter(({ endMs }) => endMs <= nowMs)));
  });

  it('are each wearer’s own', async () => {
    const annas = hour.slice(0, 3).map((one) => ({ ...one, id: `anna-${one.index}`, wearer: 'anna' }));
    await memory.putEpisodes([...hour.slice(0, 6), ...annas]);
    expect(await stored(memory, LATER, 'anna')).toEqual(await anew(annas));
  });

  it('of a library older than they are, are built by maintenance', async () => {
    await memory.putEpisodes([...hour, episodeAt(NINE + DAY_MS, 'I swim.')]);
    await memory.close();
    const connection = await connect(dir);
    for (const name of await connection.tableNames()) {
      if (/^(?:views|mentions|facts)_/.test(name)) await connection.dropTable(name);
    }
    rmSync(path.join(dir, 'cells.json'));
    memory = await open();
    expect(memory.cells.complete).toBe(false);
    expect(await stored(memory)).toEqual([]);
    await memory.maintain();
    expect(memory.cells.complete).toBe(true);
    expect(await stored(memory)).toEqual(await anew([...hour, episodeAt(NINE + DAY_MS, 'I swim.')]));
  });

  it('that a kill left behind are made up by maintenance', async () => {
    await memory.putEpisodes(hour);
    await memory.close();
    const connection = await connect(dir);
    const views = await connection.openTable('views_1');
    await views.delete(`startMs < ${NINE + 600_000}`);
    const file = path.join(dir, 'cells.json');
    const windows = [0, 3, 6, 9].map((minute) => ({ wearer: 'me', windowMs: NINE + minute * 60_000 }));
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), pending: windows }));
    memory = await open();
    await memory.maintain();
    expect(await stored(memory)).toEqual(await anew(hour));
  });

  it('and graphs leave nothing of what is forgotten on disk', async () => {
    const secret = episodeAt(NINE + 90_000, 'Zyzzyva hands the xylorimba to Quentin.', {
      objects: ['xylorimba'],
    });
    await memory.putEpisodes([...hour.filter(({ id }) => id !== secret.id), secret]);
    await memory.cells.correct({
      what: 'identify',
      person: 'person::xylorimba player',
      episodeIds: [secret.id],
      recordingId: null,
    });
    await memory.maintain();
    expect(filesWith('xylorimba').length).toBeGreaterThan(0);
    await memory.deleteEpisodes([secret.id]);
    expect(filesWith('xylorimba')).toEqual([]);
  });

  it('take up another embedder’s vectors', async () => {
    await memory.putEpisodes(hour);
    const other = {
      name: 'other-1',
      dims: 64,
      embed: async (...args: Parameters<typeof embedder.embed>) =>
        (await embedder.embed(...args)).map((vector) => {
          const cut = vector.slice(0, 64);
          const length = Math.hypot(...cut);
          return cut.map((value) => value / length);
        }),
    };
    await memory.reembed({ embedder: other });
    expect(await stored(memory)).toEqual(await anew(hour));
    const { views } = await memory.cells.retrieve({ question: 'When did I wash the bowl?', nowMs: LATER });
    expect(views.length).toBeGreaterThan(0);
  });
});

describe('retrieval over the library', () => {
  const days = [0, 1, 2].flatMap((day) =>
    Array.from({ length: 12 }, (_, n) =>
      episodeAt(
        NINE + day * DAY_MS + n * SEGMENT_MS,
        n === 5 ? 'I drink coffee on the balcony.' : TEXTS[n % 3]!,
      ),
    ),
  );

  it('finds the events, the views above them and the habit, as of the instant', async () => {
    await memory.putEpisodes(days);
    const ask = (nowMs: number) => memory.cells.retrieve({ question: 'When do I drink coffee?', nowMs });
    const now = await ask(LATER);
    const coffee = new Set(days.filter(({ text }) => text.includes('coffee')).map(({ id }) => id));
    expect(new Set(now.ranked.slice(0, 3).map(({ episodeId }) => episodeId))).toEqual(coffee);
    expect(now.facts[0]).toMatchObject({ text: 'I drink coffee', support: 3, days: 3 });
    expect(now.views.length).toBeGreaterThan(0);
    const before = await ask(NINE + 2 * DAY_MS);
    expect(before.facts[0]).toMatchObject({ support: 2, days: 2 });
    expect(before.ranked.every(({ endMs }) => endMs <= NINE + 2 * DAY_MS)).toBe(true);
    expect(before.views.every(({ endMs }) => endMs <= NINE + 2 * DAY_MS)).toBe(true);
    expect((await ask(NINE - 1)).ranked).toEqual([]);
  });

  it('knows the names a person gave, until they are taken back', async () => {
    await memory.putEpisodes([0, 1, 2].map((day) => episodeAt(NINE + day * DAY_MS, 'I call Tasha.')));
    const facts = async () =>
      (await memory.cells.retrieve({ question: 'How often do I call Natasha?', nowMs: LATER })).facts;
    expect(await facts()).toEqual([]);
    const said = await memory.cells.correct({ what: 'rename', key: 'person::tasha', to: 'person::natasha' });
    expect((await facts())[0]).toMatchObject({ text: 'I call natasha', support: 3 });
    await memory.close();
    memory = await open();
    expect(await memory.cells.corrections()).toEqual([said]);
    await memory.cells.takeBack(said.id);
    expect(await facts()).toEqual([]);
    await expect(memory.cells.takeBack(said.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const nonsense = { what: 'rename', key: 'nobody', to: '' } as unknown as never;
    await expect(memory.cells.correct(nonsense)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
