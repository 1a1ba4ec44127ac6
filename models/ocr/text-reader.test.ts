import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTextReader, type TextReader } from './text-reader.ts';

const require = createRequire(import.meta.url);
const fonts = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');

interface Drawn {
  rgb: Uint8Array;
  width: number;
  height: number;
}

/** A picture with blocks of dark text on a light wall, each centred at (x, y). */
async function draw(
  width: number,
  height: number,
  blocks: { text: string; x: number; y: number; size: number; tilt?: number }[],
): Promise<Drawn> {
  const placed = await Promise.all(
    blocks.map(async ({ text, x, y, size, tilt = 0 }) => {
      const letters = sharp({
        text: {
          text: `<span foreground="#202020">${text.replace(/&/g, '&amp;')}</span>`,
          font: `DejaVu Sans Bold ${size}`,
          fontfile: join(fonts, 'DejaVuSans-Bold.ttf'),
          rgba: true,
        },
      });
      const { data, info } = await sharp(await letters.png().toBuffer())
        .rotate(tilt, { background: '#00000000' })
        .png()
        .toBuffer({ resolveWithObject: true });
      return { input: data, left: Math.round(x - info.width / 2), top: Math.round(y - info.height / 2) };
    }),
  );
  const data = await sharp({ create: { width, height, channels: 3, background: '#d8d4c8' } })
    .composite(placed)
    .removeAlpha()
    .raw()
    .toBuffer();
  return { rgb: new Uint8Array(data), width, height };
}

describe('text reader', () => {
  let reader: TextReader;
  const read = async (picture: Drawn) => reader.read(picture.rgb, picture.width, picture.height);

  beforeAll(async () => {
    const loaded = await loadTextReader();
    if (!loaded) throw new Error('the weights are a dependency and must load');
    reader = loaded;
  });
  afterAll(async () => {
    await reader.dispose();
  });

  it('reads lines from top to bottom, with boxes around them', async () => {
    const lines = await read(
      await draw(640, 360, [
        { text: 'PARKING P2', x: 320, y: 90, size: 40 },
        { text: 'Level 3 Row D', x: 320, y: 240, size: 32 },
      ]),
    );
    expect(lines.map((line) => line.text)).toEqual(['PARKING P2', 'Level 3 Row D']);
    for (const { confidence, box } of lines) {
      expect(confidence).toBeGreaterThan(0.9);
      expect(box.x).toBeLessThan(0.4);
      expect(box.x + box.width).toBeGreaterThan(0.6);
    }
    expect(lines[0]!.box.y + lines[0]!.box.height).toBeLessThan(lines[1]!.box.y);
  });

  it('keeps the spaces between words and puts none into an address', async () => {
    const lines = await read(
      await draw(704, 396, [
        { text: 'OPEN 8:00 - 19:00', x: 352, y: 70, size: 30 },
        { text: 'alex.morgan@example.com', x: 352, y: 180, size: 28 },
        { text: '400 mg', x: 352, y: 300, size: 30 },
      ]),
    );
    expect(lines[0]!.text).toMatch(/^OPEN 8:00 ?- ?19:00$/);
    expect(lines[1]!.text).toBe('alex.morgan@example.com');
    expect(lines[2]!.text).toBe('400 mg');
  });

  it('reads a tilted line and one that runs downwards', async () => {
    const tilted = await read(
      await draw(640, 480, [{ text: 'MILL STREET', x: 320, y: 240, size: 36, tilt: 18 }]),
    );
    expect(tilted.map((line) => line.text)).toEqual(['MILL STREET']);
    const down = await read(
      await draw(400, 480, [{ text: 'LIGHTHOUSE', x: 200, y: 240, size: 36, tilt: 90 }]),
    );
    expect(down.map((line) => line.text)).toEqual(['LIGHTHOUSE']);
  });

  it('reads a picture larger than the detector takes, and one whose sides fit no grid', async () => {
    const large = await read(await draw(1907, 1071, [{ text: 'DEPARTURES', x: 950, y: 500, size: 90 }]));
    expect(large.map((line) => line.text)).toEqual(['DEPARTURES']);
    const odd = await read(await draw(333, 201, [{ text: 'EXIT', x: 166, y: 100, size: 34 }]));
    expect(odd.map((line) => line.text)).toEqual(['EXIT']);
  });

  it('finds nothing in a black picture or in one of a few pixels', async () => {
    expect(await reader.read(new Uint8Array(640 * 360 * 3), 640, 360)).toEqual([]);
    expect(await reader.read(new Uint8Array(4 * 4 * 3), 4, 4)).toEqual([]);
  });

  it('refuses bytes that do not match the size', async () => {
    await expect(reader.read(new Uint8Array(10), 640, 360)).rejects.toThrow(RangeError);
    await expect(reader.read(new Uint8Array(0), 0.5, 0)).rejects.toThrow(RangeError);
  });

  it('stops when told to', async () => {
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    await expect(reader.read(new Uint8Array(64 * 64 * 3), 64, 64, abort.signal)).rejects.toThrow('enough');
  });

  it('gives the same lines when asked twice at once', async () => {
    const picture = await draw(640, 360, [{ text: 'PLATFORM 4', x: 320, y: 180, size: 40 }]);
    const [one, two] = await Promise.all([read(picture), read(picture)]);
    expect(one).toEqual(two);
  });
});

describe('loading a text reader', () => {
  const weights = (folder: string) => ({
    detectionPath: join(folder, 'detection.onnx'),
    recognitionPath: join(folder, 'recognition.onnx'),
    dictionaryPath: join(folder, 'glyphs.txt'),
  });

  it('says why there is none when the weights are missing or broken, and throws nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weights-'));
    try {
      const reasons: string[] = [];
      const onMissing = (reason: string) => reasons.push(reason);
      expect(await loadTextReader({ weights: weights(folder), onMissing })).toBeNull();
      for (const path of Object.values(weights(folder))) await writeFile(path, 'version https://git-lfs');
      expect(await loadTextReader({ weights: weights(folder), onMissing })).toBeNull();
      expect(reasons).toHaveLength(2);
      for (const reason of reasons) expect(reason).toMatch(/^Text in pictures cannot be read: ./);
      expect(await readdir(folder)).toHaveLength(3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
