import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overlap } from './boxes.ts';
import { type FaceDetector, loadFaceDetector } from './face-detector.ts';
import { faceIn, facePicture } from './testing/face-picture.ts';

let detector: FaceDetector;
beforeAll(async () => {
  const loaded = await loadFaceDetector();
  if (!loaded) throw new Error('The face model is not installed.');
  detector = loaded;
});
afterAll(() => detector?.dispose());

describe('the face detector', () => {
  it('finds every face of a picture, once, where it is', async () => {
    const placed = [
      { height: 240, x: 60, y: 80 },
      { height: 200, x: 400, y: 60 },
    ];
    const found = await detector.detect(await facePicture(640, 360, placed));
    expect(found).toHaveLength(2);
    for (const place of placed) {
      const best = Math.max(...found.map((face) => overlap(face, faceIn(place))));
      expect(best).toBeGreaterThan(0.6);
    }
    expect(found[0]!.confidence).toBeGreaterThan(0.85);
  });

  it('finds in a region, in px of the picture, what is too small in the whole', async () => {
    const place = { height: 30, x: 500, y: 120 };
    const picture = await facePicture(640, 360, [place]);
    expect(await detector.detect(picture)).toHaveLength(0);
    const [face] = await detector.detect(picture, { x: 450, y: 80, width: 120, height: 120 });
    expect(overlap(face!, faceIn(place))).toBeGreaterThan(0.5);
  });

  it('finds a face in a region that reaches over the edge', async () => {
    const place = { height: 240, x: 0, y: 0 };
    const picture = await facePicture(640, 360, [place]);
    const [face] = await detector.detect(picture, { x: -120, y: -80, width: 420, height: 420 });
    expect(overlap(face!, faceIn(place))).toBeGreaterThan(0.6);
  });

  it('finds nothing where there is nothing', async () => {
    expect(await detector.detect(await facePicture(640, 360, []))).toEqual([]);
  });

  it('answers calls that overlap with each its own picture', async () => {
    const empty = await facePicture(320, 240, []);
    const full = await facePicture(320, 240, [{ height: 200, x: 60, y: 20 }]);
    const answers = await Promise.all([empty, full, empty, full].map((picture) => detector.detect(picture)));
    expect(answers.map((faces) => faces.length)).toEqual([0, 1, 0, 1]);
  });
});

describe('loading the face detector', () => {
  it('gives null when there is no model file', async () => {
    expect(await loadFaceDetector(join(tmpdir(), 'no-such-model.onnx'))).toBeNull();
  });

  it('fails on a file that is not the model', async () => {
    const file = join(tmpdir(), `footnote-test-broken-${process.pid}.onnx`);
    await writeFile(file, 'not a model');
    await expect(loadFaceDetector(file)).rejects.toThrow();
  });

  it('fails calls after disposal instead of finding nothing', async () => {
    const gone = (await loadFaceDetector())!;
    await gone.dispose();
    await expect(gone.detect(await facePicture(64, 64, []))).rejects.toThrow(/disposed/);
  });
});
