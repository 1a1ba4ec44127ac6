import goProTelemetry from 'gopro-telemetry';

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
const GPS5_FIELDS = 5;
const GPS9_FIELDS = 9;
/** GPS9 counts days from here. */
const GPS9_EPOCH_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;
/** Receivers without the real date say 1980 or 2000; no camera with GPMF is older than this. */
const EARLIEST_MS = Date.UTC(2015, 0, 1);

/** Key (4 bytes), type (1), size (1), repeat (2). */
const KLV_HEAD = 8;

type Fields = Record<string, unknown>;

/**
 * Reads the GPS of one GPMF payload. Anything malformed gives null, never an exception.
 * @param bytes the payload as it lies in the gpmd track
 * @param offsetMs where the payload begins in the file
 * @param durationMs how long it lasts
 */
export async function readGpmfPayload(
  bytes: Buffer,
  offsetMs: number,
  durationMs: number,
): Promise<GpsPayload | null> {
  // The parser prints what it stumbles over; it is given only what is whole.
  if (!isWholeKlv(bytes)) return null;
  let raw: unknown;
  try {
    raw = await goProTelemetry({ rawData: bytes }, { raw: true, stream: ['GPS5', 'GPS9'] });
  } catch {
    return null;
  }
  const payload: GpsPayload = { samples: [], utcMs: null, device: null };
  for (const device of asList((raw as Fields | null)?.DEVC)) {
    if (typeof device.DVNM === 'string') payload.device ??= device.DVNM;
    for (const stream of asList(device.STRM)) {
      if (payload.samples.length > 0) break;
      readStream(stream, payload, offsetMs, durationMs);
    }
  }
  return payload;
}

/** Whether every key, length and value lies inside its parent. */
function isWholeKlv(bytes: Buffer): boolean {
  if (bytes.length < KLV_HEAD) return false;
  let at = 0;
  while (at + KLV_HEAD <= bytes.length) {
    const length = bytes.readUInt8(at + 5) * bytes.readUInt16BE(at + 6);
    const end = at + KLV_HEAD + length;
    if (end > bytes.length) return false;
    const isNest = bytes.readUInt8(at + 4) === 0;
    if (isNest && length > 0 && !isWholeKlv(bytes.subarray(at + KLV_HEAD, end))) return false;
    at = Math.ceil(end / 4) * 4;
  }
  return at >= bytes.length;
}

function readStream(stream: Fields, payload: GpsPayload, offsetMs: number, durationMs: number): void {
  const scale = numbers(stream.SCAL);
  const nine = rows(stream.GPS9, GPS9_FIELDS);
  const five = nine.length > 0 ? [] : rows(stream.GPS5, GPS5_FIELDS);
  const list = nine.length > 0 ? nine : five;
  if (list.length === 0) return;
  if (five.length > 0 && !(typeof stream.GPSF === 'number' && stream.GPSF >= LOCKED)) return;
  list.forEach((row, i) => {
    const values = row.map((value, field) => value / (scale[field] ?? scale[0] ?? 1));
    if (nine.length > 0 && (values[8] ?? 0) < LOCKED) return;
    const sampleOffset = offsetMs + (durationMs * i) / list.length;
    const [lat, lon, altitude, speed] = values as [number, number, number, number];
    if (!isPlace(lat, lon)) return;
    if (nine.length > 0 && payload.utcMs === null) {
      const utc = GPS9_EPOCH_MS + values[5]! * DAY_MS + values[6]! * 1000;
      if (isPlausible(utc)) payload.utcMs = Math.round(utc - (sampleOffset - offsetMs));
    }
    payload.samples.push({
      offsetMs: Math.round(sampleOffset),
      lat,
      lon,
      altitudeM: Number.isFinite(altitude) ? altitude : null,
      speedMps: Number.isFinite(speed) && speed >= 0 ? speed : null,
    });
  });
  if (five.length > 0 && payload.samples.length > 0) payload.utcMs = parseGpsu(stream.GPSU);
}

/** GPSU is "yymmddhhmmss.sss" in UTC. Null when it is no date, or one before the cameras existed. */
function parseGpsu(value: unknown): number | null {
  const match = typeof value === 'string' && /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:\.\d+)?)$/.exec(value);
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

function asList(value: unknown): Fields[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is Fields => typeof item === 'object' && item !== null);
}

function numbers(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter((item): item is number => typeof item === 'number');
}

/** Rows of exactly `fields` numbers; the parser nests them once more when a payload holds several, and not at all for one. */
function rows(value: unknown, fields: number): number[][] {
  if (!Array.isArray(value)) return [];
  if (typeof value[0] === 'number') return value.length === fields ? [value as number[]] : [];
  return value.flatMap((item) =>
    Array.isArray(item) && Array.isArray(item[0])
      ? rows(item, fields)
      : Array.isArray(item) && item.length === fields && item.every((n) => typeof n === 'number')
        ? [item as number[]]
        : [],
  );
}
