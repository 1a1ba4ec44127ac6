import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import type { Episode, Recording } from '../contract/index.ts';
import { type LanceMemory, openMemory } from './lance-memory.ts';
import type { MemoryProblem } from './reader.ts';

const NINE = Date.UTC(2026, 6, 1, 9);
const LATER = NINE + 365 * 86_400_000;
const SEGMENT_MS = 30_000;

const embedder = await createStaticEmbedder();
const searchText = (episode: Episode): string => episode.text;

function episode(n: number, text: string, change: Partial<Episode> = {}): Episode {
  const startMs = NINE + n * SEGMENT_MS;
  return {
    id: `f000000000000000000000000-${String(n).padStart(4, '0')}`,
    recordingId: 'r000000000000000000000000',
    chapterId: 'f000000000000000000000000',
    index: n,
    startMs,
    endMs: startMs + SEGMENT_MS,
    zone: 'UTC',
    text,
    record: {
      caption: text,
      transcript: [],
      visibleText: [],
      actions: [],
      objects: [],
      topics: [],
      scenes: [],
      entities: [],
      claims: [],
      people: 0,
      place: null,
    },
    keyframes: [],
    clip: null,
    writer: { name: 'test', version: '1' },
    ...change,
  };
}

function recording(id: string, name: string): Recording {
  return {
    id,
    name,
    family: 'gopro',
    camera: null,
    takeKey: name,
    startMs: NINE,
    endMs: NINE + SEGMENT_MS,
    clock: { startMs: NINE, zone: 'UTC', basis: 'gps', uncertain: false, note: '' },
    chapters: [
      {
        id: 'f000000000000000000000000',
        number: 1,
        path: `${name}.MP4`,
        proxyPath: null,
        bytes: 1,
        startMs: NINE,
        durationMs: SEGMENT_MS,
        gapBeforeMs: 0,
      },
    ],
    hasSound: true,
    notes: [],
    importedAtMs: NINE,
  };
}

/** The same vectors in another order: a real, different embedding of another length. */
function otherEmbedder(): TextEmbedder {
  return {
    name: 'other-1',
    dims: 128,
    embed: async (texts, kind, signal) =>
      (await embedder.embed(texts, kind, signal)).map((vector) => {
        const half = vector.slice(0, 128);
        const length = Math.hypot(...half);
        return half.map((value) => value / length);
      }),
  };
}

const DAY = [
  episode(0, 'I make coffee in the kitchen and drink it standing.'),
  episode(1, 'I walk to the bakery on Mill Street. A sign reads FRESH BREAD.'),
  episode(2, 'Maria says the train to Kraków leaves at noon.'),
  episode(3, 'I repair my bicycle in the garage; the chain had come off.'),
  episode(4, 'I sit in a café and read the menu.'),
];

let dir: string;
let memory: LanceMemory;
let problems: MemoryProblem[];

async function open(change: Partial<Parameters<typeof openMemory>[0]> = {}): Promise<LanceMemory> {
  return openMemory({ dir, embedder, searchText, onProblem: (problem) => problems.push(problem), ...change });
}

const search = (of: LanceMemory, query: string, change = {}) =>
  of.search({ query, timeAnchor: null, topK: 32, nowMs: LATER, ...change });

/** The id of the best result. */
async function best(of: LanceMemory, query: string): Promise<string | undefined> {
  const found = await search(of, query);
  return found.sort((a, b) => b.score - a.score)[0]?.episode.id;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

beforeEach(async () => {
  dir = path.join(mkdtempSync(path.join(tmpdir(), 'footnote-memory-')), 'memory');
  problems = [];
  memory = await open();
});

afterEach(async () => {
  await memory.close();
  rmSync(path.dirname(dir), { recursive: true, force: true });
});

describe('an empty memory', () => {
  it('answers every question with nothing', async () => {
    expect(await search(memory, 'coffee')).toEqual([]);
    expect(await memory.fetch({ timeAnchor: { startMs: 0, endMs: LATER }, limit: 64, nowMs: LATER })).toEqual(
      {
        episodes: [],
        more: 0,
      },
    );
    expect(await memory.days()).toEqual([]);
    expect(await memory.extent()).toBeNull();
    expect(await memory.listRecordings()).toEqual([]);
    expect(await memory.getEpisode('f-none')).toBeNull();
    expect(await memory.count()).toEqual({ episodes: 0, recordings: 0 });
    await memory.maintain();
    await memory.deleteEpisodes(['f-none']);
    await memory.putEpisodes([]);
  });

  it('opened for reading before it exists reads as empty and leaves no trace on disk', async () => {
    const nowhere = path.join(dir, 'not-yet');
    const reader = await open({ dir: nowhere, readOnly: true });
    expect(await search(reader, 'coffee')).toEqual([]);
    await expect(reader.putEpisodes(DAY)).rejects.toMatchObject({ code: 'LIBRARY_BUSY' });
    await reader.close();
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe('search', () => {
  it('finds the only episode there is', async () => {
    await memory.putEpisodes([DAY[0]!]);
    expect(await best(memory, 'Where did I drink coffee?')).toBe(DAY[0]!.id);
  });

  it('finds by word, by word form, with and without accents, and by meaning', async () => {
    await memory.putEpisodes(DAY);
    expect(await best(memory, 'What did the sign at the bakery say?')).toBe(DAY[1]!.id);
    expect(await best(memory, 'repairing bicycles')).toBe(DAY[3]!.id);
    expect(await best(memory, 'krakow')).toBe(DAY[2]!.id);
    expect(await best(memory, 'cafe')).toBe(DAY[4]!.id);
    expect(await best(memory, 'fixing a bike')).toBe(DAY[3]!.id);
  });

  it('returns results in time order, each score in (0, 1]', async () => {
    await memory.putEpisodes([...DAY].reverse());
    const found = await search(memory, 'I read the menu in the café');
    expect(found.map((hit) => hit.episode.id)).toEqual(DAY.map((e) => e.id));
    for (const hit of found) {
      expect(hit.score).toBeGreaterThan(0);
      expect(hit.score).toBeLessThanOrEqual(1);
    }
  });

  it('tells that no word matched, and how near the nearest meaning is', async () => {
    await memory.putEpisodes(DAY);
    const absent = await search(memory, 'xylophone');
    expect(absent.every((hit) => hit.textScore === null)).toBe(true);
    const present = await search(memory, 'coffee');
    const hit = present.find((found) => found.episode.id === DAY[0]!.id);
    expect(hit?.textScore).toBeGreaterThan(0);
    expect(hit?.cosine).toBeGreaterThan(Math.max(...absent.map((found) => found.cosine ?? -1)));
  });

  it.each([
    '"unclosed (AND OR) NOT *:^~ +- \\ / [] {}',
    "'; DROP TABLE episodes; --",
    'the of and',
    '   ',
    '日本語 Привет 🙂',
    `\0 ${'very long '.repeat(400)}`,
  ])('takes any text as words: %j', async (query) => {
    await memory.putEpisodes(DAY);
    expect((await search(memory, query)).length).toBeLessThanOrEqual(DAY.length);
    expect(problems).toEqual([]);
  });

  it('returns at most topK', async () => {
    await memory.putEpisodes(DAY);
    expect(await search(memory, 'coffee', { topK: 2 })).toHaveLength(2);
  });

  it('reads nothing that ended after the question was asked, nor outside the span, and filters before it ranks', async () => {
    const noise = Array.from({ length: 300 }, (_, n) => episode(n, `I drink coffee number ${n}.`));
    const rare = episode(400, 'I see a tree.');
    await memory.putEpisodes([...noise, rare]);
    const early = await search(memory, 'coffee', { nowMs: NINE + 2 * SEGMENT_MS });
    expect(early.map((hit) => hit.episode.index)).toEqual([0, 1]);
    const span = { startMs: rare.startMs + 1000, endMs: rare.startMs + 2000 };
    const anchored = await search(memory, 'coffee', { timeAnchor: span });
    expect(anchored.map((hit) => hit.episode.id)).toEqual([rare.id]);
    expect(await search(memory, 'coffee', { timeAnchor: { startMs: 5, endMs: 5 } })).toEqual([]);
  });

  it('goes on by words when the embedding fails, and says so', async () => {
    await memory.putEpisodes(DAY);
    const failing = await open({
      embedder: { ...embedder, embed: () => Promise.reject(new Error('model gone')) },
    });
    expect(await best(failing, 'coffee')).toBe(DAY[0]!.id);
    expect(problems.map((problem) => problem.what)).toEqual(['embedding-failed']);
    await failing.close();
  });
});

describe('fetch', () => {
  it('returns the earliest of a span and counts the others', async () => {
    await memory.putEpisodes(Array.from({ length: 70 }, (_, n) => episode(69 - n, `Step ${n}.`)));
    const all = await memory.fetch({ timeAnchor: { startMs: NINE, endMs: LATER }, limit: 64, nowMs: LATER });
    expect(all.episodes.map((e) => e.index)).toEqual(Array.from({ length: 64 }, (_, n) => n));
    expect(all.more).toBe(6);
    const clipped = await memory.fetch({
      timeAnchor: { startMs: NINE, endMs: LATER },
      limit: 64,
      nowMs: NINE + 3 * SEGMENT_MS,
    });
    expect(clipped).toMatchObject({ more: 0 });
    expect(clipped.episodes).toHaveLength(3);
  });
});

describe('writing', () => {
  it('replaces an episode of the same id, also twice within one batch', async () => {
    await memory.putEpisodes(DAY);
    await memory.putEpisodes(DAY);
    await memory.putEpisodes([episode(0, 'first'), episode(0, 'I water the tomatoes.')]);
    expect((await memory.count()).episodes).toBe(DAY.length);
    expect((await memory.getEpisode(DAY[0]!.id))?.text).toBe('I water the tomatoes.');
    expect(await best(memory, 'tomatoes')).toBe(DAY[0]!.id);
  });

  it('keeps parallel writes apart', async () => {
    await Promise.all(DAY.map((one) => memory.putEpisodes([one])));
    expect((await memory.count()).episodes).toBe(DAY.length);
  });

  it('shows new rows to a second handle at once', async () => {
    const reader = await open({ readOnly: true });
    expect(await search(reader, 'coffee')).toEqual([]);
    await memory.putEpisodes(DAY);
    expect(await best(reader, 'coffee')).toBe(DAY[0]!.id);
    await memory.deleteEpisodes([DAY[0]!.id]);
    expect(await reader.getEpisode(DAY[0]!.id)).toBeNull();
    expect((await reader.days())[0]?.episodes).toBe(DAY.length - 1);
    await reader.close();
  });

  it('returns what was stored, numbers as numbers', async () => {
    await memory.putEpisodes(DAY);
    const stored = await memory.getEpisode(DAY[1]!.id);
    expect(stored).toEqual(DAY[1]);
    const everything = [await search(memory, 'coffee'), await memory.days(), await memory.extent()];
    expect(JSON.parse(JSON.stringify(everything))).toEqual(everything);
  });

  it.each([
    ['an empty vector', []],
    ['one that is too short', [1, 0]],
    ['one that is not of unit length', Array.from({ length: embedder.dims }, () => 1)],
    ['a zero vector', Array.from({ length: embedder.dims }, () => 0)],
    ['one with NaN', Array.from({ length: embedder.dims }, (_, i) => (i === 0 ? Number.NaN : 0))],
  ])('refuses %s from the embedder and stores nothing', async (_, vector) => {
    const bad = await open({
      embedder: { ...embedder, embed: async (texts) => texts.map(() => Float32Array.from(vector)) },
    });
    await expect(bad.putEpisodes(DAY)).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    expect((await bad.count()).episodes).toBe(0);
    await bad.close();
  });

  it('keeps episodes whose embedding failed, finds them by words, and embeds them when it can', async () => {
    let broken = true;
    const failing = await open({
      embedder: {
        ...embedder,
        embed: (...all) => (broken ? Promise.reject(new Error('model gone')) : embedder.embed(...all)),
      },
    });
    await failing.putEpisodes(DAY);
    await failing.maintain();
    expect(problems.map(({ what }) => what)).toContain('embedding-failed');
    expect((await search(failing, 'coffee')).map((hit) => hit.cosine)).toEqual([null]);
    broken = false;
    await failing.maintain();
    expect(await best(failing, 'fixing a bike')).toBe(DAY[3]!.id);
    await failing.close();
  });

  it.each([
    ['an id from outside the alphabet', { id: "x' OR '1'='1" }],
    ['a time that is none', { startMs: Number.NaN }],
    ['an end before the start', { endMs: NINE - 1 }],
  ])('refuses an episode with %s', async (_, change) => {
    await expect(memory.putEpisodes([episode(0, 'x', change)])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('goes on writing after a write that failed', async () => {
    await expect(memory.putEpisodes([episode(0, 'x', { id: '' })])).rejects.toThrow();
    await memory.putEpisodes(DAY);
    expect((await memory.count()).episodes).toBe(DAY.length);
  });
});

describe('hostile ids', () => {
  const hostile = ["zz' OR '1'='1", "'; DELETE FROM episodes; --", '%', '_', "O'Brien", 'a\\', '"', ''];

  it('match nothing and delete nothing', async () => {
    await memory.putEpisodes(DAY);
    await memory.putRecording(recording('r000000000000000000000000', "O'Brien's walk"));
    for (const id of hostile) {
      expect(await memory.getEpisode(id)).toBeNull();
      expect(await memory.getRecording(id)).toBeNull();
      expect(await memory.episodesOfRecording(id)).toEqual([]);
      expect((await memory.episodesOfDay(id, null, 10)).episodes).toEqual([]);
    }
    expect(await memory.existing(hostile)).toEqual(new Set());
    await memory.deleteEpisodes(hostile);
    await memory.deleteRecordings(hostile);
    expect(await memory.count()).toEqual({ episodes: DAY.length, recordings: 1 });
    await expect(memory.getEpisode('a\0b')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('days', () => {
  it('are those of each episode’s own zone, and page through without a gap', async () => {
    const warsaw = Array.from({ length: 5 }, (_, n) =>
      episode(n, `Night ${n}`, {
        startMs: Date.UTC(2026, 6, 1, 21, 59) + n * SEGMENT_MS,
        endMs: Date.UTC(2026, 6, 1, 21, 59) + (n + 1) * SEGMENT_MS,
        zone: 'Europe/Warsaw',
      }),
    );
    await memory.putEpisodes(warsaw);
    expect((await memory.days()).map(({ day, episodes, seconds }) => [day, episodes, seconds])).toEqual([
      ['2026-07-01', 2, 60],
      ['2026-07-02', 3, 90],
    ]);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await memory.episodesOfDay('2026-07-02', after, 2);
      seen.push(...page.episodes.map((e) => e.id));
      after = page.next;
    } while (after);
    expect(seen).toEqual(warsaw.slice(2).map((e) => e.id));
    await expect(memory.episodesOfDay('2026-07-02', 'f-gone', 2)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await memory.extent()).toEqual({ startMs: warsaw[0]!.startMs, endMs: warsaw[4]!.endMs });
  });

  it('spans and recordings give their episodes in time order', async () => {
    await memory.putEpisodes([...DAY].reverse());
    const span = { startMs: NINE + SEGMENT_MS, endMs: NINE + 3 * SEGMENT_MS };
    expect((await memory.episodesInSpan(span)).map((e) => e.index)).toEqual([1, 2]);
    expect((await memory.episodesOfRecording(DAY[0]!.recordingId)).map((e) => e.index)).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });
});

describe('recordings', () => {
  it('are kept, replaced and deleted', async () => {
    const one = recording('r000000000000000000000001', 'GX010001');
    await memory.putRecording(one);
    await memory.putRecording({ ...one, name: 'Holiday' });
    expect((await memory.listRecordings()).map((r) => r.name)).toEqual(['Holiday']);
    await memory.deleteRecordings([one.id]);
    expect(await memory.getRecording(one.id)).toBeNull();
  });
});

describe('deleting', () => {
  it('leaves no file that held the deleted text, and nothing to find it by', async () => {
    const many = Array.from({ length: 200 }, (_, n) => episode(n, `Ordinary moment number ${n}.`));
    const secret = episode(300, 'The canary word is Zyzzyvaquux.');
    await memory.putEpisodes([...many, secret]);
    // A version of it that was replaced before it was forgotten must go as well.
    await memory.putEpisodes([{ ...secret, text: 'The canary word is still Zyzzyvaquux.' }]);
    await memory.maintain();
    const before = new Set(
      filesUnder(dir).filter((file) => /\.lance\/(data|_indices|_deletions)\//.test(file)),
    );
    await memory.deleteEpisodes([secret.id]);
    const after = filesUnder(dir);
    expect(after.filter((file) => before.has(file))).toEqual([]);
    const holding = after.filter((file) =>
      readFileSync(file).toString('latin1').toLowerCase().includes('zyzzyvaq'),
    );
    expect(holding).toEqual([]);
    expect((await search(memory, 'Zyzzyvaquux')).every((hit) => hit.textScore === null)).toBe(true);
    expect((await memory.count()).episodes).toBe(many.length);
    expect(await best(memory, 'moment 150')).toBe(many[150]!.id);
  });
});

describe('maintenance', () => {
  it('keeps versions and files few after many small writes', async () => {
    for (let n = 0; n < 60; n++) await memory.putEpisodes([episode(n, `Moment ${n} with coffee.`)]);
    const scattered = filesUnder(dir).length;
    await memory.maintain();
    const folded = filesUnder(dir).length;
    // Of episodes, views, mentions and facts: a few indexes of a few files each, one fragment, one version.
    expect(folded).toBeLessThan(110);
    expect(folded).toBeLessThan(scattered / 3);
    expect((await memory.count()).episodes).toBe(60);
    expect((await search(memory, 'coffee')).length).toBe(32);
    const touched = () => Math.max(...filesUnder(dir).map((file) => statSync(file).mtimeMs));
    const last = touched();
    await memory.maintain();
    expect(touched()).toBe(last);
  });

  it('finds a word that is said more often than there are episodes, once an import has ended', async () => {
    await memory.putEpisodes([
      episode(0, 'Zanzibar, Zanzibar, says the poster.'),
      episode(1, 'The ferry to Zanzibar leaves Zanzibar at noon.'),
      episode(2, 'I buy bread.'),
    ]);
    await memory.maintain();
    const found = await memory.search({ query: 'Zanzibar', timeAnchor: null, topK: 8, nowMs: LATER });
    const byWord = found.filter(({ textScore }) => typeof textScore === 'number' && textScore > 0);
    expect(byWord.map((hit) => hit.episode.index)).toEqual([0, 1]);
  });

  it('keeps searching by words over a damaged vector, and repairs it', async () => {
    await memory.putEpisodes(DAY);
    const table = await (await connect(dir)).openTable('episodes');
    const { startMs, endMs, recordingId } = DAY[0]!;
    const torn = episode(9, 'I feed the ducks.');
    const row = {
      recordingId,
      day: '2026-07-01',
      startMs,
      endMs,
      searchText: torn.text,
      body: JSON.stringify(torn),
    };
    await table.add([{ ...row, id: torn.id, vector: [] }]);
    expect(await best(memory, 'coffee')).toBe(DAY[0]!.id);
    expect(problems.map((problem) => problem.what)).toContain('vector-search-failed');
    await memory.maintain();
    problems.length = 0;
    const found = await search(memory, 'ducks');
    expect(found.find((hit) => hit.episode.id === torn.id)?.cosine).toBeGreaterThan(0.2);
    expect(problems).toEqual([]);
  });
});

describe('another embedder', () => {
  it('searches by words until the library is embedded anew, and takes in what is written meanwhile', async () => {
    await memory.putEpisodes(DAY);
    await memory.close();
    memory = await open({ embedder: otherEmbedder() });
    expect(memory.vectorsAreCurrent).toBe(false);
    expect(await best(memory, 'coffee')).toBe(DAY[0]!.id);
    const late = episode(7, 'I buy stamps at the post office.');
    await memory.putEpisodes([late]);
    const during = episode(8, 'A dog barks at the postman.');
    const work = memory.reembed({ onProgress: () => undefined });
    await Promise.all([memory.putEpisodes([during]), memory.deleteEpisodes([DAY[4]!.id])]);
    expect(await best(memory, 'coffee')).toBe(DAY[0]!.id);
    await work;
    expect(memory.vectorsAreCurrent).toBe(true);
    const found = await search(memory, 'stamps');
    expect(found.map((hit) => hit.episode.index)).toEqual([0, 1, 2, 3, 7, 8]);
    expect(found.every((hit) => typeof hit.cosine === 'number')).toBe(true);
    await memory.close();
    memory = await open({ embedder: otherEmbedder() });
    expect(memory.vectorsAreCurrent).toBe(true);
    expect((await memory.count()).episodes).toBe(6);
  });

  it('searches by meaning with the old embedder while another’s vectors are made, and changes over', async () => {
    await memory.putEpisodes(DAY);
    const other = otherEmbedder();
    let asked = 0;
    const slow: TextEmbedder = {
      ...other,
      async embed(...all) {
        if (memory.madeWith.name === 'other-1') return other.embed(...all);
        asked += 1;
        const found = await search(memory, 'fixing a bike');
        expect(found.find((hit) => hit.episode.id === DAY[3]!.id)?.cosine).toBeGreaterThan(0.2);
        return other.embed(...all);
      },
    };
    const told: [number, number][] = [];
    await memory.reembed({ embedder: slow, onProgress: (...at) => told.push(at) });
    expect(asked).toBeGreaterThan(0);
    expect(told.at(-1)).toEqual([5, 5]);
    expect(memory.madeWith).toEqual({ name: 'other-1', dims: 128 });
    expect(memory.vectorsAreCurrent).toBe(true);
    expect(await best(memory, 'fixing a bike')).toBe(DAY[3]!.id);
    const late = episode(9, 'I feed the ducks.');
    await memory.putEpisodes([late]);
    expect((await search(memory, 'ducks')).every((hit) => typeof hit.cosine === 'number')).toBe(true);
    expect(problems).toEqual([]);
  });

  it('never fails a search that is under way while the tables change', async () => {
    await memory.putEpisodes(DAY);
    let working = true;
    let searches = 0;
    const asking = Array.from({ length: 4 }, async () => {
      while (working) {
        expect((await search(memory, 'coffee in the kitchen')).length).toBeGreaterThan(0);
        searches += 1;
      }
    });
    for (const next of [otherEmbedder(), embedder, otherEmbedder()]) await memory.reembed({ embedder: next });
    working = false;
    await Promise.all(asking);
    expect(searches).toBeGreaterThan(10);
    expect(problems.map(({ what, error }) => `${what} ${error}`)).toEqual([]);
  });

  /** Many episodes of which about half were given the vectors of `otherEmbedder` before it was stopped. */
  async function halfDone(): Promise<Episode[]> {
    const many = Array.from({ length: 150 }, (_, n) =>
      episode(n, `Moment ${n}: I count the sheep at gate ${n % 7}.`),
    );
    await memory.putEpisodes(many);
    const stop = new AbortController();
    await expect(
      memory.reembed({ embedder: otherEmbedder(), signal: stop.signal, onProgress: () => stop.abort() }),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
    return many;
  }

  /** Counts the texts an embedder is given. */
  function counted(): TextEmbedder & { texts: string[] } {
    const other = otherEmbedder();
    const texts: string[] = [];
    return {
      ...other,
      texts,
      embed: (given, kind, signal) => {
        texts.push(...given);
        return other.embed(given, kind, signal);
      },
    };
  }

  it('goes on where it was left at the next start, with what was changed and deleted in between', async () => {
    const many = await halfDone();
    expect(await memory.unfinished()).toEqual({
      embedder: { name: 'other-1', dims: 128 },
      done: 64,
      total: 150,
    });
    await memory.close();
    memory = await open();
    const rewritten = { ...many[0]!, text: 'I open the gate at dawn.' };
    await memory.putEpisodes([rewritten]);
    await memory.deleteEpisodes([many[1]!.id, many[149]!.id]);
    const other = counted();
    await memory.reembed({ embedder: other });
    expect(other.texts).toContain(rewritten.text);
    const own = new Set(many.map(({ text }) => text));
    const again = other.texts.filter((text) => own.has(text));
    expect(new Set(again).size).toBe(again.length);
    expect(again.length).toBeLessThanOrEqual(150 - 64);
    expect(await memory.unfinished()).toBeNull();
    expect((await memory.count()).episodes).toBe(148);
    expect((await memory.getEpisode(rewritten.id))?.text).toBe(rewritten.text);
    const found = await search(memory, 'gate at dawn');
    expect(found.every((hit) => typeof hit.cosine === 'number')).toBe(true);
    await memory.close();
    expect((await (await connect(dir)).tableNames()).filter((name) => name.startsWith('episodes'))).toEqual([
      'episodes_2',
    ]);
    memory = await open({ embedder: otherEmbedder() });
    expect(memory.vectorsAreCurrent).toBe(true);
  });

  it('forgets from the unfinished table too', async () => {
    const many = await halfDone();
    const secret = episode(500, 'Zanzibar is the word that must go.');
    await memory.putEpisodes([secret]);
    const stop = new AbortController();
    // Put first by a rewrite, so that it is among those done when it is stopped again.
    await expect(
      memory.reembed({
        embedder: otherEmbedder(),
        signal: stop.signal,
        onProgress: (done, total) => {
          if (done === total) stop.abort();
        },
      }),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await memory.unfinished())?.done).toBe(151);
    await memory.deleteEpisodes([secret.id]);
    expect(filesUnder(dir).filter((file) => readFileSync(file).includes('Zanzibar'))).toEqual([]);
    expect((await memory.unfinished())?.done).toBe(150);
    expect((await search(memory, 'sheep')).length).toBeGreaterThan(0);
    expect(many).toHaveLength(150);
  });

  it('begins anew with a third embedder, and leaves nothing of the second', async () => {
    await halfDone();
    const third: TextEmbedder = { ...otherEmbedder(), name: 'third-1' };
    await memory.reembed({ embedder: third });
    expect(memory.madeWith.name).toBe('third-1');
    const names = await (await connect(dir)).tableNames();
    expect(names.filter((name) => name.startsWith('episodes'))).toEqual(['episodes_2']);
  });

  it('drops what was begun when the library keeps its embedder', async () => {
    await halfDone();
    await memory.dropUnfinished();
    expect(await memory.unfinished()).toBeNull();
    await memory.close();
    expect(await (await connect(dir)).tableNames()).not.toContain('episodes_2');
    memory = await open();
    expect(await best(memory, 'moment 17')).toBeDefined();
  });

  it('refuses a second embedding anew while one is under way, and a model whose vectors are wrong', async () => {
    await memory.putEpisodes(DAY);
    const work = memory.reembed({ embedder: otherEmbedder() });
    await expect(memory.reembed({ embedder: otherEmbedder() })).rejects.toMatchObject({
      code: 'LIBRARY_BUSY',
    });
    await work;
    const wrong: TextEmbedder = { ...embedder, embed: async (texts) => texts.map(() => new Float32Array(3)) };
    await expect(memory.reembed({ embedder: wrong })).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    expect(memory.madeWith.name).toBe('other-1');
    expect(await best(memory, 'coffee')).toBe(DAY[0]!.id);
  });

  it('keeps the old vectors when embedding anew is stopped', async () => {
    await memory.putEpisodes(DAY);
    await memory.close();
    memory = await open({ embedder: otherEmbedder() });
    const stop = AbortSignal.abort();
    await expect(memory.reembed({ signal: stop })).rejects.toMatchObject({ code: 'CANCELLED' });
    await memory.close();
    memory = await open();
    expect(memory.vectorsAreCurrent).toBe(true);
    expect(await best(memory, 'fixing a bike')).toBe(DAY[3]!.id);
  });
});
