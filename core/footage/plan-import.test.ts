import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Recording } from '../contract/index.ts';
import type { ImportPlan, PlannedRecording } from './plan.ts';
import { MISSING_CHAPTER, type PlanOptions, planImport } from './plan-import.ts';
import { type ClipOptions, makeClip, makeTestFolder } from './testing/make-clip.ts';
import { addGpmf, gps5Payload } from './testing/make-gpmf.ts';

const footage = resolve('../shared/data/footage');
const NOW = Date.parse('2026-08-01T12:00:00Z');
const MORNING = '2026-07-01T08:15:00Z';
let root = '';
let seed = 0;

beforeAll(async () => {
  root = await makeTestFolder('plan');
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A clip unlike any other, at this place under the test folder. */
function clip(name: string, options: Partial<ClipOptions> = {}): Promise<string> {
  seed += 1;
  return makeClip({ path: join(root, name), fps: 5, seed, creationTime: MORNING, ...options });
}

async function copy(from: string, name: string): Promise<string> {
  const to = join(root, name);
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
  return to;
}

const plan = (paths: string[], options: Partial<PlanOptions> = {}) =>
  planImport(paths, {
    zone: null,
    shiftMs: 0,
    computerZone: 'UTC',
    knownChapters: new Map(),
    knownRecordings: [],
    nowMs: NOW,
    ...options,
  });

const outcomes = (made: ImportPlan) =>
  Object.fromEntries(made.files.map((file) => [file.name, file.outcome]));
const chapters = (made: ImportPlan) =>
  made.recordings.map((one) => one.chapters.map((c) => basename(c.path)));
const startOf = (one: PlannedRecording) => new Date(one.clock.startMs).toISOString();

/** What the library holds after a plan was imported. */
function imported(planned: PlannedRecording): Recording {
  const last = planned.chapters.at(-1)!;
  return {
    id: `r${planned.chapters[0]!.id.slice(1)}`,
    name: planned.name,
    family: planned.family,
    camera: planned.camera,
    takeKey: planned.takeKey,
    startMs: planned.clock.startMs,
    endMs: last.startMs + last.durationMs,
    clock: planned.clock,
    chapters: planned.chapters.map(({ media: _m, picture: _p, subtitlePaths: _s, ...chapter }) => chapter),
    hasSound: planned.hasSound,
    notes: planned.notes,
    importedAtMs: NOW,
  };
}

function library(made: ImportPlan): Pick<PlanOptions, 'knownChapters' | 'knownRecordings'> {
  const knownRecordings = made.recordings.map(imported);
  const entries = knownRecordings.flatMap((recording) =>
    recording.chapters.map((c) => [c.id, { recordingId: recording.id, path: c.path }] as const),
  );
  return { knownRecordings, knownChapters: new Map(entries) };
}

describe('chapters', () => {
  it('are ordered by take and chapter, not as text', async () => {
    for (const name of ['GH011552', 'GH011553', 'GH021552', 'GH021553']) await clip(`order/${name}.MP4`);
    const made = await plan([join(root, 'order')]);
    expect(chapters(made).sort()).toEqual([
      ['GH011552.MP4', 'GH021552.MP4'],
      ['GH011553.MP4', 'GH021553.MP4'],
    ]);
  });

  it("follow on by real length although they share the take's creation_time", async () => {
    for (const name of ['GX010042', 'GX020042', 'GX030042']) await clip(`shared/${name}.MP4`, { seconds: 3 });
    const [take] = (await plan([join(root, 'shared')])).recordings;
    const offsets = take!.chapters.map((c) => c.startMs - Date.parse(MORNING));
    expect(offsets[0]).toBe(0);
    expect(offsets[1]).toBe(take!.chapters[0]!.durationMs);
    expect(offsets[2]).toBe(take!.chapters[0]!.durationMs + take!.chapters[1]!.durationMs);
    expect(take!.chapters.map((c) => c.gapBeforeMs)).toEqual([0, 0, 0]);
  });

  it('show a missing middle chapter as a gap, and keep a hand-stopped next take apart', async () => {
    await clip('gap/GX010123.MP4');
    await clip('gap/GX030123.MP4');
    await clip('gap/GX010124.MP4');
    const made = await plan([join(root, 'gap')]);
    expect(chapters(made)).toEqual([['GX010123.MP4', 'GX030123.MP4'], ['GX010124.MP4']]);
    const [take, next] = made.recordings;
    expect(take!.chapters[1]).toMatchObject({ number: 3, gapBeforeMs: take!.chapters[0]!.durationMs });
    expect(take!.notes).toContain(MISSING_CHAPTER);
    expect(next!.notes).not.toContain(MISSING_CHAPTER);
  });

  it('of older cameras are known, and late ones join the recording they belong to', async () => {
    const first = await clip('late/GOPR0123.MP4');
    const middle = await clip('late/GP010123.MP4');
    const last = await clip('late/GP020123.MP4');
    const early = await plan([middle]);
    expect(early.recordings[0]!.chapters[0]!.number).toBe(2);
    expect(early.recordings[0]!.notes.join(' ')).toMatch(/beginning of this take is missing/);
    expect(early.recordings[0]!.clock.uncertain).toBe(true);
    const held = library(early);
    const later = await plan([first, middle, last], held);
    expect(later.recordings).toHaveLength(1);
    expect(later.recordings[0]!.joins).toBe(held.knownRecordings[0]!.id);
    expect(later.recordings[0]!.chapters.map((c) => c.number)).toEqual([1, 3]);
    expect(outcomes(later)).toEqual({
      'GOPR0123.MP4': 'pending',
      'GP010123.MP4': 'duplicate',
      'GP020123.MP4': 'pending',
    });
    const alone = await plan([last], held);
    const known = held.knownRecordings[0]!;
    expect(alone.recordings[0]!.joins).toBe(known.id);
    expect(alone.recordings[0]!.chapters[0]!.startMs).toBe(known.endMs);
  });

  it('of two cameras with one name stay two recordings, also when the second comes later', async () => {
    const a = await clip('two/A/GX010017.MP4');
    const b = await clip('two/B/GX010017.MP4');
    const both = await plan([join(root, 'two')]);
    expect(both.recordings).toHaveLength(2);
    expect(new Set(both.recordings.map((one) => one.chapters[0]!.path))).toEqual(new Set([a, b]));
    const second = await plan([b], library(await plan([a])));
    expect(second.recordings[0]!.joins).toBeNull();
  });

  it("go on in the card's next folder, but not in another camera's", async () => {
    await clip('card/100GOPRO/GX010500.MP4');
    await clip('card/101GOPRO/GX020500.MP4');
    await clip('card/other/GX020500.MP4', { creationTime: '2026-06-01T08:00:00Z' });
    expect(chapters(await plan([join(root, 'card')]))).toContainEqual(['GX010500.MP4', 'GX020500.MP4']);
  });
});

describe('time', () => {
  it('by satellites is carried over the chapters of a take and to other takes of the camera', async () => {
    // Local time (UTC−7) labelled UTC, as the camera writes it; GPS locks only in the second chapter.
    const tags = { firmware: 'HD9.01.01.60.00' };
    const mark = {
      seconds: 3,
      handler: 'GoPro AVC',
      tags,
      mdtaTags: true,
      creationTime: '2026-07-01T05:00:00Z',
    };
    await clip('gps/GX010001.MP4', mark);
    const second = await clip('gps/GX020001.MP4', mark);
    await clip('gps/GX010002.MP4', { ...mark, creationTime: '2026-07-01T06:00:00Z' });
    const lock = { fix: 3, lat: 34.05, lon: -118.24 };
    const utcMs = Date.parse('2026-07-01T12:00:03.000Z');
    await addGpmf(
      second,
      [0, 1, 2].map((i) => gps5Payload({ ...lock, utcMs: utcMs + i * 1000 })),
    );
    const made = await plan([join(root, 'gps')]);
    const [take, indoors] = made.recordings;
    expect(take!.clock).toMatchObject({ basis: 'gps', zone: 'America/Los_Angeles', uncertain: false });
    expect(Math.abs(take!.clock.startMs - Date.parse('2026-07-01T12:00:00Z'))).toBeLessThan(200);
    expect(take!.chapters[1]!.startMs - take!.chapters[0]!.startMs).toBe(take!.chapters[0]!.durationMs);
    expect(indoors!.clock.basis).toBe('creation_time');
    expect(Math.abs(indoors!.clock.startMs - Date.parse('2026-07-01T13:00:00Z'))).toBeLessThan(200);
  });

  it('is shifted for the whole drop, chapters included', async () => {
    await clip('shift/GX010009.MP4');
    await clip('shift/GX020009.MP4');
    const [take] = (await plan([join(root, 'shift')], { shiftMs: 3_600_000 })).recordings;
    expect([startOf(take!), take!.clock.basis]).toEqual(['2026-07-01T09:15:00.000Z', 'corrected']);
    expect(take!.chapters[1]!.startMs).toBe(take!.chapters[0]!.startMs + take!.chapters[0]!.durationMs);
  });

  it('is uncertain without any date in the file, and for a camera that was never set', async () => {
    const plain = await makeClip({ path: join(root, 'when/video-no-date.mp4'), seed: 901 });
    const unset = await clip('when/GH010050.MP4', { creationTime: '2016-01-01T00:03:12Z' });
    await utimes(plain, NOW / 1000, Date.parse('2026-07-03T10:00:00Z') / 1000);
    await utimes(unset, NOW / 1000, Date.parse('2016-01-01T00:03:12Z') / 1000);
    const made = await plan([join(root, 'when')]);
    expect(made.recordings.map((one) => [one.name, one.clock.basis, one.clock.uncertain])).toEqual([
      ['GH010050', 'creation_time', true],
      ['video-no-date', 'file_date', true],
    ]);
    expect(made.recordings[0]!.clock.note).toMatch(/looks unset/);
  });

  it('refuses a zone that is none', async () => {
    await expect(plan([root], { zone: 'Nowhere/Land' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('what lies beside recordings', () => {
  it('is told as what it is, and never becomes a recording', async () => {
    await clip('beside/GX010123.MP4');
    await writeFile(join(root, 'beside/GX010123.THM'), 'still');
    await writeFile(join(root, 'beside/GX010123.srt'), '1\n00:00:00,000 --> 00:00:01,000\nAnna: hello\n');
    await clip('beside/DJI_0001.MP4');
    await writeFile(
      join(root, 'beside/DJI_0001.SRT'),
      '1\n00:00:00,000 --> 00:00:01,000\nF/2.8, SS 30.15, ISO 260, GPS (19.9, 50.0, 17)\n',
    );
    await writeFile(join(root, 'beside/lonely.vtt'), 'WEBVTT\n\n00:00.000 --> 00:01.000\nhi\n');
    await writeFile(join(root, 'beside/._GX010123.MP4'), 'resource');
    await writeFile(join(root, 'beside/photo.jpg'), 'photo');
    await writeFile(join(root, 'beside/notes.txt'), 'words');
    await writeFile(join(root, 'beside/source.ts'), 'export const x = 1;');
    const made = await plan([join(root, 'beside')]);
    expect(outcomes(made)).toEqual({
      '._GX010123.MP4': 'skipped',
      'DJI_0001.MP4': 'pending',
      'DJI_0001.SRT': 'sidecar',
      'GX010123.MP4': 'pending',
      'GX010123.THM': 'sidecar',
      'GX010123.srt': 'sidecar',
      'lonely.vtt': 'skipped',
      'notes.txt': 'skipped',
      'photo.jpg': 'skipped',
      'source.ts': 'skipped',
    });
    const speech = Object.fromEntries(
      made.recordings.map((one) => [one.name, one.chapters[0]!.subtitlePaths.length]),
    );
    expect(speech).toEqual({ GX010123: 1, DJI_0001: 0 });
  });

  it('is used when only the recording itself is dropped, without a row of its own', async () => {
    const master = await clip('single/GX010102.MP4', { width: 1280, height: 720 });
    const small = await clip('scratch/single.mp4', { width: 768, height: 432 });
    const proxy = await copy(small, 'single/GL010102.LRV');
    const speech = join(root, 'single/GX010102.en.srt');
    await writeFile(speech, '1\n00:00:00,000 --> 00:00:01,000\nAnna: hello\n');
    const other = await clip('single/GX010102_hi.MP4');
    await writeFile(join(root, 'single/GX010102_hi.srt'), '1\n00:00:00,000 --> 00:00:01,000\nhi\n');
    const made = await plan([master]);
    expect(outcomes(made)).toEqual({ 'GX010102.MP4': 'pending' });
    expect(made.recordings[0]!.chapters[0]).toMatchObject({ proxyPath: proxy, subtitlePaths: [speech] });
    const both = await plan([master, speech, other]);
    expect(outcomes(both)).toEqual({
      'GX010102.MP4': 'pending',
      'GX010102.en.srt': 'sidecar',
      'GX010102_hi.MP4': 'pending',
    });
    expect(both.recordings.map((one) => one.chapters[0]!.subtitlePaths.length)).toEqual([1, 1]);
  });

  it('is read in place of a dropped recording that is broken, and then told', async () => {
    await copy(await clip('scratch/beside-broken.mp4'), 'rescued/GL010305.LRV');
    await writeFile(join(root, 'rescued/GX010305.MP4'), '');
    const made = await plan([join(root, 'rescued/GX010305.MP4')]);
    expect(outcomes(made)).toEqual({ 'GL010305.LRV': 'pending', 'GX010305.MP4': 'unreadable' });
    expect(made.recordings).toHaveLength(1);
  });

  it('and holds speech of a recording in the library is told with what to do', async () => {
    const master = await clip('later/GX010310.MP4');
    const held = library(await plan([master]));
    await writeFile(join(root, 'later/GX010310.srt'), '1\n00:00:00,000 --> 00:00:01,000\nAnna: hello\n');
    for (const dropped of [master, join(root, 'later')]) {
      const made = await plan([dropped], held);
      expect(outcomes(made)).toEqual({ 'GX010310.MP4': 'duplicate', 'GX010310.srt': 'sidecar' });
      expect(made.files[1]!.reason).toMatch(/forget that recording and import it again/);
    }
  });

  it('and is a library or no file at all is skipped, with the reason', async () => {
    await mkdir(join(root, 'own/library/memory'), { recursive: true });
    await writeFile(join(root, 'own/library/footnote.json'), '{"format":1}');
    await symlink(join(root, 'nowhere'), join(root, 'own/dead.MP4'));
    const made = await plan([join(root, 'own')]);
    expect(outcomes(made)).toEqual({ 'dead.MP4': 'skipped', library: 'skipped' });
    expect(made.files.every((file) => file.reason)).toBe(true);
  });

  it("the camera's low-resolution copy is read in place of the big file when it matches", async () => {
    const master = await clip('proxy/GX010200.MP4', { width: 1280, height: 720, fps: 5 });
    const proxy = await clip('proxy/small.mp4', { width: 768, height: 432 });
    const copied = await copy(proxy, 'proxy/GL010200.LRV');
    await rm(proxy);
    const made = await plan([join(root, 'proxy')]);
    const chapter = made.recordings[0]!.chapters[0]!;
    expect(made.recordings).toHaveLength(1);
    expect([chapter.path, chapter.proxyPath]).toEqual([master, copied]);
    expect([chapter.media.video?.width, chapter.picture.video?.width]).toEqual([1280, 768]);
    expect(made.recordings[0]!.notes.join(' ')).toMatch(/low-resolution copy/);
    expect(outcomes(made)['GL010200.LRV']).toBe('sidecar');
  });

  it('a copy of another length, or one that shows too little, is not read', async () => {
    await clip('unfit/GX010201.MP4', { width: 1280, height: 720 });
    await copy(await clip('scratch/long.mp4', { width: 768, height: 432, seconds: 5 }), 'unfit/GL010201.LRV');
    await clip('unfit/GX010202.MP4', { width: 640, height: 360 });
    await copy(await clip('scratch/tiny.mp4', { width: 320, height: 180 }), 'unfit/GL010202.LRV');
    const made = await plan([join(root, 'unfit')]);
    expect(made.recordings.every((one) => one.chapters[0]!.proxyPath === null)).toBe(true);
    const reasons = made.files.filter((f) => f.outcome === 'sidecar').map((f) => f.reason);
    expect(reasons.join('\n')).toMatch(/length differs[\s\S]*shows more/);
  });

  it('a copy without its master, or beside a broken one, is imported with a note; a later master is told', async () => {
    const small = await clip('scratch/alone.mp4', { width: 320, height: 180 });
    await copy(small, 'alone/GL010300.LRV');
    await copy(await clip('scratch/rescue.mp4'), 'alone/GL010301.LRV');
    await writeFile(join(root, 'alone/GX010301.MP4'), '');
    const made = await plan([join(root, 'alone')]);
    expect(outcomes(made)).toEqual({
      'GL010300.LRV': 'pending',
      'GL010301.LRV': 'pending',
      'GX010301.MP4': 'unreadable',
    });
    expect(made.recordings.map((one) => one.notes.join(' ')).join('\n')).toMatch(
      /original shows more[\s\S]*cannot be read/,
    );
    const master = await clip('master/GX010300.MP4', { width: 640, height: 360 });
    const held = library(made);
    expect(outcomes(await plan([master], held))).toEqual({ 'GX010300.MP4': 'duplicate' });
  });

  it('360 recordings are told: both lenses in one skipped, a lens of its own read once as a flat view', async () => {
    await copy(await clip('scratch/sphere.mp4'), 'sphere/GS010128.360');
    await copy(await clip('scratch/sphere-small.mp4'), 'sphere/GS010128.LRV');
    await copy(await clip('scratch/front.mp4'), 'sphere/VID_20260701_081500_00_001.insv');
    await copy(await clip('scratch/rear.mp4'), 'sphere/VID_20260701_081500_10_001.insv');
    const made = await plan([join(root, 'sphere')]);
    expect(outcomes(made)).toEqual({
      'GS010128.360': 'skipped',
      'GS010128.LRV': 'sidecar',
      'VID_20260701_081500_00_001.insv': 'pending',
      'VID_20260701_081500_10_001.insv': 'sidecar',
    });
    expect(made.files[0]!.reason).toMatch(/360/);
    expect(made.recordings[0]!.notes.join(' ')).toMatch(/flat view/);
  });
});

describe('duplicates', () => {
  it('are found by content under any name, and the original is the one that is read', async () => {
    const original = await clip('dup/DCIM/GX010042.MP4');
    await copy(original, 'dup/A/GX010042 (1).MP4');
    await copy(original, 'dup/holiday.mp4');
    const made = await plan([join(root, 'dup')]);
    expect(made.recordings.map((one) => one.chapters.map((c) => c.path))).toEqual([[original]]);
    expect(made.files.filter((f) => f.outcome === 'duplicate')).toHaveLength(2);
  });

  it('of what the library holds whole are told, of what it holds in part are read on', async () => {
    const path = await clip('held/GX010043.MP4');
    const first = await plan([path]);
    const held = library(first);
    const again = await plan([path], held);
    expect(again.recordings).toEqual([]);
    expect(again.files[0]).toMatchObject({ outcome: 'duplicate' });
    const partly = await plan([path], { ...held, knownChapters: new Map() });
    expect(partly.recordings[0]!.joins).toBe(held.knownRecordings[0]!.id);
    expect(partly.recordings[0]!.chapters[0]!.startMs).toBe(first.recordings[0]!.chapters[0]!.startMs);
  });
});

describe('files with something wrong', () => {
  it('never stop the rest, and each is told with its reason', async () => {
    const good = await clip('bad/GX010001.MP4');
    await writeFile(join(root, 'bad/GX010002.MP4'), '');
    await writeFile(join(root, 'bad/GX010003.MP4'), Buffer.alloc(300_000));
    await writeFile(join(root, 'bad/GX010004.MP4'), (await readFile(good)).subarray(0, 6000));
    await writeFile(join(root, 'bad/GX010005.MP4'), 'words, not film. '.repeat(99));
    const cut = await clip('bad/GX010006.MP4', { indexFirst: true });
    await truncate(cut, Math.floor((await readFile(cut)).length * 0.7));
    await clip('bad/sound.mp4', { picture: false });
    await clip("bad/it's a d#y 100% é.mp4", { sound: false });
    const made = await plan([join(root, 'bad'), join(root, 'gone.mp4')]);
    const told = Object.fromEntries(made.files.map((f) => [f.name, f.code ?? f.outcome]));
    expect(told).toEqual({
      'GX010001.MP4': 'pending',
      'GX010002.MP4': 'FILE_EMPTY',
      'GX010003.MP4': 'FILE_EMPTY',
      'GX010004.MP4': 'FILE_UNFINISHED',
      'GX010005.MP4': 'FILE_UNREADABLE',
      'GX010006.MP4': 'pending',
      'sound.mp4': 'FILE_NO_PICTURE',
      "it's a d#y 100% é.mp4": 'pending',
      'gone.mp4': 'FILE_MISSING',
    });
    expect(made.files.every((f) => f.outcome === 'pending' || f.reason)).toBe(true);
    expect(made.files.find((f) => f.name === 'GX010006.MP4')?.notes.join(' ')).toMatch(/cut short/);
    expect(made.recordings.map((one) => one.hasSound).filter((has) => !has)).toHaveLength(1);
  });

  it('stop when the person cancels', async () => {
    await expect(plan([join(root, 'bad')], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('report how far looking has come', async () => {
    const seen: number[] = [];
    const made = await plan([join(root, 'bad')], { onScanned: (done, total) => seen.push(done / total) });
    expect(seen.at(-1)).toBe(1);
    expect(made.files).toHaveLength(8);
  });
});

describe.skipIf(!existsSync(footage))('real footage (needs the real footage)', () => {
  it('puts every clip on the right clock', async () => {
    const made = await plan([footage]);
    const clocks = Object.fromEntries(made.recordings.map((one) => [one.name, one]));
    const max = clocks['gopro-max-heromode']!;
    expect(max).toMatchObject({
      family: 'gopro',
      camera: 'GoPro Max',
      clock: { basis: 'gps', zone: 'America/Los_Angeles' },
    });
    expect(Math.abs(max.clock.startMs - Date.parse('2019-11-18T23:45:15Z'))).toBeLessThan(3000);
    const phone = clocks['iphone6-portrait-cover-gps']!;
    expect(phone).toMatchObject({
      family: 'phone',
      camera: 'Apple iPhone 6',
      clock: { zone: 'Asia/Jerusalem', uncertain: false },
    });
    expect(startOf(clocks['phone-geese-gps']!)).toBe('2020-11-20T14:04:36.000Z');
    expect(clocks['egolife-clock-131s']!.clock).toMatchObject({ basis: 'file_date', uncertain: true });
    expect(made.files.find((f) => f.name === 'audio-only-speech.mp4')?.code).toBe('FILE_NO_PICTURE');
    expect(made.files.every((f) => f.outcome === 'pending' || f.reason)).toBe(true);
  });
});
