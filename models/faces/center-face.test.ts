import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overlap } from './boxes.ts';
import { type Box, type FaceDetector, loadCenterFace, type PlanarPicture } from './face-detector.ts';
import { faceIn, facePicture, planarOf } from './testing/face-picture.ts';

/** A network of our own with CenterFace's inputs and outputs, for which a red square of 32 px is a face. */
const HEAT_MODEL = join(import.meta.dirname, 'testing/heat-model.onnx');

function squares(width: number, height: number, boxes: readonly Box[], colour = [255, 0, 0]): PlanarPicture {
  const rgb = new Uint8Array(width * height * 3).fill(90);
  for (const box of boxes) {
    for (let y = Math.max(0, box.y); y < Math.min(height, box.y + box.height); y += 1) {
      for (let x = Math.max(0, box.x); x < Math.min(width, box.x + box.width); x += 1) {
        rgb.set(colour, (y * width + x) * 3);
      }
    }
  }
  return planarOf(rgb, width, height);
}
const square = (x: number, y: number, side = 32): Box => ({ x, y, width: side, height: side });

describe('CenterFace over a network of the same shape', () => {
  let detector: FaceDetector;
  beforeAll(async () => {
    detector = await loadCenterFace(HEAT_MODEL);
  });
  afterAll(() => detector?.dispose());

  it('finds each face of a picture of any size once, where it is', async () => {
    for (const [width, height] of [
      [640, 360],
      [360, 640],
      [270, 202],
    ] as const) {
      const placed = [square(20, 32), square(width - 60, height - 100)];
      const found = await detector.detect(squares(width, height, placed));
      expect(found).toHaveLength(2);
      for (const box of placed) {
        expect(Math.max(...found.map((face) => overlap(face, box)))).toBeGreaterThan(0.75);
      }
      for (const { confidence } of found) {
        expect(confidence).toBeGreaterThan(0.75);
        expect(confidence).toBeLessThanOrEqual(1);
      }
    }
  });

  it('knows red from blue, and finds nothing where there is nothing', async () => {
    expect(await detector.detect(squares(320, 240, [square(64, 64)], [0, 0, 255]))).toEqual([]);
    expect(await detector.detect(squares(320, 240, []))).toEqual([]);
  });

  it('enlarges a small region, and tells in px of the whole picture', async () => {
    const small = square(300, 120, 16);
    const picture = squares(640, 360, [small]);
    expect(await detector.detect(picture)).toEqual([]);
    const [face] = await detector.detect(picture, { x: 260, y: 80, width: 96, height: 96 });
    expect(overlap(face!, small)).toBeGreaterThan(0.7);
  });

  it('makes a picture over its longest side smaller', async () => {
    const large = square(704, 320, 64);
    const [face] = await detector.detect(squares(1408, 792, [large]));
    expect(overlap(face!, large)).toBeGreaterThan(0.75);
  });

  it('looks into regions that reach over the edge', async () => {
    const box = square(0, 0);
    const [face] = await detector.detect(squares(320, 240, [box]), {
      x: -96,
      y: -96,
      width: 192,
      height: 192,
    });
    expect(overlap(face!, box)).toBeGreaterThan(0.75);
  });

  it('answers calls that overlap with each its own picture', async () => {
    const [empty, full] = [squares(320, 240, []), squares(320, 240, [square(64, 64)])];
    const answers = await Promise.all([empty, full, empty, full].map((picture) => detector.detect(picture)));
    expect(answers.map((faces) => faces.length)).toEqual([0, 1, 0, 1]);
  });

  it('fails calls after disposal instead of finding nothing', async () => {
    const gone = await loadCenterFace(HEAT_MODEL);
    await gone.dispose();
    await expect(gone.detect(squares(64, 64, []))).rejects.toThrow(/disposed/);
  });
});

describe('loading CenterFace', () => {
  it('refuses a file that is missing, broken, or another network', async () => {
    const broken = join(tmpdir(), `footnote-test-center-${process.pid}.onnx`);
    await writeFile(broken, 'not a model');
    await expect(loadCenterFace(broken)).rejects.toThrow();
    await expect(loadCenterFace(`${broken}-not-here`)).rejects.toThrow();
    const other = join(
      import.meta.dirname,
      '../writer/testing/tiny-smolvlm/onnx/embed_tokens_quantized.onnx',
    );
    await expect(loadCenterFace(other)).rejects.toThrow(/not the face model/);
  });
});

const file = (process.env.FOOTNOTE_MODELS ?? '')
  .split(delimiter)
  .flatMap((folder) => [join(folder, 'centerface/centerface.onnx'), join(folder, 'centerface.onnx')])
  .find((path) => existsSync(path));
const title = file ? 'CenterFace' : 'CenterFace: skipped, it is in no folder of FOOTNOTE_MODELS';
describe.skipIf(!file)(title, () => {
  it('finds every drawn face, also one that is small in the whole picture', async () => {
    const detector = await loadCenterFace(file!);
    const placed = [
      { height: 240, x: 60, y: 80 },
      { height: 200, x: 400, y: 60 },
      { height: 60, x: 300, y: 20 },
    ];
    const found = await detector.detect(await facePicture(640, 360, placed));
    for (const place of placed) {
      expect(Math.max(...found.map((face) => overlap(face, faceIn(place))))).toBeGreaterThan(0.4);
    }
    expect(await detector.detect(await facePicture(640, 360, []))).toEqual([]);
    await detector.dispose();
  });
});
