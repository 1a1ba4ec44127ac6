import { describe, expect, it } from 'vitest';
import { type ClockInput, readClock } from './clock.ts';
import { timeInName } from './name-time.ts';
import { instantOf, requireZone, zoneOfPlace } from './zone.ts';

const NOW = Date.parse('2026-08-01T12:00:00Z');
const at = (iso: string) => Date.parse(iso);

function clockOf(
  change: Partial<Omit<ClockInput, 'media'>> & { tags?: Record<string, string>; durationMs?: number },
) {
  const { tags = {}, durationMs = 20_000, ...rest } = change;
  return readClock({
    media: {
      path: '/x.mp4',
      durationMs,
      container: 'mov',
      video: null,
      audio: null,
      subtitles: [],
      gpmdIndex: null,
      tags,
    },
    family: 'other',
    name: 'clip.mp4',
    modifiedMs: at('2026-07-05T10:00:20Z'),
    gpsStartMs: null,
    place: null,
    zone: null,
    shiftMs: 0,
    computerZone: 'Europe/Warsaw',
    cameraOffsetMs: null,
    nowMs: NOW,
    ...rest,
  });
}

const iso = (ms: number) => new Date(ms).toISOString();
const gopro = { handler_name: 'GoPro AVC' };

describe('the order of what tells the time', () => {
  const tags = { creation_time: '2026-07-01T12:00:00Z' };
  const name = '20260702_090000.mp4';

  it('is satellites, creation_time, file name, file date', () => {
    const gps = clockOf({ tags, name, gpsStartMs: at('2026-07-01T11:59:58Z') });
    expect([iso(gps.startMs), gps.basis]).toEqual(['2026-07-01T11:59:58.000Z', 'gps']);
    const tagged = clockOf({ tags, name });
    expect([iso(tagged.startMs), tagged.basis]).toEqual(['2026-07-01T12:00:00.000Z', 'creation_time']);
    const named = clockOf({ name });
    expect([iso(named.startMs), named.basis]).toEqual(['2026-07-02T07:00:00.000Z', 'file_name']);
    const dated = clockOf({});
    expect([iso(dated.startMs), dated.basis]).toEqual(['2026-07-05T10:00:00.000Z', 'file_date']);
    expect([gps, tagged, named, dated].map((clock) => clock.uncertain)).toEqual([false, false, false, true]);
  });

  it('passes over tags that are no date', () => {
    for (const creation_time of ['', 'yesterday', '1904-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z']) {
      expect(clockOf({ tags: { creation_time } }).basis).toBe('file_date');
    }
  });
});

describe('what creation_time means, by maker', () => {
  it("is the camera's local time where GoPro's own marks are, in the zone of the place", () => {
    const tags = { ...gopro, creation_time: '2026-07-01T19:07:00Z', location: '+35.6762+139.6503/' };
    const clock = clockOf({ tags, family: 'gopro' });
    expect(iso(clock.startMs)).toBe('2026-07-01T10:07:00.000Z');
    expect(clock.zone).toBe('Asia/Tokyo');
    expect(clock.note).toMatch(/local time labelled UTC/);
  });

  it('is UTC in a GoPro-named file without those marks, and in files of phones', () => {
    const tags = { creation_time: '2026-07-01T19:07:00Z' };
    expect(iso(clockOf({ tags, name: 'GX010001.MP4', family: 'gopro' }).startMs)).toBe(
      '2026-07-01T19:07:00.000Z',
    );
    expect(iso(clockOf({ tags, name: 'IMG_0001.MOV', family: 'phone' }).startMs)).toBe(
      '2026-07-01T19:07:00.000Z',
    );
  });

  it('is local for a drone whose file name shows the same time, UTC when they are a zone apart', () => {
    const drone = { name: 'DJI_20260701190700_0001_D.MP4', family: 'dji' } as const;
    expect(iso(clockOf({ ...drone, tags: { creation_time: '2026-07-01T19:07:00Z' } }).startMs)).toBe(
      '2026-07-01T17:07:00.000Z',
    );
    expect(iso(clockOf({ ...drone, tags: { creation_time: '2026-07-01T17:07:01Z' } }).startMs)).toBe(
      '2026-07-01T17:07:01.000Z',
    );
  });

  it('is the end of recording where it lies one clip length after the time in the name', () => {
    const tags = { creation_time: '2026-07-01T10:01:30Z' };
    const clock = clockOf({ tags, name: 'VID_20260701_120000.mp4', family: 'phone', durationMs: 90_000 });
    expect(iso(clock.startMs)).toBe('2026-07-01T10:00:00.000Z');
  });

  it("prefers the phone's date with its zone", () => {
    const tags = {
      creation_time: '2019-07-24T08:25:57Z',
      'com.apple.quicktime.creationdate': '2019-07-24T11:25:40+0300',
    };
    const clock = clockOf({ tags, family: 'phone' });
    expect([iso(clock.startMs), clock.zone]).toEqual(['2019-07-24T08:25:40.000Z', 'UTC+3']);
  });

  it("uses what GPS showed of the same camera's clock in other takes", () => {
    const tags = { ...gopro, creation_time: '2026-07-01T19:07:00Z' };
    const clock = clockOf({ tags, family: 'gopro', cameraOffsetMs: 8 * 3_600_000 + 17_000 });
    expect(iso(clock.startMs)).toBe('2026-07-01T11:06:43.000Z');
  });
});

describe('a camera clock that was never set', () => {
  it('is not buried in 2016: the file date is taken, marked uncertain', () => {
    const clock = clockOf({ tags: { ...gopro, creation_time: '2016-01-01T00:00:10Z' }, family: 'gopro' });
    expect(clock.basis).toBe('file_date');
    expect(clock.uncertain).toBe(true);
    expect(clock.note).toMatch(/cannot be/);
    expect(new Date(clock.startMs).getUTCFullYear()).toBe(2026);
  });

  it('is told as such when nothing knows better, also in the future and after a reset to 2021', () => {
    for (const day of ['2016-01-01', '2021-01-01', '2031-05-05']) {
      const clock = clockOf({
        tags: { creation_time: `${day}T00:03:12Z` },
        family: 'gopro',
        modifiedMs: at(day === '2021-01-01' ? '2016-01-01T00:03:12Z' : `${day}T00:03:12Z`),
      });
      expect(clock.uncertain).toBe(true);
      expect(clock.note).toMatch(/looks unset/);
    }
  });

  it('is believed where satellites tell the time, and for the old video of a phone', () => {
    const tags = { creation_time: '2016-01-01T00:00:10Z' };
    expect(clockOf({ tags, family: 'gopro', gpsStartMs: at('2026-07-01T12:00:00Z') }).uncertain).toBe(false);
    expect(clockOf({ tags: { creation_time: '2014-06-01T10:00:00Z' }, family: 'phone' }).uncertain).toBe(
      false,
    );
  });
});

describe('corrections', () => {
  it('shift any clock and are told', () => {
    const clock = clockOf({ tags: { creation_time: '2026-07-01T12:00:00Z' }, shiftMs: 3_723_000 });
    expect([iso(clock.startMs), clock.basis]).toEqual(['2026-07-01T13:02:03.000Z', 'corrected']);
    expect(clock.note).toMatch(/\+1 h 2 min 3 s/);
  });

  it("reads local times in the person's zone, and leaves true UTC alone", () => {
    const zone = 'America/New_York';
    const local = clockOf({ tags: { ...gopro, creation_time: '2026-07-01T12:00:00Z' }, zone });
    expect([iso(local.startMs), local.basis, local.zone]).toEqual([
      '2026-07-01T16:00:00.000Z',
      'corrected',
      zone,
    ]);
    const utc = clockOf({ tags: { creation_time: '2026-07-01T12:00:00Z' }, zone });
    expect([iso(utc.startMs), utc.basis, utc.zone]).toEqual([
      '2026-07-01T12:00:00.000Z',
      'creation_time',
      zone,
    ]);
  });

  it('refuses a zone that is none', () => {
    expect(() => requireZone('Mars/Olympus')).toThrow(/not a time zone/);
    expect(requireZone('UTC+2')).toBe('UTC+2');
  });
});

describe('zones', () => {
  const wall = { year: 2026, month: 7, day: 1, hour: 12, minute: 0, second: 0, millisecond: 0 };

  it('apply zone and summer time once, whether given as a name or an offset', () => {
    expect(iso(instantOf(wall, 'Europe/Berlin')!)).toBe('2026-07-01T10:00:00.000Z');
    expect(iso(instantOf(wall, 'UTC+2')!)).toBe('2026-07-01T10:00:00.000Z');
    expect(iso(instantOf({ ...wall, month: 1 }, 'Europe/Berlin')!)).toBe('2026-01-01T11:00:00.000Z');
  });

  it('survive the hours that are skipped or come twice', () => {
    expect(iso(instantOf({ ...wall, month: 3, day: 29, hour: 2, minute: 30 }, 'Europe/Berlin')!)).toBe(
      '2026-03-29T01:30:00.000Z',
    );
    const twice = instantOf({ ...wall, month: 10, day: 25, hour: 2, minute: 30 }, 'Europe/Berlin')!;
    expect(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']).toContain(iso(twice));
    expect(instantOf({ ...wall, month: 2, day: 30 }, 'Europe/Berlin')).toBeNull();
  });

  it('come from a place', () => {
    expect(zoneOfPlace({ lat: 50.06, lon: 19.94 })).toBe('Europe/Warsaw');
    expect(zoneOfPlace({ lat: 500, lon: 0 })).toBeNull();
  });
});

describe('times in file names', () => {
  it.each([
    ['VID_20260701_190703.mp4', '2026-07-01T19:07:03.000Z', null],
    ['20260701_190703.mp4', '2026-07-01T19:07:03.000Z', null],
    ['PXL_20260701_190703123.TS.mp4', '2026-07-01T19:07:03.123Z', 'UTC'],
    ['DJI_20260701190703_0001_D.MP4', '2026-07-01T19:07:03.000Z', null],
    ['VID_20260701_190703_00_001.insv', '2026-07-01T19:07:03.000Z', null],
    ['WhatsApp Video 2026-07-01 at 19.07.03.mp4', '2026-07-01T19:07:03.000Z', null],
    ['2026-07-01T19:07:03Z.mp4', '2026-07-01T19:07:03.000Z', 'UTC'],
    ['2026-07-01T19-07-03+0530.mp4', '2026-07-01T19:07:03.000Z', 'UTC+5:30'],
  ])('%s is %s in zone %s', (name, wallAsUtc, zone) => {
    const time = timeInName(name);
    expect(iso(instantOf(time!.wall, 'UTC')!)).toBe(wallAsUtc);
    expect(time!.zone).toBe(zone);
  });

  it.each([
    'GX010042.MP4',
    'IMG_20260701.mp4',
    '20261301_190703.mp4',
    'video-1234567890123456.mp4',
    'DJI_0001.MP4',
  ])('finds none in %s', (name) => {
    expect(timeInName(name)).toBeNull();
  });
});
