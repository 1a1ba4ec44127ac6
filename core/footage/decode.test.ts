import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DecodeRequest, FRAME_MS, openDecode, SOUND_RATE } from './decode.ts';
import { runTool } from './ffmpeg.ts';
import { canToneMap, clipSize, readingSize } from './picture-filter.ts';
import { probe } from './probe.ts';
import { makeClip, makeTestFolder } from './testing/make-clip.ts';

let dir: string;
beforeAll(async () => {
  dir = await makeTestFolder('decode');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

interface Read {
  frames: Uint8Array[];
  width: number;
  height: number;
  samples: number;
  damaged: boolean;
}

async function read(path: string, options: Partial<DecodeRequest> = {}): Promise<Read> {
  const media = await probe(path);
  let samples = 0;
  const decode = openDecode({
    picture: media,
    toneMap: await canToneMap(),
    sound: media,
    fromMs: 0,
    signal: new AbortController().signal,
    onSound: (chunk) => {
      samples += chunk.length;
    },
    ...options,
  });
  const frames: Uint8Array[] = [];
  for await (const frame of decode.frames()) frames.push(frame);
  const { damaged } = await decode.ended;
  return { frames, width: decode.width, height: decode.height, samples, damaged };
}

/** Mean luma of a part of a frame given in shares of its sides. */
function luma({ width, height }: Read, frame: Uint8Array, left = 0, top = 0, right = 1, bottom = 1): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.floor(top * height); y < bottom * height; y += 1) {
    for (let x = Math.floor(left * width); x < right * width; x += 1) {
      sum += frame[y * width + x]!;
      count += 1;
    }
  }
  return sum / count;
}

/** A film whose brightness tells its time: luma 20 + 25 × seconds, in the frames that are there. */
async function clock(path: string, select: string): Promise<void> {
  const result = await runTool('ffmpeg', [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', '-f', 'lavfi'],
    ...['-i', "color=black:s=64x48:r=30:d=8,format=yuv420p,geq=lum='20+25*T':cb=128:cr=128"],
    ...['-vf', select, '-vsync', 'vfr', '-c:v', 'libx264', '-qp', '1', '-g', '30', path],
  ]);
  if (result.code !== 0) throw new Error(result.stderr);
}

describe('decoding', () => {
  it('shows long pixels in their shape: a PAL picture as 16:9, upright too', async () => {
    for (const rotate of [0, 90] as const) {
      const path = await makeClip({
        ...{
          path: join(dir, `pal-${rotate}.mp4`),
          seconds: 0.5,
          width: 720,
          height: 576,
          rotate,
          sound: false,
        },
        extra: ['-filter:v:0', 'setsar=64/45'],
      });
      const got = await read(path, { sound: null });
      const { width, height } = clipSize((await probe(path)).video!);
      const upright = (long: number, short: number) => (rotate === 0 ? [long, short] : [short, long]);
      expect([got.width, got.height]).toEqual(upright(704, 396));
      expect([width, height]).toEqual(upright(640, 360));
      expect(got.frames).toHaveLength(5);
    }
  });

  it('shows at every tick what the footage shows then, with an uneven frame rate', async () => {
    const path = join(dir, 'vfr.mp4');
    // 30 a second, then 10, then 3.
    await clock(path, "select='lt(t,2)+between(t,2,5)*not(mod(n,3))+gte(t,5)*not(mod(n,10))'");
    const got = await read(path, { sound: null });
    expect(got.frames.length).toBeGreaterThanOrEqual(70);
    for (const [n, frame] of got.frames.entries()) {
      const ms = n * FRAME_MS;
      const step = ms < 2000 ? 1000 / 30 : ms < 5000 ? 100 : 1000 / 3;
      const shown = ((luma(got, frame) - 20) / 25) * 1000;
      expect(shown).toBeLessThanOrEqual(ms + 60);
      expect(shown).toBeGreaterThan(ms - step - 60);
    }
  });

  it('gives the same pictures when it begins later', async () => {
    const path = join(dir, 'seek.mp4');
    await clock(path, 'null');
    const whole = await read(path, { sound: null });
    const later = await read(path, { sound: null, fromMs: 3_700 });
    expect(later.frames).toHaveLength(whole.frames.length - 37);
    expect(Buffer.compare(later.frames[0]!, whole.frames[37]!)).toBe(0);
    expect(Buffer.compare(later.frames.at(-1)!, whole.frames.at(-1)!)).toBe(0);
  });

  it.each([0, 90, 180, 270] as const)(
    'turns a picture stored %i degrees off upright once',
    async (rotate) => {
      const path = join(dir, `turn-${rotate}.mp4`);
      // Bright in the stored top left quarter.
      await makeClip({
        path,
        seconds: 1,
        width: 160,
        height: 90,
        rotate,
        source: 'color=black',
        extra: ['-vf', 'drawbox=0:0:80:45:white:t=fill'],
      });
      const got = await read(path);
      const lying = rotate === 90 || rotate === 270;
      expect([got.width, got.height]).toEqual(lying ? [90, 160] : [160, 90]);
      const corners = [
        luma(got, got.frames[0]!, 0, 0, 0.4, 0.4),
        luma(got, got.frames[0]!, 0.6, 0, 1, 0.4),
        luma(got, got.frames[0]!, 0.6, 0.6, 1, 1),
        luma(got, got.frames[0]!, 0, 0.6, 0.4, 1),
      ];
      expect(corners.indexOf(Math.max(...corners))).toBe(rotate / 90);
    },
  );

  it('hears sound from the start of the pictures, 16 kHz', async () => {
    const path = join(dir, 'sound.mp4');
    await makeClip({ path, seconds: 2 });
    const { samples } = await read(path);
    expect(Math.abs(samples - 2 * SOUND_RATE)).toBeLessThan(SOUND_RATE / 5);
    const later = await read(path, { fromMs: 1000 });
    expect(Math.abs(later.samples - SOUND_RATE)).toBeLessThan(SOUND_RATE / 5);
  });

  it('reads a file without sound, with a data track and an odd name', async () => {
    const path = join(dir, `it's a d#y 100% día.mp4`);
    await makeClip({ path, seconds: 1, sound: false, timecode: '10:00:00:00' });
    const { frames, samples } = await read(path);
    expect(frames).toHaveLength(10);
    expect(samples).toBe(0);
  });

  it('brings ten bit HDR to eight bit', async () => {
    const path = join(dir, 'hdr.mp4');
    await makeClip({
      path,
      seconds: 1,
      codec: 'libx265',
      pixelFormat: 'yuv420p10le',
      transfer: 'arib-std-b67',
    });
    for (const toneMap of [true, false]) {
      const got = await read(path, { toneMap: toneMap && (await canToneMap()) });
      expect(got.frames).toHaveLength(10);
      expect(luma(got, got.frames[5]!)).toBeGreaterThan(30);
    }
  });

  it('ends when it is no longer listened to, and when the signal says so', async () => {
    const path = join(dir, 'long.mp4');
    await makeClip({ path, seconds: 30 });
    const media = await probe(path);
    const abort = new AbortController();
    const request = { picture: media, toneMap: false, sound: media, fromMs: 0, onSound: () => undefined };
    const left = openDecode({ ...request, signal: abort.signal });
    for await (const _ of left.frames()) break;
    expect((await left.ended).damaged).toBe(false);
    const aborted = openDecode({ ...request, signal: abort.signal });
    await expect(async () => {
      for await (const _ of aborted.frames()) abort.abort();
    }).rejects.toMatchObject({ code: 'CANCELLED' });
    await aborted.ended;
  });

  it('gives what can be read of a file that is cut off, and says that it is damaged', async () => {
    const { readFile, writeFile } = await import('node:fs/promises');
    const whole = join(dir, 'whole.mp4');
    await makeClip({
      path: whole,
      seconds: 8,
      indexFirst: true,
      source: 'testsrc2',
      width: 320,
      height: 180,
    });
    const bytes = await readFile(whole);
    const cut = join(dir, 'cut.mp4');
    await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    const media = await probe(whole);
    const got = await read(whole, { picture: { ...media, path: cut }, sound: null });
    expect(got.damaged).toBe(true);
    expect(got.frames.length).toBeGreaterThan(10);
    expect(got.frames.length).toBeLessThan(80);
  });

  it('refuses a file without a picture', async () => {
    const path = join(dir, 'voice.mp4');
    await makeClip({ path, seconds: 1, picture: false });
    await expect(read(path)).rejects.toMatchObject({ code: 'FILE_NO_PICTURE' });
  });
});

describe('sizes', () => {
  it.each([
    [3840, 2160, [704, 396], [640, 360]],
    [2160, 3840, [396, 704], [360, 640]],
    [640, 480, [640, 480], [480, 360]],
    [320, 181, [320, 182], [320, 182]],
    [1408, 1408, [704, 704], [360, 360]],
    [5120, 1000, [704, 138], [704, 138]],
  ] as const)('of %i × %i are even, upright and never larger', (width, height, reading, clip) => {
    const sizeOf = (size: { width: number; height: number }) => [size.width, size.height];
    expect(sizeOf(readingSize({ width, height }))).toEqual(reading);
    expect(sizeOf(clipSize({ width, height }))).toEqual(clip);
  });
});
