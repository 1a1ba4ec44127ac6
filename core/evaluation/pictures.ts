/**
 * Measures the picture channel on drawn scenes that the project's small image model never saw: `npx tsx core/evaluation/pictures.ts [SCENES [SEED]]`.
 * No episode's words say what its pictures show. Prints how often a question finds the right episode, how often one about a thing that is
 * nowhere to be seen would be answered all the same, what questions about words lose, and what it all costs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDualEncoder } from '../../models/embedding/image-text/dual-encoder.ts';
import type { PictureEmbedder } from '../../models/embedding/image-text/picture-embedder.ts';
import { drawJpeg, TINY_CLIP_MODEL } from '../../models/embedding/image-text/testing/tiny-clip.ts';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import { COLOURS, OBJECTS, objectPhrase, type Scene } from '../../models/writer/testing/scene-renderer.mjs';
import { heldOutScenes } from '../../models/writer/testing/scenes.ts';
import type { Episode, FoundEpisode } from '../contract/index.ts';
import { folderSize } from '../library/files.ts';
import { type LanceMemory, openMemory } from '../memory/lance-memory.ts';
import { PICTURES } from '../memory/settings.ts';
import { searchText } from '../writing/search-text.ts';

const START_MS = Date.UTC(2026, 5, 1, 8);
const SEGMENT_MS = 30_000;
const SEGMENTS_PER_HOUR = 120;
const KEYFRAMES = 3;

/** Talk that shares words with questions about things seen, as talk does, and never says what is in view. */
const TALK = [
  'Anna says the red folder with the contracts is still at the office.',
  'Tomasz asks whether the blue line runs on Sundays.',
  'Maria tells me that her keys were found by the caretaker.',
  'Somebody on the radio talks about a bicycle race in Girona.',
  'Jan says the phone bill has doubled since March.',
  'Lena wants to read a book about green energy.',
  'The announcement says that the train to Lublin leaves from platform two.',
  'Sam says the white wine is in the cellar, behind the boxes.',
  'Zoë asks me to call the plumber before five.',
  'Dr. Novak says the results come on Thursday.',
] as const;

function episodeOf(n: number): Episode {
  const startMs = START_MS + n * SEGMENT_MS;
  const text = `${TALK[n % TALK.length]} That was remark ${n} of the day.`;
  return {
    id: `f${String(n).padStart(24, '0')}-0000`,
    recordingId: `r${'0'.repeat(24)}`,
    chapterId: `f${String(n).padStart(24, '0')}`,
    index: 0,
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
    keyframes: Array.from({ length: KEYFRAMES }, (_, k) => ({
      atMs: startMs + k * 10_000,
      file: `${n}-${k}.jpg`,
      width: 640,
      height: 360,
    })),
    clip: null,
    writer: { name: 'drawn', version: '1' },
  };
}

interface Asked {
  query: string;
  /** Numbers of the episodes that answer it. */
  right: ReadonlySet<number>;
}

const ranked = (found: readonly FoundEpisode[]): FoundEpisode[] =>
  [...found].sort((a, b) => b.score - a.score);
const numberOf = (episode: Episode): number => (episode.startMs - START_MS) / SEGMENT_MS;

async function shareIn(memory: LanceMemory, asked: readonly Asked[], first: number): Promise<number> {
  let hits = 0;
  for (const { query, right } of asked) {
    const found = ranked(await searchAll(memory, query)).slice(0, first);
    if (found.some(({ episode }) => right.has(numberOf(episode)))) hits += 1;
  }
  return hits / asked.length;
}

const searchAll = (memory: LanceMemory, query: string): Promise<FoundEpisode[]> =>
  memory.search({ query, timeAnchor: null, topK: 32, nowMs: START_MS * 2 });

/** The strongest picture that may be believed for a query. */
async function strongest(
  memory: LanceMemory,
  query: string,
  right: ReadonlySet<number> | null,
): Promise<number> {
  const scores = (await searchAll(memory, query))
    .filter(({ episode }) => right === null || right.has(numberOf(episode)))
    .map(({ pictureScore }) => pictureScore ?? Number.NEGATIVE_INFINITY);
  return Math.max(...scores);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2);
}

/** Latencies of several memories in ms, the queries taking turns so that a busy machine is busy for all. */
async function latencies(memories: readonly LanceMemory[], queries: readonly string[]): Promise<string[]> {
  const taken = memories.map((): number[] => []);
  for (let round = 0; round < 4; round++) {
    for (const query of queries) {
      for (const [n, memory] of memories.entries()) {
        const started = performance.now();
        await searchAll(memory, query);
        if (round > 0) taken[n]!.push(performance.now() - started);
      }
    }
  }
  return taken.map((values) => `p50 ${quantile(values, 0.5)} ms, p95 ${quantile(values, 0.95)} ms`);
}

async function look(
  memory: LanceMemory,
  encoder: PictureEmbedder,
  scenes: readonly Scene[],
): Promise<number> {
  let spent = 0;
  for (const [n, scene] of scenes.entries()) {
    const jpegs = await Promise.all(Array.from({ length: KEYFRAMES }, (_, k) => drawJpeg(scene, k + 1)));
    const started = performance.now();
    const vectors = await encoder.embedImages(jpegs);
    spent += performance.now() - started;
    await memory.putPictures(encoder.name, [{ episodeId: episodeOf(n).id, vectors }]);
  }
  await memory.tendPictures();
  return spent / (scenes.length * KEYFRAMES);
}

async function measure(count: number, seed?: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'footnote-pictures-'));
  const encoder = await loadDualEncoder(TINY_CLIP_MODEL);
  const embedder = await createStaticEmbedder();
  const scenes = heldOutScenes(count, seed);
  const key = (scene: Scene): string => `${scene.object} ${scene.colour}`;
  const shown = new Set(scenes.map(key));
  const pairs = OBJECTS.filter((object) => object !== 'sign').flatMap((object) =>
    (Object.keys(COLOURS) as NonNullable<Scene['colour']>[]).map((colour) => ({ object, colour })),
  );
  const ask = (scene: Scene): string => `Where did I see ${objectPhrase(scene)}?`;
  const present: Asked[] = [...new Map(scenes.map((scene) => [ask(scene), scene])).values()].map((scene) => ({
    query: ask(scene),
    right: new Set(scenes.flatMap((other, n) => (key(other) === key(scene) ? [n] : []))),
  }));
  const absent = pairs
    .filter((pair) => !shown.has(key(pair)))
    .map((pair) => ask({ place: 'table', count: 1, ...pair }));
  const worded: Asked[] = scenes.map((_, n) => ({
    query: `What did they say at remark ${n}? ${TALK[n % TALK.length]!.split(' ').slice(0, 5).join(' ')}`,
    right: new Set([n]),
  }));
  try {
    const memory = await openMemory({ dir, embedder, searchText });
    await memory.putEpisodes(scenes.map((_, n) => episodeOf(n)));
    await memory.maintain();
    const before = (await folderSize(dir)).bytes;
    const queries = present.slice(0, 20).map(({ query }) => query);
    console.log(
      `${count} scenes, ${present.length} questions about them, ${absent.length} about absent things`,
    );
    await memory.setPictureModel(encoder);
    console.log(`ms a keyframe: ${(await look(memory, encoder, scenes)).toFixed(1)}`);
    await memory.maintain();
    const hour = (((await folderSize(dir)).bytes - before) / count) * SEGMENTS_PER_HOUR;
    console.log(
      `bytes an hour: ${Math.round(hour)} (${KEYFRAMES} keyframes a segment, ${encoder.dims} numbers)`,
    );
    const wordsAlone = await openMemory({ dir, embedder, searchText, readOnly: true });
    const [without, beside] = await latencies([wordsAlone, memory], queries);
    console.log(`search without pictures: ${without}`);
    console.log(`search with pictures: ${beside}`);
    await wordsAlone.close();
    const there: number[] = [];
    for (const { query, right } of present) there.push(await strongest(memory, query, right));
    const nowhere: number[] = [];
    for (const query of absent) nowhere.push(await strongest(memory, query, null));
    for (const [name, values] of [['right episode', there] as const, ['absent thing', nowhere] as const]) {
      const parts = [0.05, 0.25, 0.5, 0.75, 0.95].map((share) => quantile(values, share));
      console.log(`strength, ${name}: p5/25/50/75/95 ${parts.join(' ')}`);
    }
    for (const from of [0, 0.5, 1, 1.5, 2]) {
      const over = (values: readonly number[]) =>
        values.filter((value) => value >= from).length / values.length;
      console.log(
        `  from ${from}: ${percent(over(there))} of those there, ${percent(over(nowhere))} of the absent`,
      );
    }
    await memory.close();
    for (const weight of [0, 0.5, 1, 1.5]) {
      for (const full of [1, 2, 3]) {
        const other = await openMemory({ dir, embedder, searchText, pictureSetting: { weight, full } });
        await other.setPictureModel(encoder);
        const seen = [await shareIn(other, present, 1), await shareIn(other, present, 5)].map(percent);
        const said = [await shareIn(other, worded, 1), await shareIn(other, worded, 5)].map(percent);
        const chosen = weight === PICTURES.weight && full === PICTURES.full ? '  (as set)' : '';
        console.log(
          `weight ${weight} full ${full}: seen top-1 ${seen[0]}, top-5 ${seen[1]}; said top-1 ${said[0]}, top-5 ${said[1]}${chosen}`,
        );
        await other.close();
        if (weight === 0) break;
      }
    }
  } finally {
    await encoder.dispose();
    rmSync(dir, { recursive: true, force: true });
  }
}

const [, , count = '80', seed] = process.argv;
await measure(Number(count), seed === undefined ? undefined : Number(seed));
