import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { containment } from '../../models/faces/boxes.ts';
import { type FaceDetector, loadFaceDetector, type PlanarPicture } from '../../models/faces/face-detector.ts';
import { faceIn, facePicture, type PlacedFace } from '../../models/faces/testing/face-picture.ts';
import { clipFrame } from './clip-frame.ts';
import { type RedactedFrame, Redactor } from './redactor.ts';
import { tilesOf } from './regions.ts';

const WIDTH = 480;
const HEIGHT = 270;
let detector: FaceDetector;
beforeAll(async () => {
  detector = (await loadFaceDetector())!;
});
afterAll(() => detector?.dispose());

async function film(frames: number, faceAt: (frame: number) => PlacedFace | null): Promise<PlanarPicture[]> {
  const pictures: PlanarPicture[] = [];
  for (let frame = 0; frame < frames; frame += 1) {
    const face = faceAt(frame);
    pictures.push(await facePicture(WIDTH, HEIGHT, face ? [face] : []));
  }
  return pictures;
}

async function redact(
  pictures: readonly PlanarPicture[],
  by: FaceDetector = detector,
): Promise<RedactedFrame[]> {
  const redactor = new Redactor(by, WIDTH, HEIGHT);
  const out: RedactedFrame[] = [];
  for (const [index, { data }] of pictures.entries()) {
    out.push(...(await redactor.push(clipFrame(index, data.slice(), WIDTH, HEIGHT), false)));
  }
  return [...out, ...(await redactor.flush())];
}

/** Faces of 24 px and more anywhere in the pictures, searched whole and in every tile. */
async function facesLeft(frames: readonly RedactedFrame[]): Promise<number[]> {
  const left: number[] = [];
  for (const { frame } of frames) {
    for (const region of [undefined, ...tilesOf(WIDTH, HEIGHT)]) {
      const found = await detector.detect(frame.picture, region);
      if (found.some((face) => face.height >= 24)) left.push(frame.index);
    }
  }
  return left;
}

describe('the redactor', () => {
  it('gives back every frame, in order, with no face left in a moving head', async () => {
    const pictures = await film(24, (n) => ({
      height: 170,
      x: 10 + n * 12,
      y: 40 + Math.round(20 * Math.sin(n / 3)),
    }));
    const frames = await redact(pictures);
    expect(frames.map(({ frame }) => frame.index)).toEqual(pictures.map((_, n) => n));
    expect(await facesLeft(frames)).toEqual([]);
    expect(frames[12]!.people).toHaveLength(1);
  });

  it('covers a small face from its first frame on, though tiles are searched in turn', async () => {
    const place = (n: number) => (n < 9 ? null : { height: 60, x: 60 + n * 9, y: 90 });
    const pictures = await film(30, place);
    const frames = await redact(pictures);
    expect(await facesLeft(frames)).toEqual([]);
    // The detector itself may miss a face in one frame: what was drawn must be flat all the same.
    for (const [n, { frame }] of frames.entries()) {
      const drawn = place(n);
      if (drawn) expect(contrast(frame.picture, faceIn(drawn))).toBeLessThan(12);
    }
  });

  it('leaves pictures without faces exactly as they were', async () => {
    const pictures = await film(14, () => null);
    const frames = await redact(pictures);
    for (const [n, { frame, blurred }] of frames.entries()) {
      expect(blurred).toHaveLength(0);
      expect(Buffer.compare(frame.picture.data, pictures[n]!.data)).toBe(0);
    }
  });

  it('covers the face in frames in which the detector fails to find it', async () => {
    let calls = 0;
    const forgetful: FaceDetector = {
      name: 'forgetful',
      detect: async (picture, region) => {
        calls += 1;
        return calls % 5 === 0 || (calls > 12 && calls < 18) ? [] : detector.detect(picture, region);
      },
      dispose: async () => undefined,
    };
    const frames = await redact(await film(24, (n) => ({ height: 170, x: 20 + n * 8, y: 50 })), forgetful);
    expect(await facesLeft(frames)).toEqual([]);
  });

  it('blurs a frame as a whole when the detector breaks, and goes on', async () => {
    let calls = 0;
    const breaking: FaceDetector = {
      name: 'breaking',
      detect: async (picture, region) => {
        calls += 1;
        if (calls === 3) throw new Error('out of memory');
        return detector.detect(picture, region);
      },
      dispose: async () => undefined,
    };
    const frames = await redact(await film(16, (n) => ({ height: 170, x: 20 + n * 8, y: 50 })), breaking);
    expect(frames.filter(({ whole }) => whole)).toHaveLength(1);
    expect(await facesLeft(frames)).toEqual([]);
  });

  it('covers the whole head, not only what the model boxes', async () => {
    const place = { height: 170, x: 150, y: 50 };
    const frames = await redact(await film(12, () => place));
    const cover = frames[5]!.blurred[0]!.coverAt(5)!;
    expect(containment(cover, faceIn(place))).toBeCloseTo(1);
    expect(cover.height).toBeGreaterThan(faceIn(place).height * 1.5);
  });
});

/** Mean luma difference of neighbours two px apart in a box: what is left of detail. */
function contrast(
  picture: PlanarPicture,
  box: { x: number; y: number; width: number; height: number },
): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.ceil(box.y); y < box.y + box.height; y += 1) {
    for (let x = Math.ceil(box.x); x < box.x + box.width - 2; x += 1) {
      sum += Math.abs(picture.data[y * picture.width + x]! - picture.data[y * picture.width + x + 2]!);
      count += 1;
    }
  }
  return sum / count;
}
