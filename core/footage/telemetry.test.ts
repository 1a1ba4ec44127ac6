import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import goProTelemetry from 'gopro-telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseFlightLog } from './flight-log.ts';
import { readGpmfPayload } from './gpmf.ts';
import { probe } from './probe.ts';
import { readTelemetry, summariseTelemetry } from './telemetry.ts';
import { makeClip, makeTestFolder } from './testing/make-clip.ts';
import { addGpmf, type GpmfSecond, gps5Payload, gps9Payload } from './testing/make-gpmf.ts';

const footage = resolve('../shared/data/footage');
const START = Date.UTC(2024, 4, 18, 9, 30, 0);
/** What the reference parser gives, as far as it is compared. */
type Parsed = Record<string, { streams: Record<string, { samples: { value: number[] }[] }> }>;
let folder = '';

beforeAll(async () => {
  folder = await makeTestFolder('telemetry');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function seconds(count: number, change: (i: number) => Partial<GpmfSecond>): GpmfSecond[] {
  return Array.from({ length: count }, (_, i) => ({
    utcMs: START + i * 1000,
    fix: 3,
    lat: 50.06 + i * 0.00001,
    lon: 19.94,
    ...change(i),
  }));
}

async function clipWith(name: string, payloads: Buffer[]) {
  const path = await makeClip({ path: join(folder, name), seconds: payloads.length, fps: 2 });
  await addGpmf(path, payloads);
  return probe(path);
}

describe('GPMF telemetry', () => {
  it('gives place, speed and satellite time with offsets in the file', async () => {
    const media = await clipWith('GX010001.MP4', seconds(6, () => ({ speedMps: 2 })).map(gps5Payload));
    expect(media.gpmdIndex).not.toBeNull();
    const telemetry = await readTelemetry(media);
    expect(telemetry?.samples.map((s) => s.offsetMs)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
    expect(telemetry?.gpsStartMs).toBe(START);
    expect(telemetry?.device).toBe('Test Camera');
    const summary = summariseTelemetry(telemetry, 0, 6000);
    expect(summary?.speed).toBeCloseTo(2);
    expect(summary?.distance).toBeCloseTo(10);
    expect(summary?.place?.lat).toBeCloseTo(50.06, 3);
  });

  it('ignores everything before the lock and projects the first lock back to the start', async () => {
    const unlocked = seconds(6, (i) =>
      i < 3 ? { fix: 0, lat: 0, lon: 0, utcMs: Date.UTC(2016, 0, 1) } : {},
    );
    const telemetry = await readTelemetry(await clipWith('GX010002.MP4', unlocked.map(gps5Payload)));
    expect(telemetry?.samples).toHaveLength(3);
    expect(telemetry?.gpsStartMs).toBe(START);
  });

  it('is not moved by dates that repeat or jump', async () => {
    const frozen = seconds(9, (i) => ({ utcMs: i < 2 ? START - 18_000 : START + (i === 5 ? 4 : i) * 1000 }));
    const telemetry = await readTelemetry(await clipWith('GX010003.MP4', frozen.map(gps5Payload)));
    expect(telemetry?.gpsStartMs).toBe(START);
    expect(telemetry?.samples).toHaveLength(9);
  });

  it('reads the GPS9 of newer cameras', async () => {
    const media = await clipWith(
      'GX010004.MP4',
      seconds(4, (i) => ({ fix: i === 0 ? 0 : 3 })).map(gps9Payload),
    );
    const telemetry = await readTelemetry(media);
    expect(telemetry?.samples).toHaveLength(3);
    expect(telemetry?.gpsStartMs).toBe(START);
    expect(telemetry?.samples[0]?.lat).toBeCloseTo(50.06001, 5);
  });

  it.each([
    ['GPS5', gps5Payload],
    ['GPS9', gps9Payload],
  ] as const)('gives the %s positions that the reference parser gives', async (stream, make) => {
    const bytes = make({
      utcMs: START,
      fix: 3,
      lat: -33.1267719,
      lon: 151.3273436,
      altitudeM: -12.5,
      speedMps: 3.25,
    });
    const reference: unknown = await goProTelemetry(
      { rawData: bytes },
      { stream: [stream], ellipsoid: true },
    );
    const parsed = reference as Parsed;
    const expected = Object.values(parsed)[0]!.streams[stream]!.samples.map((s) => s.value.slice(0, 4));
    const mine = readGpmfPayload(bytes, 0, 1000)!.samples;
    expect(mine.map((s) => [s.lat, s.lon, s.altitudeM, s.speedMps])).toEqual(expected);
  });

  it('passes over broken payloads and keeps the good ones', async () => {
    const payloads = seconds(5, () => ({})).map(gps5Payload);
    payloads[1] = Buffer.alloc(64, 0xff);
    payloads[3] = payloads[3]!.subarray(0, 40);
    const telemetry = await readTelemetry(await clipWith('GX010005.MP4', payloads));
    expect(telemetry?.samples.map((s) => s.offsetMs)).toEqual([0, 2000, 4000]);
  });

  it('never throws on any bytes', () => {
    const good = gps5Payload(seconds(1, () => ({}))[0]!);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(good.length - 1), (noise, at) => {
        const bytes = Buffer.concat([good.subarray(0, at), noise]);
        const payload = readGpmfPayload(bytes, 0, 1000);
        for (const sample of payload?.samples ?? []) expect(Math.abs(sample.lat)).toBeLessThanOrEqual(90);
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it('is null for a file without any place, and null for a span far from every position', async () => {
    const plain = await probe(await makeClip({ path: join(folder, 'plain.mp4') }));
    expect(await readTelemetry(plain)).toBeNull();
    const telemetry = await readTelemetry(
      await clipWith('GX010006.MP4', seconds(2, () => ({})).map(gps5Payload)),
    );
    expect(summariseTelemetry(telemetry, 60_000, 90_000)).toBeNull();
  });

  it("takes a drone's positions from the flight log beside its video", async () => {
    const path = await makeClip({ path: join(folder, 'DJI_0001.MP4') });
    const entry = (i: number) =>
      `${i + 1}\n00:00:0${i >> 1},${i % 2 ? 500 : '000'} --> 00:00:0${i >> 1},${i % 2 ? 900 : 400}\n` +
      `[iso : 100] [latitude: ${i === 0 ? 0 : 41.42}] [longitude: ${i === 0 ? 0 : 2.23}] [altitude: 117.0]\n\n`;
    await writeFile(join(folder, 'DJI_0001.SRT'), [0, 1, 2, 3].map(entry).join(''));
    const telemetry = await readTelemetry(await probe(path));
    expect(telemetry).toMatchObject({ source: 'flight-log', gpsStartMs: null });
    expect(telemetry?.samples).toEqual([
      { offsetMs: 500, lat: 41.42, lon: 2.23, altitudeM: 117, speedMps: null },
      { offsetMs: 1500, lat: 41.42, lon: 2.23, altitudeM: 117, speedMps: null },
    ]);
    expect(
      parseFlightLog('1\n00:00:01,000 --> 00:00:02,000\nF/2.8, GPS (-121.7458, 48.0771, 17)\n')[0],
    ).toMatchObject({
      lat: 48.0771,
      lon: -121.7458,
    });
  });

  it("takes a phone's one place for the whole file", async () => {
    const path = join(folder, 'IMG_0001.mov');
    const tags = { 'com.apple.quicktime.location.ISO6709': '+50.0614+019.9366+219.0/' };
    const telemetry = await readTelemetry(await probe(await makeClip({ path, tags, mdtaTags: true })));
    expect(telemetry?.source).toBe('container');
    expect(summariseTelemetry(telemetry, 0, 2000)).toEqual({
      place: { lat: 50.0614, lon: 19.9366 },
      distance: null,
      speed: null,
      altitude: 219,
    });
  });
});

describe.skipIf(!existsSync(footage))('real cameras (needs the real footage)', () => {
  it('finds the true start of a GoPro Max within 3 s', async () => {
    const telemetry = await readTelemetry(await probe(join(footage, 'gopro-max-heromode.mp4')));
    expect(Math.abs(telemetry!.gpsStartMs! - Date.parse('2019-11-18T23:45:15Z'))).toBeLessThan(3000);
    expect(telemetry?.samples[0]?.lat).toBeCloseTo(33.1268, 2);
  });

  it.each([
    ['hero5.raw', 18, '2017-04-17T17:31:03.000Z'],
    ['hero6.raw', 0, null],
    ['hero7.raw', 17, '2019-01-03T16:33:34.094Z'],
  ])('reads %s: %i positions, time %s', (file, count, utc) => {
    const payload = readGpmfPayload(readFileSync(join(footage, 'gpmf', file)), 0, 1000);
    expect(payload?.samples).toHaveLength(count);
    expect(payload?.utcMs ?? null).toBe(utc === null ? null : Date.parse(utc));
  });
});
