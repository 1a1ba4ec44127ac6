import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ImportJob, ReaderStep } from '../contract/index.ts';
import { folderSize } from '../library/files.ts';
import { createEngine, type Engine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';
import { CARD_START_MS, makeCard } from './testing/footage-card.ts';

let dir: string;
let card: string;
let engine: Engine;
let job: ImportJob;
const HOUR = 3_600_000;

async function finish(id: string): Promise<ImportJob> {
  let last: ImportJob | null = null;
  for await (const change of await engine.client.imports.watch({ id })) last = change;
  return last!;
}

async function ask(
  question: string,
  atMs = CARD_START_MS + 12 * HOUR,
): Promise<{ answer: Answer; steps: ReaderStep[] }> {
  const steps: ReaderStep[] = [];
  for await (const event of await engine.client.ask({ question, atMs, zone: 'UTC' })) {
    if (event.type === 'answer') return { answer: event.answer, steps };
    if (event.type === 'step') steps.push(event.step);
  }
  throw new Error('the stream ended without an answer');
}

async function bytesHolding(root: string, words: string): Promise<string[]> {
  const hits: string[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(words)) hits.push(path);
  }
  return hits;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-engine-'));
  card = await makeCard(join(dir, 'card'));
  engine = await createEngine({ library: join(dir, 'library'), spawn: spawnNodeProcess, zone: 'UTC' });
  job = await finish((await engine.client.imports.start({ paths: [card] })).id);
});
afterAll(async () => {
  await engine?.close();
  await rm(dir, { recursive: true, force: true });
});

describe('an import through the engine', () => {
  it('accounts for every file', () => {
    const outcomes = Object.fromEntries(job.files.map((file) => [file.name, file.outcome]));
    expect(outcomes).toEqual({
      'GX010042.MP4': 'imported',
      'GX020042.MP4': 'imported',
      'GX010043.MP4': 'imported',
      'GX010043.srt': 'sidecar',
      'GX010044.MP4': 'unreadable',
      'version.txt': 'skipped',
    });
    expect(job.files.find((file) => file.name === 'GX010044.MP4')).toMatchObject({ code: 'FILE_EMPTY' });
    expect(job).toMatchObject({ state: 'done', episodes: 9, progress: { doneSeconds: 195, secondsLeft: 0 } });
  });
  it('makes one recording of the two chapters and keeps its clock', async () => {
    const recordings = await engine.client.recordings.list();
    expect(recordings.map((recording) => recording.chapters.length)).toEqual([2, 1]);
    expect(recordings[0]).toMatchObject({ startMs: CARD_START_MS, clock: { basis: 'creation_time' } });
    const days = await engine.client.timeline.days();
    expect(days).toMatchObject([{ day: '2026-06-01', episodes: 9, recordings: 2 }]);
  });
  it('stores redacted clips and keyframes for every episode, and no unfinished files', async () => {
    const { episodes } = await engine.client.timeline.day({ day: '2026-06-01' });
    for (const episode of episodes) {
      const clip = await engine.mediaFile(`clip/${episode.id}`);
      expect(clip && (await readFile(clip.path)).subarray(4, 8).toString()).toBe('ftyp');
      expect(episode.keyframes.length).toBeGreaterThan(0);
      const keyframe = await engine.mediaFile(`keyframe/${episode.id}/0`);
      expect(keyframe && (await readFile(keyframe.path)).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    }
    expect(await folderSize(engine.library.workRoot)).toEqual({ bytes: 0, files: 0 });
  });
  it('adds nothing when the same card is dropped again, and says why', async () => {
    const again = await finish((await engine.client.imports.start({ paths: [card] })).id);
    expect(again.counts).toMatchObject({ imported: 0, duplicate: 3, sidecar: 1, unreadable: 1 });
    expect(again.files.find((file) => file.name === 'GX010042.MP4')?.reason).toBeTruthy();
    expect((await engine.client.status()).episodes).toBe(9);
  });
});

describe('asking through the engine', () => {
  it('answers with the footnote at the second the words were said', async () => {
    const { answer, steps } = await ask('Where are the spare keys?');
    expect(answer.answer).toContain('blue bowl');
    expect(answer.footnotes).toHaveLength(1);
    const [footnote] = answer.footnotes;
    expect(footnote!.atMs).toBe(CARD_START_MS + HOUR + 2_000);
    expect(footnote!.clipOffset).toBeCloseTo(2, 1);
    expect(footnote!.keyframe && (await engine.mediaFile(footnote!.keyframe))).toBeTruthy();
    expect(steps.length).toBeGreaterThan(0);
  });
  it('says that nothing was found, for what is not there and for what is not yet there', async () => {
    expect((await ask('Where did I park the red tractor?')).answer).toMatchObject({
      found: false,
      footnotes: [],
    });
    expect((await ask('Where are the spare keys?', CARD_START_MS + 1_000)).answer.found).toBe(false);
  });
  it('gives coded errors for what does not exist and for bad input', async () => {
    await expect(engine.client.episodes.get({ id: 'fnone-0000' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(engine.client.imports.get({ id: 'import-none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(engine.client.memory.search({ query: '', topK: 99 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await engine.mediaFile('clip/../../etc/passwd')).toBeNull();
    expect(await engine.mediaFile('clip/fnone-0000')).toBeNull();
  });
});

describe('correcting and forgetting', () => {
  it('moves a recording and the words of its episodes in time', async () => {
    const before = (await engine.client.recordings.list())[1]!;
    await engine.client.recordings.correctClock({ id: before.id, shiftMs: 24 * HOUR });
    const { episodes } = await engine.client.timeline.day({ day: '2026-06-02' });
    expect(episodes).toHaveLength(3);
    expect(episodes[0]!.record.transcript[0]!.startMs).toBe(CARD_START_MS + 25 * HOUR + 2_000);
    const { answer } = await ask('Where are the spare keys?', CARD_START_MS + 48 * HOUR);
    expect(answer.footnotes[0]?.start).toContain('2026-06-02');
    await engine.client.recordings.correctClock({ id: before.id, shiftMs: -24 * HOUR });
  });
  it('refuses a zone that does not exist', async () => {
    const [recording] = await engine.client.recordings.list();
    await expect(
      engine.client.recordings.correctClock({ id: recording!.id, zone: 'Mars/Olympus' }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
  it('forgets a recording: no words, clips or keyframes of it are left in the library', async () => {
    expect((await bytesHolding(engine.library.root, 'blue bowl')).length).toBeGreaterThan(0);
    const talk = (await engine.client.recordings.list()).find((recording) => recording.name === 'GX010043')!;
    const result = await engine.client.privacy.forget({ what: 'recording', recordingId: talk.id });
    expect(result).toMatchObject({ episodes: 3, recordings: 1 });
    expect(await bytesHolding(engine.library.root, 'blue bowl')).toEqual([]);
    expect(await folderSize(engine.library.clipsDir(talk.id))).toEqual({ bytes: 0, files: 0 });
    expect(await folderSize(engine.library.keyframesDir(talk.id))).toEqual({ bytes: 0, files: 0 });
    expect((await ask('Where are the spare keys?')).answer.found).toBe(false);
    expect((await engine.client.status()).episodes).toBe(6);
  });
  it('forgets everything and can begin anew', async () => {
    await engine.client.privacy.forget({ what: 'everything' });
    expect(await engine.client.status()).toMatchObject({
      episodes: 0,
      recordings: 0,
      clipBytes: 0,
      keyframeBytes: 0,
    });
    expect(await engine.client.imports.list()).toEqual([]);
    const anew = await finish(
      (await engine.client.imports.start({ paths: [join(card, 'DCIM', '100GOPRO', 'GX010043.MP4')] })).id,
    );
    expect(anew.counts.imported).toBe(1);
  });
});
