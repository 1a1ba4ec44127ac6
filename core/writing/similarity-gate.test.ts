import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawFrames } from '../../models/writer/testing/scenes.ts';
import type { Observation } from '../perception/observation.ts';
import { setDifference, signatureOf } from './picture-signature.ts';
import { gateView, MOST_CARRIED, SAME_PICTURES, SimilarityGate } from './similarity-gate.ts';
import { observed, said, shown } from './testing/observed.ts';

const STILL = { motion: { level: 0.0001, still: 1, cuts: [] } };
const TABLE = { place: 'table', seed: 11 } as const;

/** Noise of up to 8 levels either way, the same every run. */
function noisy(rgb: Uint8Array, seed: number): Uint8Array {
  let state = seed;
  return rgb.map((value) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.max(0, Math.min(255, value + (state >>> 28) - 8));
  });
}

/** A picture that stands still, as a camera gives it: each frame with noise of its own, up to 8 levels either way. */
async function standing(
  count: number,
  put: (n: number) => { left: number; top: number; colour: string } | null = () => null,
  seed = 1,
): Promise<Uint8Array[]> {
  const [frame] = await drawFrames(TABLE, 1);
  const { rgb, width, height } = frame!;
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const thing = put(n);
      const picture = sharp(noisy(rgb, seed + n), { raw: { width, height, channels: 3 } });
      if (thing) {
        const { left, top, colour } = thing;
        const box = sharp({ create: { width: 24, height: 30, channels: 3, background: colour } });
        picture.composite([{ input: await box.png().toBuffer(), left, top }]);
      }
      return picture.jpeg({ quality: 80 }).toBuffer();
    }),
  );
}

const still = (index: number, parts: Partial<Observation> = {}) =>
  observed({ index, episodeId: `episode-${index}`, ...STILL, ...parts });

let table: Uint8Array[];
let again: Uint8Array[];
beforeAll(async () => {
  table = await standing(8);
  again = await standing(8, undefined, 99);
});

/** A gate that looked at the table in segment 0. */
async function gateAtTable(parts: Partial<Observation> = {}): Promise<SimilarityGate<string>> {
  const gate = new SimilarityGate<string>();
  gate.keep(await gateView(still(0, parts), table), 'a table');
  return gate;
}

describe('pictures', () => {
  it('are the same through noise and compression, and not with a small thing more', async () => {
    const signatures = (jpegs: Uint8Array[]) => Promise.all(jpegs.map(signatureOf));
    const before = await signatures(table);
    expect(setDifference(before, await signatures(again))).toBeLessThanOrEqual(SAME_PICTURES / 2);
    for (const put of [
      { left: 300, top: 300, colour: '#884422' },
      { left: 311, top: 311, colour: '#2060a0' },
      { left: 120, top: 330, colour: '#ffffff' },
    ]) {
      expect(setDifference(before, await signatures(await standing(1, () => put)))).toBeGreaterThan(
        SAME_PICTURES,
      );
    }
  });

  it('are like nothing where there are none', () => {
    expect(setDifference([], [])).toBe(255);
  });
});

describe('the similarity gate', () => {
  it('carries a description over while the same is to be seen, for a while', async () => {
    const gate = await gateAtTable();
    for (let index = 1; index <= MOST_CARRIED; index += 1) {
      const view = await gateView(still(index), index % 2 === 0 ? table : again);
      expect(gate.carry(view)).toEqual({ description: 'a table', from: 'episode-0' });
    }
    expect(gate.carry(await gateView(still(MOST_CARRIED + 1), again))).toBeNull();
  });

  it('has a segment looked at in which a small thing is put on the table, also near its end', async () => {
    const mug = { left: 311, top: 320, colour: '#2060a0' };
    for (const from of [0, 4, 7]) {
      const frames = await standing(8, (n) => (n >= from ? mug : null), 5);
      expect((await gateAtTable()).carry(await gateView(still(1), frames))).toBeNull();
    }
  });

  it('has a segment looked at from which something is gone that was there for a part of the one before', async () => {
    const gate = new SimilarityGate<string>();
    const mug = { left: 311, top: 320, colour: '#2060a0' };
    gate.keep(await gateView(still(0), await standing(8, (n) => (n < 3 ? mug : null))), 'a mug');
    expect(gate.carry(await gateView(still(1), again))).toBeNull();
  });

  it('has a segment looked at in which something is said, shown, moves or comes near', async () => {
    const faces = { most: 1, share: 0.1, confidence: 0.9, spans: [] };
    const telemetry = { place: null, distance: 40, speed: 1.4, altitude: null };
    for (const parts of [
      { speech: [said('Where are the keys?')] },
      { visibleText: [shown('PLATFORM 4')] },
      { motion: { level: 0.004, still: 0.8, cuts: [] } },
      { motion: { level: 0.0001, still: 1, cuts: [5] } },
      { faces },
      { telemetry },
      { chapterId: 'f00000000000000000000ffff' },
      { index: 2 },
    ]) {
      expect(
        (await gateAtTable()).carry(await gateView(still(1, parts), again)),
        JSON.stringify(parts),
      ).toBeNull();
    }
  });

  it('knows print again whatever its spaces, and takes doubtful print for none', async () => {
    const gate = await gateAtTable({ visibleText: [shown('Platform 4')] });
    const read = [shown('PLATFORM4.'), shown('xq~', 0.2)];
    expect(gate.carry(await gateView(still(1, { visibleText: read }), again))).not.toBeNull();
    expect(gate.carry(await gateView(still(2, { visibleText: [shown('Platform 5')] }), again))).toBeNull();
  });

  it('compares nothing with pictures that cannot be read', async () => {
    const broken = [new Uint8Array([1, 2, 3])];
    expect((await gateAtTable()).carry(await gateView(still(1), broken))).toBeNull();
    expect((await gateAtTable()).carry(await gateView(still(1), []))).toBeNull();
  });
});
