import { readFile, rm, writeFile } from 'node:fs/promises';
import { runTool } from '../ffmpeg.ts';

/** What one second of a test camera's GPS says. */
export interface GpmfSecond {
  /** GPSU, UTC by the satellites, epoch ms. */
  utcMs: number;
  /** GPSF: 0 none, 2 two-dimensional, 3 three-dimensional. */
  fix: number;
  lat: number;
  lon: number;
  altitudeM?: number;
  speedMps?: number;
}

/** One GPMF key, length, value; padded to 32 bits as the format asks. */
function klv(key: string, type: string, size: number, repeat: number, value: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(key, 0, 'latin1');
  head.writeUInt8(type === '\0' ? 0 : type.charCodeAt(0), 4);
  head.writeUInt8(size, 5);
  head.writeUInt16BE(repeat, 6);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

const nest = (key: string, parts: Buffer[]) => {
  const value = Buffer.concat(parts);
  return klv(key, '\0', 1, value.length, value);
};
const text = (key: string, value: string) => klv(key, 'c', 1, value.length, Buffer.from(value, 'latin1'));
const words = (values: number[]) => {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    buffer.writeInt32BE(Math.round(value), i * 4);
  });
  return buffer;
};
const short = (value: number) => {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
};

/** A GPS5 payload (HERO5 to HERO10): three equal positions. */
export function gps5Payload(second: GpmfSecond): Buffer {
  const { lat, lon, altitudeM = 100, speedMps = 1 } = second;
  const row = [lat * 1e7, lon * 1e7, altitudeM * 1000, speedMps * 1000, speedMps * 100];
  const iso = new Date(second.utcMs).toISOString();
  const stamp = `${iso.slice(2, 19).replace(/[-T:]/g, '')}.${iso.slice(20, 23)}`;
  return nest('DEVC', [
    text('DVNM', 'Test Camera'),
    nest('STRM', [
      klv('GPSF', 'L', 4, 1, words([second.fix])),
      klv('GPSU', 'U', 16, 1, Buffer.from(stamp, 'latin1')),
      klv('GPSP', 'S', 2, 1, short(150)),
      klv('SCAL', 'l', 4, 5, words([1e7, 1e7, 1000, 1000, 100])),
      klv('GPS5', 'l', 20, 3, words([...row, ...row, ...row])),
    ]),
  ]);
}

/** A GPS9 payload (HERO11 and later): two equal positions, each with its own date and fix. */
export function gps9Payload(second: GpmfSecond): Buffer {
  const { lat, lon, altitudeM = 100, speedMps = 1 } = second;
  const sinceEpoch = second.utcMs - Date.UTC(2000, 0, 1);
  const days = Math.floor(sinceEpoch / 86_400_000);
  const milliseconds = sinceEpoch - days * 86_400_000;
  const row = Buffer.concat([
    words([lat * 1e7, lon * 1e7, altitudeM * 1000, speedMps * 1000, speedMps * 100, days, milliseconds]),
    short(150),
    short(second.fix),
  ]);
  return nest('DEVC', [
    text('DVNM', 'Test Camera'),
    nest('STRM', [
      text('TYPE', 'lllllllSS'),
      klv('SCAL', 'l', 4, 9, words([1e7, 1e7, 1000, 1000, 100, 1, 1000, 100, 1])),
      klv('GPS9', '?', 32, 2, Buffer.concat([row, row])),
    ]),
  ]);
}

const box = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

/** The smallest MP4 with nothing but a gpmd track, one payload a second. */
function gpmdOnlyMp4(payloads: readonly Buffer[]): Buffer {
  const matrix = words([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]);
  const ms = payloads.length * 1000;
  const ftyp = box('ftyp', Buffer.from('mp41\0\0\0\0mp41', 'latin1'));
  const mvhd = box(
    'mvhd',
    words([0, 0, 0, 1000, ms, 0x10000, 0x1000000, 0, 0]),
    matrix,
    Buffer.alloc(24),
    words([2]),
  );
  const tkhd = box('tkhd', words([7, 0, 0, 1, 0, ms, 0, 0, 0, 0]), matrix, words([0, 0]));
  const mdhd = box('mdhd', words([0, 0, 0, 1000, ms, 0x55c40000]));
  const hdlr = box(
    'hdlr',
    words([0, 0]),
    Buffer.from('meta', 'latin1'),
    words([0, 0, 0]),
    Buffer.from('GoPro MET\0'),
  );
  const dref = box('dref', words([0, 1]), box('url ', words([1])));
  const stsd = box('stsd', words([0, 1]), box('gpmd', words([0]), Buffer.from([0, 0, 0, 1]), words([0])));
  const stts = box('stts', words([0, 1, payloads.length, 1000]));
  const stsc = box('stsc', words([0, 1, 1, payloads.length, 1]));
  const stsz = box('stsz', words([0, 0, payloads.length, ...payloads.map((p) => p.length)]));
  const moov = (offset: number) => {
    const stco = box('stco', words([0, 1, offset]));
    const stbl = box('stbl', stsd, stts, stsc, stsz, stco);
    const minf = box('minf', box('nmhd', words([0])), box('dinf', dref), stbl);
    return box('moov', mvhd, box('trak', tkhd, box('mdia', mdhd, hdlr, minf)));
  };
  const before = ftyp.length + moov(0).length + 8;
  return Buffer.concat([ftyp, moov(before), box('mdat', ...payloads)]);
}

/** Adds a gpmd track to a clip in place, one payload a second, keeping everything else. */
export async function addGpmf(path: string, payloads: readonly Buffer[]): Promise<void> {
  const track = `${path}.gpmd`;
  const joined = `${path}.joined.mp4`;
  await writeFile(track, gpmdOnlyMp4(payloads));
  const inputs = ['-i', path, '-f', 'mp4', '-i', track];
  const maps = ['-map', '0:v', '-map', '0:a?', '-map', '1:0', '-c', 'copy', '-map_metadata', '0'];
  const { code, stderr } = await runTool('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-y', ...inputs, ...maps],
    ...['-copy_unknown', '-tag:d:0', 'gpmd', '-f', 'mp4', joined],
  ]);
  if (code !== 0) throw new Error(`ffmpeg could not add the telemetry track: ${stderr}`);
  await writeFile(path, await readFile(joined));
  await rm(track);
  await rm(joined);
}
