import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTextReader, type TextReader } from '../../models/ocr/text-reader.ts';
import { runTool } from '../footage/ffmpeg.ts';
import { createTextObserver, type TextFrame } from './text.ts';

const footage = fileURLToPath(new URL('../../../shared/data/footage/', import.meta.url));
const present = existsSync(footage);
const reason = present ? '' : ' (skipped: no real footage at ../shared/data/footage)';

/** One upright frame of a file, at its own size. */
async function frameOf(file: string, seconds: number): Promise<TextFrame> {
  const args = [
    '-v',
    'error',
    '-ss',
    String(seconds),
    '-i',
    join(footage, file),
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
  ];
  const { stdout } = await runTool('ffmpeg', [...args, '-c:v', 'png', '-f', 'image2pipe', '-']);
  const { data, info } = await sharp(stdout).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { rgb: new Uint8Array(data), width: info.width, height: info.height, atMs: seconds * 1000 };
}

describe.skipIf(!present)(`text in real footage${reason}`, () => {
  let reader: TextReader;
  beforeAll(async () => {
    const loaded = await loadTextReader();
    if (!loaded) throw new Error('the weights are a dependency and must load');
    reader = loaded;
  });
  afterAll(async () => {
    await reader.dispose();
  });
  const read = async (file: string, instants: number[]) =>
    createTextObserver(reader)(await Promise.all(instants.map((seconds) => frameOf(file, seconds))));

  it('reads the title of a game box that a phone held upright shows', async () => {
    const found = await read('iphone6-portrait-cover-gps.mov', [0.2, 0.8, 1.4]);
    const text = found.map((block) => block.text).join('\n\n');
    // A round logo beside the second row may be read as one glyph more.
    expect(text).toMatch(/RED DEAD\n(?:\S )?REDEMPTION/);
    expect(text).toMatch(/S4/);
  });

  it('reads a running clock right at each instant', async () => {
    const found = await read('egolife-clock-131s.mp4', [2, 40, 100]);
    const clock = (ms: number) =>
      found
        .filter((text) => text.firstMs === ms)
        .map(({ text }) => text)
        .join(' ');
    // It shows 11:22:33.5 at the start, with frames after the last mark.
    expect(clock(2000)).toMatch(/11[;:]22[;:]35/);
    expect(clock(40_000)).toMatch(/11[;:]23[;:]13/);
    expect(clock(100_000)).toMatch(/11[;:]24[;:]13/);
    expect(found[0]!.text).toContain('April 16,2024');
  });

  it('invents nothing where there is nothing to read', async () => {
    for (const file of ['gopro-max-heromode.mp4', 'phone-geese-gps.mp4', 'egolife-room-table-131s.mp4']) {
      expect(await read(file, [0.5, 2.5])).toEqual([]);
    }
  });
});
