import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FootnoteError } from '../contract/errors.ts';
import { probe } from '../footage/probe.ts';
import { makeSampleDay, type SampleDay, type SampleTruth } from './make-sample-day.ts';
import { TAKES } from './story.ts';

/** Five minutes of footage take their time on a small machine. */
const MAKING_MS = 600_000;
let dir: string;
let day: SampleDay;
const seen: number[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "sample day 100% #1 it's "));
  day = await makeSampleDay(join(dir, 'day'), { onProgress: (done, total) => seen.push(done / total) });
}, MAKING_MS);
afterAll(() => rm(dir, { recursive: true, force: true }));

const truth = async () => JSON.parse(await readFile(join(day.dir, 'questions.json'), 'utf8')) as SampleTruth;
const inDay = (file: string) => join(day.dir, ...file.split('/'));

describe('the sample day', () => {
  it('is a card of takes with chapters, proxy, thumbnail, subtitles and two other cameras', () => {
    const files = day.files.map((path) => relative(day.dir, path).replaceAll('\\', '/'));
    for (const file of [
      'DCIM/100GOPRO/GX010101.MP4',
      'DCIM/100GOPRO/GX020101.MP4',
      'DCIM/100GOPRO/GL010101.LRV',
      'DCIM/100GOPRO/GX010101.THM',
      'DCIM/100GOPRO/GX010101.srt',
      'DCIM/100MEDIA/DJI_20260515182000_0001_D.MP4',
      'Phone/PXL_20260515_080500123.mp4',
    ]) {
      expect(files).toContain(file);
    }
    expect(day.files.every((path) => existsSync(path))).toBe(true);
  });

  it('lasts four to six minutes at 1280×720, each take as long as its story', async () => {
    let total = 0;
    for (const take of TAKES) {
      const media = await probe(inDay(take.file));
      const seconds = take.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
      total += seconds;
      expect(media.video).toMatchObject({ width: 1280, height: 720, codec: 'h264' });
      expect(Math.abs(media.durationMs / 1000 - seconds)).toBeLessThan(0.1);
      expect(media.audio).not.toBeNull();
      expect(Date.parse(media.tags.creation_time ?? '')).toBe(Date.parse(take.creationTime));
    }
    expect(total).toBeGreaterThanOrEqual(240);
    expect(total).toBeLessThanOrEqual(360);
  });

  it('carries GPS telemetry where a camera has it', async () => {
    for (const take of TAKES) {
      const { gpmdIndex } = await probe(inDay(take.file));
      expect(gpmdIndex !== null).toBe(take.gps !== undefined);
    }
  });

  it('has subtitles that name who speaks, in order and within the take', async () => {
    const text = await readFile(inDay('Phone/PXL_20260515_080500123.srt'), 'utf8');
    expect(text).toContain('Dr. Novak: Take two tablets every eight hours, with food.');
    const { speech } = await truth();
    for (const [i, line] of speech.entries()) {
      expect(line.end).toBeGreaterThan(line.start);
      const next = speech[i + 1];
      if (next?.file === line.file) expect(next.start).toBeGreaterThan(line.end);
    }
  });

  it('asks at least twelve questions whose evidence lies in the footage, and two that it cannot answer', async () => {
    const { questions } = await truth();
    expect(questions).toEqual(day.questions);
    const answerable = questions.filter((q) => q.answerable);
    expect(answerable.length).toBeGreaterThanOrEqual(12);
    expect(questions.length - answerable.length).toBeGreaterThanOrEqual(2);
    for (const question of answerable) {
      expect(question.accept.length).toBeGreaterThan(0);
      expect(question.evidence.length).toBeGreaterThan(0);
      for (const { file, fromSeconds, toSeconds } of question.evidence) {
        const { durationMs } = await probe(inDay(file));
        expect(fromSeconds).toBeGreaterThanOrEqual(0);
        expect(toSeconds).toBeGreaterThan(fromSeconds);
        expect(toSeconds * 1000).toBeLessThanOrEqual(durationMs + 100);
      }
    }
  });

  it('tells its progress, from nothing to all', () => {
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('leaves nothing unfinished behind', async () => {
    const all = await readdir(day.dir, { recursive: true });
    expect(all.filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('making it again', () => {
  it('uses the complete day that is there', async () => {
    const before = await stat(day.files[0]!);
    const again = await makeSampleDay(day.dir);
    expect(again.reused).toBe(true);
    expect(again.files).toEqual(day.files);
    expect((await stat(day.files[0]!)).mtimeMs).toBe(before.mtimeMs);
  });

  it('stops when asked, and says that it was cancelled', async () => {
    const stop = new AbortController();
    const made = makeSampleDay(join(dir, 'stopped'), { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(made).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(existsSync(join(dir, 'stopped', 'questions.json'))).toBe(false);
  });

  it('fails plainly where no folder can be', async () => {
    const file = join(dir, 'a file');
    await writeFile(file, 'here');
    await expect(makeSampleDay(join(file, 'day'))).rejects.toBeInstanceOf(FootnoteError);
  });
});
