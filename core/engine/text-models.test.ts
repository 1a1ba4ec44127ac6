import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CATALOGUE, type ModelEntry } from '../../models/catalogue/index.ts';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import {
  TINY_CLS_ENCODER,
  TINY_ENCODER,
  TINY_ENCODER_FOLDER,
} from '../../models/embedding/testing/tiny-encoder.ts';
import type { SpawnProcess } from '../../models/port.ts';
import { type ModelStore, openStore } from '../../models/store/index.ts';
import type { Episode, FoundEpisode } from '../contract/index.ts';
import { embedderOfMemory, openMemory } from '../memory/lance-memory.ts';
import { searchText } from '../writing/search-text.ts';
import { createEngine, type Engine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';

const NINE = Date.UTC(2026, 6, 1, 9);
const BUILT_IN = 'footnote-static-1';
const THINGS = ['keys', 'mug', 'onion', 'bicycle', 'letter', 'kettle', 'phone', 'book', 'bag', 'umbrella'];
const PLACES = ['kitchen', 'hall', 'garden', 'office', 'cellar', 'street', 'shop', 'station'];
const DOINGS = ['put down', 'look for', 'pick up', 'carry', 'clean', 'find', 'forget'];

function moment(n: number): Episode {
  const startMs = NINE + n * 30_000;
  const thing = THINGS[n % THINGS.length]!;
  const text = `I ${DOINGS[n % DOINGS.length]} the ${thing} in the ${PLACES[n % PLACES.length]}. Anna says it is number ${n}.`;
  return {
    id: `f000000000000000000000000-${String(n).padStart(4, '0')}`,
    recordingId: `r${String(Math.floor(n / 120)).padStart(24, '0')}`,
    chapterId: 'f000000000000000000000000',
    index: n,
    startMs,
    endMs: startMs + 30_000,
    zone: 'UTC',
    text,
    record: {
      caption: text,
      transcript: [],
      visibleText: [],
      actions: [],
      objects: [thing],
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
  };
}

const embedder = await createStaticEmbedder();
let dir: string;
let made: string;
let library: string;
let engine: Engine | null = null;
let store: ModelStore;

/** A library of `episodes` moments with the built-in vectors, made once and copied for each test. */
async function makeLibrary(at: string, episodes: number): Promise<void> {
  await (await createEngine({ library: at, spawn: spawnNodeProcess, zone: 'UTC' })).close();
  const memory = await openMemory({ dir: join(at, 'memory'), embedder, searchText });
  await memory.putEpisodes(Array.from({ length: episodes }, (_, n) => moment(n)));
  await memory.maintain();
  await memory.close();
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-text-models-'));
  made = join(dir, 'made');
  await makeLibrary(made, 150);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

let count = 0;
beforeEach(async () => {
  library = join(dir, `library-${count++}`);
  await cp(made, library, { recursive: true });
  store = storeOf(library);
});
afterEach(async () => {
  await engine?.close();
  engine = null;
});

function storeOf(
  root: string,
  catalogue: readonly ModelEntry[] = [...CATALOGUE, TINY_ENCODER, TINY_CLS_ENCODER],
): ModelStore {
  return openStore({ dir: join(root, 'models'), catalogue, folders: [], hub: 'http://127.0.0.1:9' });
}

async function fetched(entry: ModelEntry): Promise<void> {
  await store.get(entry.id, { from: TINY_ENCODER_FOLDER });
}

async function open(options: Partial<Parameters<typeof createEngine>[0]> = {}): Promise<Engine> {
  engine = await createEngine({ library, spawn: spawnNodeProcess, zone: 'UTC', models: store, ...options });
  return engine;
}

const search = (query: string): Promise<FoundEpisode[]> =>
  engine!.client.memory.search({ query, nowMs: NINE + 1e9 });

async function meaning(): Promise<{ ok: boolean; detail: string }> {
  return (await engine!.client.status()).checks.find(({ name }) => name === 'text meaning')!;
}

const madeWith = async (): Promise<string> => (await embedderOfMemory(join(library, 'memory')))!.name;

/** Processes in which an encoder hears of its first `requests` only. */
function stalling(requests: number): SpawnProcess {
  let left = requests;
  return (entry) => {
    const port = spawnNodeProcess(entry);
    return {
      ...port,
      post(message) {
        const { input } = message as { input?: { model?: { encoder?: unknown } } };
        if (!input?.model?.encoder || left-- > 0) port.post(message);
      },
    };
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 600) throw new Error('it never came');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Every vector is one of the model's: a search over all of them gives each a cosine. */
async function expectWhole(name: string): Promise<void> {
  expect(await madeWith()).toContain(name);
  const found = await search('Anna says it is number');
  expect(found).toHaveLength(32);
  expect(found.every(({ cosine }) => typeof cosine === 'number')).toBe(true);
}

describe('a chosen text model', () => {
  it('is taken up while the library is searched without a failure, and given back', async () => {
    await fetched(TINY_ENCODER);
    await open();
    expect((await meaning()).detail).toMatch(
      /^Footnote’s own static embedding finds by meaning|^The built-in/,
    );
    let asking = true;
    let answers = 0;
    const asked = (async () => {
      while (asking) {
        const found = await search('where did I put the umbrella');
        expect(found.length).toBeGreaterThan(0);
        expect(found.some(({ cosine }) => cosine !== null)).toBe(true);
        answers += 1;
      }
    })();
    for (const id of [TINY_ENCODER.id, BUILT_IN]) {
      await engine!.client.models.use({ task: 'text-embedding', id });
      expect(await engine!.textModels.settled()).toBeNull();
      await expectWhole(id);
      expect((await meaning()).ok).toBe(true);
    }
    asking = false;
    await asked;
    expect(answers).toBeGreaterThan(5);
  });

  it('is noticed when another process chooses it', async () => {
    await fetched(TINY_CLS_ENCODER);
    await open();
    await engine!.textModels.settled();
    await storeOf(library).use('text-embedding', TINY_CLS_ENCODER.id);
    await until(async () => (await madeWith()).startsWith('tiny-cls-encoder@'));
    await engine!.textModels.settled();
    await expectWhole('tiny-cls-encoder');
    expect((await meaning()).detail).toMatch(/^Tiny encoder by first token finds by meaning/);
  });

  it('goes on at the next start where a close stopped it', async () => {
    await fetched(TINY_ENCODER);
    await store.use('text-embedding', TINY_ENCODER.id);
    await open({ spawn: stalling(20) });
    await until(async () => engine!.textModels.takingUp()?.done === 64);
    expect((await meaning()).detail).toMatch(/finds by meaning; Tiny encoder takes over: 64 of 150 episodes/);
    await engine!.close();
    expect(await madeWith()).toBe(BUILT_IN);
    await open({ resumeImports: false });
    expect((await meaning()).detail).toMatch(/64 of 150 episodes are ready; it goes on with the next import/);
    await engine!.textModels.takeUpTextModel();
    expect(await engine!.textModels.settled()).toBeNull();
    await expectWhole(TINY_ENCODER.id);
  });

  it('begins with a new library', async () => {
    library = join(dir, 'new');
    store = storeOf(library);
    await fetched(TINY_ENCODER);
    await store.use('text-embedding', TINY_ENCODER.id);
    await open();
    expect(await engine!.textModels.settled()).toBeNull();
    expect(await madeWith()).toContain(TINY_ENCODER.id);
  });
});

describe('a text model that is not to be had', () => {
  async function withTiny(): Promise<void> {
    await fetched(TINY_ENCODER);
    await store.use('text-embedding', TINY_ENCODER.id);
    await open();
    await engine!.textModels.settled();
    await engine!.close();
    expect(await madeWith()).toContain(TINY_ENCODER.id);
  }

  it('leaves words to search by when it was removed, until the built-in one has made the vectors', async () => {
    await withTiny();
    await store.use('text-embedding', null);
    await store.remove(TINY_ENCODER.id);
    await open({ resumeImports: false });
    const found = await search('umbrella');
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ cosine }) => cosine === null)).toBe(true);
    expect((await meaning()).detail).toContain('search goes by words');
    await engine!.textModels.takeUpTextModel();
    expect(await engine!.textModels.settled()).toBeNull();
    await expectWhole(BUILT_IN);
  });

  it('does not make a chosen one that was damaged take the library’s own away, and is told', async () => {
    await fetched(TINY_ENCODER);
    await store.use('text-embedding', TINY_ENCODER.id);
    const weights = join(library, 'models/installed/tiny-encoder/onnx/model.onnx');
    await writeFile(weights, Buffer.alloc((await stat(weights)).size, 7));
    await open();
    await engine!.textModels.settled();
    expect(await madeWith()).toBe(BUILT_IN);
    const check = await meaning();
    expect(check.ok).toBe(false);
    expect(check.detail).toMatch(/Tiny encoder is damaged.*Meanwhile.*finds by meaning/s);
    expect((await store.state(TINY_ENCODER.id)).state).toBe('damaged');
    expect((await search('umbrella')).some(({ cosine }) => cosine !== null)).toBe(true);
  });

  it('costs no episode when it fails to load under an open library', async () => {
    await withTiny();
    // Whole by its files, and nothing the runtime can load: as on a computer that is too small for it.
    const broken: ModelEntry = {
      ...TINY_ENCODER,
      loading: { ...TINY_ENCODER.loading, dtype: 'q8' } as ModelEntry['loading'],
    };
    store = storeOf(library, [...CATALOGUE, broken]);
    await open();
    expect((await search('umbrella')).length).toBeGreaterThan(0);
    await until(async () => (await madeWith()) === BUILT_IN);
    await engine!.textModels.settled();
    const check = await meaning();
    expect(check).toMatchObject({
      ok: false,
      detail: expect.stringContaining('cannot be loaded on this computer'),
    });
    await expectWhole(BUILT_IN);
  });
});

const AT_HAND = join(import.meta.dirname, '../../../shared/models');
const there = existsSync(join(AT_HAND, 'sentence-transformers/all-MiniLM-L6-v2'));
const title = there ? 'MiniLM' : 'MiniLM: skipped, it is not at ../shared/models';

describe.skipIf(!there)(title, () => {
  it('takes over a library that is searched all the time, and hands it back', async () => {
    store = openStore({ dir: join(library, 'models'), folders: [AT_HAND], hub: 'http://127.0.0.1:9' });
    await store.get('minilm-l6-int8');
    await open();
    expect(await engine!.textModels.settled()).toBeNull();
    await expectWhole('minilm-l6-int8');
    const found = await search('repairing a vehicle with two wheels');
    const best = found.sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))[0]!;
    expect(best.episode.text).toContain('bicycle');
    await store.use('text-embedding', BUILT_IN);
    await engine!.textModels.takeUpTextModel();
    expect(await engine!.textModels.settled()).toBeNull();
    await expectWhole(BUILT_IN);
  });
});
