import { existsSync } from 'node:fs';
import { open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FootnoteError } from '../contract/errors.ts';
import { fingerprint } from './fingerprint.ts';
import { isCutShort, probe } from './probe.ts';
import { type ClipOptions, makeClip, makeTestFolder } from './testing/make-clip.ts';

const footage = resolve('../shared/data/footage');
let folder = '';

beforeAll(async () => {
  folder = await makeTestFolder('probe');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const clip = (name: string, options: Partial<ClipOptions> = {}) =>
  makeClip({ path: join(folder, name), ...options });

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: FootnoteError) => error.code,
  );
}

describe.each(['ffprobe', 'ffmpeg'] as const)('probing with %s', (tool) => {
  it.each([0, 90, 180, 270] as const)('tells a picture turned by %i degrees upright', async (rotate) => {
    const path = await clip(`turned-${tool}-${rotate}.mp4`, { rotate });
    const { video } = await probe(path, { tool });
    expect(video?.rotation).toBe(rotate);
    expect([video?.width, video?.height]).toEqual(rotate % 180 === 0 ? [160, 90] : [90, 160]);
  });

  it('tells a picture of long or narrow pixels in the shape it is shown in, also when it is turned', async () => {
    const shapes: [string, number, number, 0 | 90 | 180, number, number][] = [
      ['64/45', 720, 576, 0, 1024, 576],
      ['8/9', 720, 480, 0, 720, 540],
      ['4/3', 120, 90, 90, 90, 160],
      ['3/4', 120, 90, 180, 120, 120],
      ['100/1', 160, 90, 0, 160, 90],
    ];
    for (const [aspect, width, height, rotate, shownWidth, shownHeight] of shapes) {
      const path = await clip(`aspect-${tool}-${width}-${rotate}-${aspect[0]}.mp4`, {
        ...{ seconds: 0.5, width, height, rotate, sound: false },
        extra: ['-filter:v:0', `setsar=${aspect}`],
      });
      const { video } = await probe(path, { tool });
      expect([video?.width, video?.height, video?.rotation]).toEqual([shownWidth, shownHeight, rotate]);
    }
  });

  it('tells how long a file plays, not when its clock stopped', async () => {
    for (const name of ['late.mp4', 'late.mkv', 'late.ts']) {
      const path = await clip(`${tool}-${name}`, { extra: ['-output_ts_offset', '3600'] });
      expect(Math.abs((await probe(path, { tool })).durationMs - 2000)).toBeLessThan(150);
    }
  });

  it('chooses the film, not the larger cover art', async () => {
    const path = await clip(`cover-${tool}.mp4`, { cover: { width: 600, height: 600 } });
    expect((await probe(path, { tool })).video).toMatchObject({ codec: 'h264', width: 160 });
  });

  it('does not mind data tracks, and knows the length and the sound', async () => {
    const path = await clip(`data-${tool}.mp4`, { timecode: '10:00:00:00' });
    const media = await probe(path, { tool });
    expect(media.audio).toMatchObject({ codec: 'aac', sampleRate: 16_000, channels: 1 });
    expect(Math.abs(media.durationMs - 2000)).toBeLessThan(100);
    expect(media.gpmdIndex).toBeNull();
  });

  it('finds text tracks with their language', async () => {
    const subtitles = '1\n00:00:00,000 --> 00:00:01,000\nhello\n';
    const path = await clip(`text-${tool}.mp4`, { subtitles, language: 'pol' });
    expect((await probe(path, { tool })).subtitles).toMatchObject([{ codec: 'mov_text', language: 'pol' }]);
  });

  it('sees HDR by its transfer', async () => {
    const hdr = { codec: 'libx265', pixelFormat: 'yuv420p10le', transfer: 'arib-std-b67' } as const;
    const { video } = await probe(await clip(`hlg-${tool}.mp4`, hdr), { tool });
    expect(video).toMatchObject({ codec: 'hevc', hdr: true, pixelFormat: 'yuv420p10le' });
    expect((await probe(await clip(`sdr-${tool}.mp4`), { tool })).video?.hdr).toBe(false);
  });

  it('reads maker and time from the tags', async () => {
    const creationTime = '2026-07-01T12:00:00Z';
    const path = await clip(`tags-${tool}.mp4`, { creationTime, handler: 'GoPro AVC' });
    const { tags } = await probe(path, { tool });
    expect(tags.creation_time).toMatch(/^2026-07-01T12:00:00/);
    expect(tags.handler_name).toBe('GoPro AVC');
  });

  it('opens names with quotes, percent signs, hashes, line breaks and letters of any language', async () => {
    for (const name of ["it's a d#y 100%.mp4", 'día 日本 – "x".mp4', 'line\nbreak %03d.mp4', '-dash.mp4']) {
      const path = await clip(`${tool}/${name}`);
      expect((await probe(path, { tool })).video?.width).toBe(160);
    }
  });

  it('tells what is wrong with a file by code', async () => {
    const good = await clip(`good-${tool}.mp4`);
    const at = (name: string) => join(folder, `${tool}-${name}`);
    await writeFile(at('zero.MP4'), '');
    await writeFile(at('zeros.MP4'), Buffer.alloc(1_000_000));
    await writeFile(at('cut.MP4'), (await readFile(good)).subarray(0, 8000));
    await writeFile(at('noise.MP4'), Buffer.from('not a film at all '.repeat(500)));
    await writeFile(at('words.txt'), 'some words\n');
    await writeFile(at('words.MP4'), 'WEBVTT\n\n00:01.000 --> 00:02.000\nhi\n');
    await writeFile(
      at('list.MP4'),
      '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:9/x.ts\n',
    );
    await clip(`${tool}-sound.mp4`, { picture: false });
    const codes: Record<string, string> = {};
    for (const name of [
      'zero.MP4',
      'zeros.MP4',
      'cut.MP4',
      'noise.MP4',
      'words.txt',
      'sound.mp4',
      'gone.MP4',
    ]) {
      codes[name] = await codeOf(probe(at(name), { tool }));
    }
    expect(codes).toEqual({
      'zero.MP4': 'FILE_EMPTY',
      'zeros.MP4': 'FILE_EMPTY',
      'cut.MP4': 'FILE_UNFINISHED',
      'noise.MP4': 'FILE_UNREADABLE',
      'words.txt': 'FILE_NOT_FOOTAGE',
      'sound.mp4': 'FILE_NO_PICTURE',
      'gone.MP4': 'FILE_MISSING',
    });
    for (const name of ['words.MP4', 'list.MP4']) {
      expect(['FILE_NOT_FOOTAGE', 'FILE_UNREADABLE']).toContain(await codeOf(probe(at(name), { tool })));
    }
  });

  it('does not believe a length that no recording has', async () => {
    // Ten pictures, then ten more this many seconds later.
    const gap = (seconds: number) =>
      clip(`gap-${tool}-${seconds}.mkv`, {
        sound: false,
        extra: [
          ...['-filter:v:0', `setpts='PTS+gte(N,10)*${seconds}/TB'`, '-vsync', 'vfr'],
          ...['-t', String(2 * seconds), '-frames:v', '20'],
        ],
      });
    expect((await probe(await gap(30), { tool })).durationMs).toBeGreaterThan(31_000);
    for (const path of [await gap(49 * 3600), await gap(40 * 3600)]) {
      const problem = await probe(path, { tool }).catch((error: FootnoteError) => error);
      expect(problem).toMatchObject({ code: 'FILE_UNREADABLE' });
    }
  });

  it('gives up when asked to', async () => {
    const path = await clip(`stop-${tool}.mp4`);
    expect(await codeOf(probe(path, { tool, signal: AbortSignal.abort() }))).toBe('CANCELLED');
  });
});

describe('files that are not whole', () => {
  it('knows that a file with its index in front was cut', async () => {
    const path = await clip('front.mp4', { indexFirst: true });
    expect(await isCutShort(path)).toBe(false);
    await truncate(path, Math.floor((await readFile(path)).length * 0.6));
    expect(await isCutShort(path)).toBe(true);
    expect((await probe(path)).video?.width).toBe(160);
  });

  it('measures a film that does not tell its length', async () => {
    const path = await clip('live.h264', { sound: false, extra: ['-f', 'h264'] });
    const { durationMs } = await probe(path);
    expect(durationMs).toBeGreaterThan(500);
  });
});

describe('fingerprint', () => {
  it('is the same for the same content under another name, and another for other content', async () => {
    const a = await clip('a.mp4', { seed: 1 });
    const b = await clip('b.mp4', { seed: 2 });
    await writeFile(join(folder, 'copy of a.mp4'), await readFile(a));
    expect(await fingerprint(a)).toMatch(/^f[0-9a-f]{24}$/);
    expect(await fingerprint(join(folder, 'copy of a.mp4'))).toBe(await fingerprint(a));
    expect(await fingerprint(b)).not.toBe(await fingerprint(a));
  });

  it('reads files beyond 4 GiB by samples, quickly, and notices a change at the end', async () => {
    const path = join(folder, 'sparse.bin');
    const file = await open(path, 'w');
    await file.truncate(5 * 1024 ** 3);
    await file.write('head', 0);
    await file.close();
    const before = performance.now();
    const first = await fingerprint(path);
    expect(performance.now() - before).toBeLessThan(5000);
    const again = await open(path, 'r+');
    await again.write('tail', 5 * 1024 ** 3 - 4);
    await again.close();
    expect(await fingerprint(path)).not.toBe(first);
    await truncate(path, 5 * 1024 ** 3 - 1);
    expect(await fingerprint(path)).not.toBe(first);
  });

  it('and probing are right about a recording beyond 4 GiB', async () => {
    const path = await clip('huge.mp4', { indexFirst: true });
    const { size } = await stat(path);
    const head = Buffer.alloc(16);
    head.writeUInt32BE(1, 0);
    head.write('free', 4, 'latin1');
    head.writeBigUInt64BE(BigInt(5 * 1024 ** 3), 8);
    const file = await open(path, 'r+');
    await file.write(head, 0, 16, size);
    await file.truncate(size + 5 * 1024 ** 3);
    await file.close();
    expect((await probe(path)).video?.width).toBe(160);
    expect(await isCutShort(path)).toBe(false);
    await truncate(path, size + 4.5 * 1024 ** 3);
    expect(await isCutShort(path)).toBe(true);
  });

  it('says so when the file is gone', async () => {
    expect(await codeOf(fingerprint(join(folder, 'nothing.mp4')))).toBe('FILE_MISSING');
  });
});

describe.skipIf(!existsSync(footage))('real footage (needs the real footage)', () => {
  it('takes the larger of two pictures and the finer of two sounds', async () => {
    const media = await probe(join(footage, 'nasa-webb-speech.mp4'));
    expect(media.video).toMatchObject({ index: 3, width: 480, height: 270 });
    expect(media.audio).toMatchObject({ index: 4, sampleRate: 16_000 });
    expect(media.subtitles).toHaveLength(2);
  });

  it('finds the GoPro telemetry among five tracks and stands an iPhone clip upright', async () => {
    expect((await probe(join(footage, 'gopro-max-heromode.mp4'))).gpmdIndex).toBe(3);
    const phone = await probe(join(footage, 'iphone6-portrait-cover-gps.mov'));
    expect(phone.video).toMatchObject({ width: 320, height: 568, rotation: 90 });
  });
});
