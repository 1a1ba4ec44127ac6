import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTextReader, type TextReader } from '../../models/ocr/text-reader.ts';
import { renderLettering } from '../sample/lettering.ts';
import { createTextObserver, type ReadText, type TextFrame } from './text.ts';

const WIDTH = 640;
const HEIGHT = 360;

type Block = { lines: string[]; x: number; y: number; size?: number; align?: 'left' | 'center' };

/** A wall with lettering on it, `shift` px to the right. */
async function frame(atMs: number, blocks: Block[], shift = 0): Promise<TextFrame> {
  const letters = await Promise.all(
    blocks.map(({ size = 30, x, ...block }) =>
      renderLettering({ ...block, x: x + shift, size, face: 'bold', color: '#202020' }),
    ),
  );
  const data = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#d8d4c8' } })
    .composite(letters)
    .removeAlpha()
    .raw()
    .toBuffer();
  return { rgb: new Uint8Array(data), width: WIDTH, height: HEIGHT, atMs };
}

describe('text observer', () => {
  let reader: TextReader;
  let readText: ReadText;
  let reads = 0;

  beforeAll(async () => {
    const loaded = await loadTextReader();
    if (!loaded) throw new Error('the weights are a dependency and must load');
    reader = loaded;
    readText = createTextObserver({
      name: loaded.name,
      read: (...args) => {
        reads++;
        return loaded.read(...args);
      },
      dispose: () => loaded.dispose(),
    });
  });
  afterAll(async () => {
    await reader.dispose();
  });

  it('merges a sign over the frames that show it while the camera moves, with its first and last instant', async () => {
    const sign = [{ lines: ['PHARMACY', 'OPEN TODAY'], x: 280, y: 180, size: 40 }];
    const found = await readText([
      await frame(1000, []),
      await frame(2000, sign),
      await frame(3000, sign, 25),
      await frame(4000, sign, 50),
      await frame(5000, []),
    ]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ text: 'PHARMACY\nOPEN TODAY', firstMs: 2000, lastMs: 4000 });
    expect(found[0]!.confidence).toBeGreaterThan(0.9);
  });

  it('keeps the instants of a clock apart', async () => {
    const clock = (text: string) => [{ lines: [text], x: 320, y: 180, size: 60 }];
    const found = await readText([
      await frame(1000, clock('11:22:38')),
      await frame(2000, clock('11:22:39')),
      await frame(3000, clock('11:22:40')),
    ]);
    expect(found.map(({ text, firstMs, lastMs }) => [text, firstMs, lastMs])).toEqual([
      ['11:22:38', 1000, 1000],
      ['11:22:39', 2000, 2000],
      ['11:22:40', 3000, 3000],
    ]);
  });

  it('puts a price with its item and keeps a receipt together, apart from a sign elsewhere', async () => {
    const receipt: Block[] = [
      { lines: ['PLASTERS', 'VITAMIN D', 'TOTAL'], x: 120, y: 110, size: 22, align: 'left' },
      { lines: ['4.20', '12.50', '16.70'], x: 300, y: 110, size: 22, align: 'left' },
      { lines: ['WAY OUT'], x: 520, y: 300, size: 30 },
    ];
    const found = await readText([await frame(0, receipt), await frame(1000, receipt, 4)]);
    expect(found.map(({ text }) => text).sort()).toEqual([
      'PLASTERS 4.20\nVITAMIN D 12.50\nTOTAL 16.70',
      'WAY OUT',
    ]);
  });

  it('reads an unchanged picture once, and again when a single digit changes', async () => {
    const still = await frame(0, [{ lines: ['ROOM B12'], x: 320, y: 180, size: 14 }]);
    const next = await frame(3000, [{ lines: ['ROOM B17'], x: 320, y: 180, size: 14 }]);
    reads = 0;
    const found = await readText([still, { ...still, atMs: 1000 }, { ...still, atMs: 2000 }, next]);
    expect(reads).toBe(2);
    expect(found.map(({ text, firstMs, lastMs }) => [text, firstMs, lastMs])).toEqual([
      ['ROOM B12', 0, 2000],
      ['ROOM B17', 3000, 3000],
    ]);
  });

  it('finds no text in black frames, in no frames, and without a reader', async () => {
    const black = { rgb: new Uint8Array(WIDTH * HEIGHT * 3), width: WIDTH, height: HEIGHT, atMs: 0 };
    expect(await readText([black, { ...black, atMs: 1000 }])).toEqual([]);
    expect(await readText([])).toEqual([]);
    expect(await createTextObserver(null)([black])).toEqual([]);
  });

  it('stops when told to', async () => {
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    await expect(readText([await frame(0, [])], abort.signal)).rejects.toThrow('enough');
  });
});
