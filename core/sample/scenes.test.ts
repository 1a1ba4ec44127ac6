import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaceDetector, loadFaceDetector } from '../../models/faces/face-detector.ts';
import { loadTextReader, type TextReader } from '../../models/ocr/text-reader.ts';
import { tilesOf } from '../redaction/regions.ts';
import { STILL } from './drawing.ts';
import { PICTURE } from './film.ts';
import { SCENES, type SceneName } from './scenes.ts';
import { drawStill } from './still.ts';

/** Longest side of the frames that text is read in, and of the frames that faces are looked for in, px. */
const READ_WIDTH = 704;
const CLIP = { width: 640, height: 360 };
/** The detector takes single letters for tiny faces; anything that could be a drawn person is larger than this, px. */
const SMALLEST_FACE = 24;
const PEOPLE: SceneName[] = ['anna', 'clinic', 'bikeShop'];
const names = Object.keys(SCENES) as SceneName[];
const stills = names.filter((name) => SCENES[name]().width === STILL.width);

let reader: TextReader;
let detector: FaceDetector;
beforeAll(async () => {
  const loaded = [await loadTextReader(), await loadFaceDetector()] as const;
  if (!loaded[0] || !loaded[1]) throw new Error('The models of the npm packages are missing.');
  [reader, detector] = loaded;
});
afterAll(async () => {
  await reader?.dispose();
  await detector?.dispose();
});

/** What the camera sees of a still, swayed by −1..1 of its reach. */
async function view(name: SceneName, sway: number): Promise<Sharp> {
  const picture = await (await drawStill(SCENES[name]())).toBuffer();
  const left = Math.round(((STILL.width - PICTURE.width) / 2) * (1 + 0.5 * sway));
  const top = Math.round(((STILL.height - PICTURE.height) / 2) * (1 + 0.5 * sway));
  const seen = await sharp(picture)
    .extract({ left, top, width: PICTURE.width, height: PICTURE.height })
    .toBuffer();
  return sharp(seen);
}

/** Planar YUV 4:2:0 of a picture, studio range. */
function planar(rgb: Uint8Array, width: number, height: number): Uint8Array {
  const data = new Uint8Array((width * height * 3) / 2);
  const [u, v] = [width * height, (width * height * 5) / 4];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const [r, g, b] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
      data[y * width + x] = 16 + 0.257 * r + 0.504 * g + 0.098 * b;
      if (x % 2 || y % 2) continue;
      const chroma = (y / 2) * (width / 2) + x / 2;
      data[u + chroma] = 128 - 0.148 * r - 0.291 * g + 0.439 * b;
      data[v + chroma] = 128 + 0.439 * r - 0.368 * g - 0.071 * b;
    }
  }
  return data;
}

async function facesIn(name: SceneName, sway: number): Promise<number> {
  const { width, height } = CLIP;
  const rgb = await (await view(name, sway)).resize(width, height).removeAlpha().raw().toBuffer();
  const picture = { data: planar(rgb, width, height), width, height };
  const found = [await detector.detect(picture)];
  for (const tile of tilesOf(width, height)) found.push(await detector.detect(picture, tile));
  return Math.max(...found.map((faces) => faces.filter(({ width }) => width >= SMALLEST_FACE).length));
}

const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

describe('the pictures of the sample day', () => {
  it.each(stills)('%s can be read in the frames that text is read in', async (name) => {
    const { data, info } = await (await view(name, 0))
      .resize(READ_WIDTH)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const read = letters(
      (await reader.read(data, info.width, info.height)).map(({ text }) => text).join(' '),
    );
    for (const line of SCENES[name]().letters.flatMap(({ lines }) => lines)) {
      for (const word of line.split(/\s+/)) expect(read).toContain(letters(word));
    }
  });

  it.each(PEOPLE)('%s shows a face that the detector finds', async (name) => {
    expect(await facesIn(name, 0)).toBeGreaterThan(0);
  });

  it.each(stills.filter((name) => !PEOPLE.includes(name)))(
    '%s shows nothing that it takes for a face',
    async (name) => {
      for (const sway of [-1, 0, 1]) expect(await facesIn(name, sway)).toBe(0);
    },
  );
});
