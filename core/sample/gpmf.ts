/**
 * Writes GPS telemetry the way GoPro cameras store it: nested key-length-value records (GPMF), one payload a second.
 * Format: the public GPMF description of GoPro's parser; only what a HERO writes for GPS5 is made.
 */

/** A straight way: from here, heading in degrees clockwise from north, at a speed in m/s. */
export interface GpsWalk {
  lat: number;
  lon: number;
  heading: number;
  speed: number;
}

const SAMPLES_A_SECOND = 10;
const METRES_A_DEGREE = 111_320;
/** Divisors of latitude, longitude, altitude, 2D speed and 3D speed, as HERO cameras use them. */
const SCALE = [10_000_000, 10_000_000, 1000, 1000, 100];
const ALTITUDE_M = 92;
const LOCK_3D = 3;
/** Dilution of precision × 100. */
const PRECISION = 120;

type Kind = 'c' | 'L' | 'l' | 'S' | 'U' | 'nested';

/** One record: four-letter key, kind, size of one structure, how many, data padded to 4 bytes. */
function record(key: string, kind: Kind, structSize: number, repeat: number, data: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4);
  data.copy(padded);
  const head = Buffer.alloc(8);
  head.write(key, 0, 'latin1');
  head.writeUInt8(kind === 'nested' ? 0 : kind.charCodeAt(0), 4);
  head.writeUInt8(structSize, 5);
  head.writeUInt16BE(repeat, 6);
  return Buffer.concat([head, padded]);
}

const text = (key: string, value: string) => record(key, 'c', 1, value.length, Buffer.from(value, 'latin1'));

function nested(key: string, parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  return record(key, 'nested', 1, data.length, data);
}

function unsigned(key: string, value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(value);
  return record(key, 'L', 4, 1, data);
}

function short(key: string, value: number): Buffer {
  const data = Buffer.alloc(2);
  data.writeUInt16BE(value);
  return record(key, 'S', 2, 1, data);
}

function signed(key: string, rows: number[][]): Buffer {
  const columns = rows[0]!.length;
  const data = Buffer.alloc(rows.length * columns * 4);
  rows.flat().forEach((value, i) => {
    data.writeInt32BE(Math.round(value), i * 4);
  });
  return columns === SCALE.length && rows.length === 1
    ? record(key, 'l', 4, columns, data)
    : record(key, 'l', columns * 4, rows.length, data);
}

/** "yymmddhhmmss.sss" in UTC. */
function gpsTime(atMs: number): string {
  const iso = new Date(atMs).toISOString();
  return `${iso.slice(2, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}${iso.slice(11, 13)}${iso.slice(14, 16)}${iso.slice(17, 23)}`;
}

/**
 * One payload for each second of a take.
 * @param startMs true start, epoch ms
 * @param seconds length of the take, s
 */
export function gpsPayloads(walk: GpsWalk, startMs: number, seconds: number): Buffer[] {
  const north = Math.cos((walk.heading * Math.PI) / 180) * walk.speed;
  const east = Math.sin((walk.heading * Math.PI) / 180) * walk.speed;
  const perLon = METRES_A_DEGREE * Math.cos((walk.lat * Math.PI) / 180);
  return Array.from({ length: Math.max(1, Math.round(seconds)) }, (_, second) => {
    const rows = Array.from({ length: SAMPLES_A_SECOND }, (_, i) => {
      const t = second + i / SAMPLES_A_SECOND;
      const at = [walk.lat + (north * t) / METRES_A_DEGREE, walk.lon + (east * t) / perLon, ALTITUDE_M];
      return [...at, walk.speed, walk.speed].map((value, column) => value * SCALE[column]!);
    });
    const time = Buffer.from(gpsTime(startMs + second * 1000), 'latin1');
    return nested('DEVC', [
      unsigned('DVID', 1),
      text('DVNM', 'Sample camera'),
      nested('STRM', [
        text('STNM', 'GPS (Lat., Long., Alt., 2D speed, 3D speed)'),
        unsigned('GPSF', LOCK_3D),
        record('GPSU', 'U', 16, 1, time),
        short('GPSP', PRECISION),
        signed('SCAL', [SCALE]),
        signed('GPS5', rows),
      ]),
    ]);
  });
}
