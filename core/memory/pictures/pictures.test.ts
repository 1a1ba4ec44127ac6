import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DualEncoder, loadDualEncoder } from '../../../models/embedding/image-text/dual-encoder.ts';
import type { PictureEmbedder } from '../../../models/embedding/image-text/picture-embedder.ts';
import { drawJpeg, TINY_CLIP_MODEL } from '../../../models/embedding/image-text/testing/tiny-clip.ts';
import { createStaticEmbedder } from '../../../models/embedding/static-embedder.ts';
import { objectPhrase, type Scene } from '../../../models/writer/testing/scene-renderer.mjs';
import { heldOutScenes } from '../../../models/writer/testing/scenes.ts';
import type { Episode, FoundEpisode } from '../../contract/index.ts';
import { type LanceMemory, openMemory } from '../lance-memory.ts';
import { moveEpisodes } from '../move-episodes.ts';
import type { MemoryProblem } from '../reader.ts';
import { episodeAt, NINE, SEGMENT_MS } from '../testing/episodes.ts';

const LATER = NINE + 365 * 86_400_000;
const DAY_MS = 86_400_000;
const embedder = await createStaticEmbedder();
const scenes = heldOutScenes(48);
const TALK = ['Anna talks about the train.', 'Somebody laughs.', 'Jan asks about dinner.', 'It rains.'];

let encoder: DualEncoder;
/** Vectors of two keyframes a scene: the first looks at the floor, the second at the scene. */
let vectors: Float32Array[][];
let dir: string;
let memory: LanceMemory;
let problems: MemoryProblem[];

beforeAll(async () => {
  encoder = await loadDualEncoder(TINY_CLIP_MODEL);
  const dark = await drawJpeg({ seed: 1 });
  vectors = [];
  for (const scene of scenes) {
    vectors.push((await encoder.embedImages([dark, await drawJpeg(scene)])).map((vector) => vector!));
  }
});
afterAll(() => encoder.dispose());

const idOf = (n: number): string => `f${String(n).padStart(24, '0')}-0000`;
function episode(n: number, change: Partial<Episode> = {}): Episode {
  const startMs = NINE + n * SEGMENT_MS;
  return episodeAt(
    startMs,
    TALK[n % TALK.length]!,
    {},
    {
      id: idOf(n),
      recordingId: `r${String(n % 2).padStart(24, '0')}`,
      keyframes: [5_000, 20_000].map((at, k) => ({
        atMs: startMs + at,
        file: `${idOf(n)}-${k}.jpg`,
        width: 640,
        height: 360,
      })),
      ...change,
    },
  );
}

const open = (change: Partial<Parameters<typeof openMemory>[0]> = {}): Promise<LanceMemory> =>
  openMemory({
    dir,
    embedder,
    searchText: ({ text }) => text,
    onProblem: (problem) => problems.push(problem),
    ...change,
  });
const look = (n: number): { episodeId: string; vectors: Float32Array[] } => ({
  episodeId: idOf(n),
  vectors: vectors[n]!,
});
async function fill(count: number): Promise<void> {
  await memory.putEpisodes(Array.from({ length: count }, (_, n) => episode(n)));
  await memory.setPictureModel(encoder);
  await memory.putPictures(
    encoder.name,
    Array.from({ length: count }, (_, n) => look(n)),
  );
  await memory.tendPictures();
}
const search = (query: string, change = {}): Promise<FoundEpisode[]> =>
  memory.search({ query, timeAnchor: null, topK: 32, nowMs: LATER, ...change });
const byScore = (found: FoundEpisode[]): FoundEpisode[] => [...found].sort((a, b) => b.score - a.score);
const same = (a: Scene, b: Scene): boolean => a.object === b.object && a.colour === b.colour;

/** Whether any file below the folder holds the vector's first numbers as they are stored. */
function onDisk(vector: Float32Array): boolean {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, 64);
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(path.join(entry.parentPath, entry.name)).includes(bytes));
}

beforeEach(async () => {
  dir = path.join(mkdtempSync(path.join(tmpdir(), 'footnote-pictures-')), 'memory');
  problems = [];
  memory = await open();
});
afterEach(async () => {
  await memory.close();
  rmSync(path.dirname(dir), { recursive: true, force: true });
});

describe('searching pictures by text', () => {
  it('finds the scene that no sentence speaks of, among 48 it never saw', async () => {
    await fill(scenes.length);
    let first = 0;
    let five = 0;
    for (const scene of scenes) {
      const found = byScore(await search(`Where did I see ${objectPhrase(scene)}?`));
      const right = found.map(({ episode }) => same(scene, scenes[(episode.startMs - NINE) / SEGMENT_MS]!));
      if (right[0]) first += 1;
      if (right.slice(0, 5).some(Boolean)) five += 1;
    }
    expect(first / scenes.length).toBeGreaterThan(0.85);
    expect(five / scenes.length).toBeGreaterThan(0.9);
  });

  it('says how clearly, and which instant: the keyframe that shows it', async () => {
    await fill(12);
    const scene = scenes[3]!;
    const found = (await search(objectPhrase(scene))).find(({ episode }) => episode.id === idOf(3));
    expect(found!.pictureScore).toBeGreaterThan(1);
    expect(found!.pictureAtMs).toBe(episode(3).keyframes[1]!.atMs);
    expect(found!.textScore).toBeNull();
  });

  it('shows nothing that had not ended, and nothing outside the span', async () => {
    await fill(12);
    const query = objectPhrase(scenes[7]!);
    const until = await search(query, { nowMs: NINE + 7 * SEGMENT_MS });
    expect(until.length).toBeGreaterThan(0);
    expect(until.every(({ episode }) => episode.endMs <= NINE + 7 * SEGMENT_MS)).toBe(true);
    const span = { startMs: NINE, endMs: NINE + 3 * SEGMENT_MS };
    const inside = await search(query, { timeAnchor: span });
    expect(inside.every(({ episode }) => episode.startMs < span.endMs)).toBe(true);
    // A rare span is searched whole, however many other rows are nearer.
    const own = { startMs: NINE + 7 * SEGMENT_MS, endMs: NINE + 8 * SEGMENT_MS };
    expect(byScore(await search(query, { timeAnchor: own }))[0]!.pictureScore).toBeGreaterThan(0);
  });

  it('leaves the search by words as it was where no picture is like the question', async () => {
    await fill(12);
    const query = 'Jan asks about dinner';
    const withPictures = (await search(query)).map(({ episode, score }) => [episode.id, score]);
    await memory.setPictureModel(null);
    const without = await search(query);
    expect(without.map(({ episode, score }) => [episode.id, score])).toEqual(withPictures);
    expect(without.every(({ pictureScore }) => pictureScore === null)).toBe(true);
  });

  it('goes on by words when the image model fails, says so once, and leaves it alone for a while', async () => {
    await fill(4);
    let asked = 0;
    await memory.setPictureModel({
      ...encoder,
      name: encoder.name,
      dims: encoder.dims,
      embedImages: (jpegs) => encoder.embedImages(jpegs),
      embedTexts: async () => {
        asked += 1;
        throw new Error('gone');
      },
    });
    expect((await search('dinner')).length).toBeGreaterThan(0);
    expect((await search('dinner')).length).toBeGreaterThan(0);
    expect(problems.map(({ what }) => what)).toEqual(['picture-search-failed']);
    expect(asked).toBe(1);
  });

  it('is the same search for a library that is only read', async () => {
    await fill(12);
    const query = objectPhrase(scenes[5]!);
    const reader = await open({ readOnly: true });
    await reader.setPictureModel(encoder);
    const found = await reader.search({ query, timeAnchor: null, topK: 32, nowMs: LATER });
    expect(found).toEqual(await search(query));
    await reader.close();
  });
});

describe('keeping pictures', () => {
  it('refuses vectors that could not be found again, and stores none of their batch', async () => {
    await memory.putEpisodes([episode(0), episode(1)]);
    await memory.setPictureModel(encoder);
    const good = vectors[0]![0]!;
    const wrong = [
      new Float32Array(0),
      new Float32Array(64),
      new Float32Array(63).fill(1 / Math.sqrt(63)),
      good.map((value, i) => (i === 3 ? Number.NaN : value)),
      good.map((value) => value * 2),
    ];
    for (const vector of wrong) {
      await expect(
        memory.putPictures(encoder.name, [look(1), { episodeId: idOf(0), vectors: [good, vector] }]),
      ).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    }
    expect(await memory.countPictures()).toMatchObject({ episodes: 0, pictures: 0 });
  });

  it('knows what is still to be looked at, the latest first', async () => {
    await memory.putEpisodes([episode(0), episode(1), episode(2), episode(3, { keyframes: [] })]);
    expect(await memory.episodesWithoutPictures()).toEqual([]);
    await memory.setPictureModel(encoder);
    expect(await memory.episodesWithoutPictures()).toEqual([3, 2, 1, 0].map(idOf));
    await memory.putPictures(encoder.name, [
      look(1),
      { episodeId: idOf(3), vectors: [] },
      { episodeId: idOf(2), vectors: [null, vectors[2]![1]!] },
    ]);
    expect(await memory.episodesWithoutPictures()).toEqual([idOf(0)]);
    expect(await memory.countPictures()).toEqual({
      model: encoder.name,
      episodes: 3,
      pictures: 3,
      searchable: false,
    });
  });

  it('forgets a picture on disk, also one that was being looked at meanwhile', async () => {
    await fill(6);
    const gone = vectors[2]![1]!;
    expect(onDisk(gone)).toBe(true);
    await memory.deleteEpisodes([idOf(2)]);
    await memory.putPictures(encoder.name, [look(2)]);
    expect(onDisk(gone)).toBe(false);
    expect(onDisk(vectors[3]![1]!)).toBe(true);
    expect(await memory.countPictures()).toMatchObject({ episodes: 5, pictures: 10 });
    expect((await search(objectPhrase(scenes[2]!))).some(({ episode }) => episode.id === idOf(2))).toBe(
      false,
    );
    expect((await search(objectPhrase(scenes[3]!))).some(({ episode }) => episode.id === idOf(3))).toBe(true);
  });

  it('forgets pictures also when no image model is here any more', async () => {
    await fill(3);
    await memory.setPictureModel(null);
    await memory.deleteEpisodes([idOf(1)]);
    expect(onDisk(vectors[1]![1]!)).toBe(false);
  });

  it("follows a recording whose camera's clock is corrected", async () => {
    await fill(6);
    await moveEpisodes(memory, episode(0).recordingId, { deltaMs: DAY_MS });
    const query = objectPhrase(scenes[4]!);
    const span = { startMs: NINE + DAY_MS, endMs: NINE + 2 * DAY_MS };
    const found = await search(query, { timeAnchor: span });
    const moved = found.find(({ episode }) => episode.id === idOf(4))!;
    expect(moved.pictureAtMs).toBe(episode(4).keyframes[1]!.atMs + DAY_MS);
    expect(
      (await search(query, { nowMs: NINE + DAY_MS })).some(({ episode }) => episode.id === idOf(4)),
    ).toBe(false);
    expect(await memory.episodesWithoutPictures()).toEqual([]);
  });

  it('looks again at an episode that was written anew with other keyframes', async () => {
    await fill(2);
    const other = episode(1);
    await memory.putEpisodes([
      episode(0, { text: 'Other words, the same pictures.' }),
      { ...other, keyframes: other.keyframes.slice(0, 1) },
    ]);
    expect(await memory.episodesWithoutPictures()).toEqual([idOf(1)]);
    expect(onDisk(vectors[0]![1]!)).toBe(true);
  });

  it('begins anew with another model, whose vectors never mix with those before', async () => {
    await fill(3);
    const half: PictureEmbedder = {
      name: 'half-1',
      dims: 32,
      embedImages: async (jpegs, signal) =>
        (await encoder.embedImages(jpegs, signal)).map((vector) => vector && halved(vector)),
      embedTexts: async (texts, signal) => (await encoder.embedTexts(texts, signal)).map(halved),
    };
    await memory.setPictureModel(half);
    expect(await memory.countPictures()).toMatchObject({
      model: 'half-1',
      episodes: 0,
      pictures: 0,
      searchable: false,
    });
    expect(onDisk(vectors[0]![1]!)).toBe(false);
    // What the model before was still at work on comes too late.
    await memory.putPictures(encoder.name, [look(0)]);
    expect(await memory.episodesWithoutPictures()).toHaveLength(3);
    await memory.putPictures('half-1', [
      { episodeId: idOf(0), vectors: vectors[0]!.map((vector) => halved(vector)) },
    ]);
    await memory.tendPictures();
    expect((await search(objectPhrase(scenes[0]!))).some(({ pictureScore }) => pictureScore !== null)).toBe(
      true,
    );
    await memory.close();
    memory = await open();
    await memory.setPictureModel(half);
    expect(await memory.countPictures()).toMatchObject({ model: 'half-1', episodes: 1 });
    expect(readdirSync(dir).filter((name) => name.startsWith('pictures'))).toEqual(['pictures_2.lance']);
  });

  it('keeps them while the words are embedded anew', async () => {
    await fill(4);
    await memory.reembed({
      embedder: {
        name: 'other-1',
        dims: embedder.dims,
        embed: (texts, kind, signal) => embedder.embed(texts, kind, signal),
      },
    });
    expect(await memory.countPictures()).toMatchObject({ model: encoder.name, episodes: 4 });
    await memory.close();
    memory = await open();
    await memory.setPictureModel(encoder);
    expect(await memory.countPictures()).toMatchObject({ episodes: 4 });
  });
});

function halved(vector: Float32Array): Float32Array {
  const half = vector.slice(0, 32);
  const length = Math.hypot(...half);
  return half.map((value) => value / length);
}
