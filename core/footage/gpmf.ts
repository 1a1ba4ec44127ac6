import { type KlvEntry, numbersOf, readKlv, rowsOf, textOf } from './klv.ts';

/** One position of the camera. */
export interface GpsSample {
  /** Where in the file, ms from its start, by the container's clock. */
  offsetMs: number;
  lat: number;
  lon: number;
  /** Metres, as the receiver gives it (older cameras: above the ellipsoid). Null when unknown. */
  altitudeM: number | null;
  /** Ground speed, m/s; null when unknown. */
  speedMps: number | null;
}

/** What one GPMF payload (about a second) tells of place and time, only where the receiver had a lock. */
export interface GpsPayload {
  samples: GpsSample[];
  /** UTC by the satellites at the payload's start, epoch ms; null when it says none. */
  utcMs: number | null;
  device: string | null;
}

/** GPSF: 0 none, 2 two-dimensional, 3 three-dimensional lock. */
const LOCKED = 2;
const GPS9_FIELDS = 9;
const GPS9_TYPES = 'lllllllSS';
/** GPS9 counts days from here. */
const GPS9_EPOCH_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;
/** Receivers without the real date say 1980 or 2000; no camera with GPMF is older than this. */
const EARLIEST_MS = Date.UTC(2015, 0, 1);

type Stream = ReadonlyMap<string, KlvEntry>;

/**
 * Reads the GPS of one GPMF payload, and nothing else of it: a library that parses every sensor takes 22 ms a payload, which
 * is over a minute for an hour of footage. Anything malformed gives null, never an exception.
 * @param bytes the payload as it lies in the gpmd track
 * @param offsetMs where the payload begins in the file
 * @param durationMs how long it lasts
 */
export function readGpmfPayload(bytes: Buffer, offsetMs: number, durationMs: number): GpsPayload | null {
  const payload: GpsPayload = { samples: [], utcMs: null, device: null };
  const devices = readKlv(bytes);
  if (!devices) return null;
  for (const device of devices) {
    if (device.key !== 'DEVC') continue;
    const entries = readKlv(device.value) ?? [];
    payload.device ??= textOf(entries.find((entry) => entry.key === 'DVNM'));
    for (const entry of entries) {
      if (entry.key !== 'STRM' || payload.samples.length > 0) continue;
      const stream = new Map((readKlv(entry.value) ?? []).map((item) => [item.key, item]));
      if (stream.has('GPS9')) readGps9(stream, payload, offsetMs, durationMs);
      else if (stream.has('GPS5')) readGps5(stream, payload, offsetMs, durationMs);
    }
  }
  return payload;
}

/** GPS5: latitude, longitude, altitude, ground speed, 3D speed; fix and date hold for all of the payload. */
function readGps5(stream: Stream, payload: GpsPayload, offsetMs: number, durationMs: number): void {
  const fix = numbersOf(stream.get('GPSF'))[0] ?? 0;
  if (fix < LOCKED) return;
  const scale = numbersOf(stream.get('SCAL'));
  const rows = rowsOf(stream.get('GPS5'), 'lllll');
  rows.forEach((row, i) => {
    addSample(payload, scaled(row, scale), offsetMs + (durationMs * i) / rows.length);
  });
  if (payload.samples.length > 0) payload.utcMs = parseGpsu(textOf(stream.get('GPSU')));
}

/** GPS9: as GPS5, then days since 2000, seconds of the day, dilution of precision and fix, for each position. */
function readGps9(stream: Stream, payload: GpsPayload, offsetMs: number, durationMs: number): void {
  const scale = numbersOf(stream.get('SCAL'));
  const rows = rowsOf(stream.get('GPS9'), textOf(stream.get('TYPE')) ?? GPS9_TYPES);
  rows.forEach((row, i) => {
    const values = scaled(row, scale);
    if (values.length < GPS9_FIELDS || values[8]! < LOCKED) return;
    const sinceStart = (durationMs * i) / rows.length;
    const utc = GPS9_EPOCH_MS + values[5]! * DAY_MS + values[6]! * 1000;
    if (payload.utcMs === null && isPlausible(utc)) payload.utcMs = Math.round(utc - sinceStart);
    addSample(payload, values, offsetMs + sinceStart);
  });
}

function addSample(payload: GpsPayload, values: readonly number[], offsetMs: number): void {
  const [lat, lon, altitude, speed] = values as [number, number, number, number];
  if (!isPlace(lat, lon)) return;
  payload.samples.push({
    offsetMs: Math.round(offsetMs),
    lat,
    lon,
    altitudeM: Number.isFinite(altitude) ? altitude : null,
    speedMps: Number.isFinite(speed) && speed >= 0 ? speed : null,
  });
}

function scaled(row: readonly number[], scale: readonly number[]): number[] {
  return row.map((value, field) => value / (scale[field] || scale[0] || 1));
}

/** GPSU is "yymmddhhmmss.sss" in UTC. Null when it is no date, or one before the cameras existed. */
function parseGpsu(value: string | null): number | null {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:\.\d+)?)$/.exec(value ?? '');
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const utc = Date.UTC(2000 + year, month - 1, day, hour, minute) + Math.round(second * 1000);
  return isPlausible(utc) ? utc : null;
}

function isPlausible(utcMs: number): boolean {
  return Number.isFinite(utcMs) && utcMs >= EARLIEST_MS && utcMs < EARLIEST_MS + 85 * 365 * DAY_MS;
}

function isPlace(lat: number, lon: number): boolean {
  return (
    Number.isFinite(lat) &&
    Number.isFinite(lon) &&
    Math.abs(lat) <= 90 &&
    Math.abs(lon) <= 180 &&
    !(lat === 0 && lon === 0)
  );
}
