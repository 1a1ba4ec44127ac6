import { open } from 'node:fs/promises';
import { FootnoteError } from '../contract/errors.ts';

/**
 * Adds a GoPro telemetry track to an MP4 that ffmpeg has written: no muxer of ours can make one. The payloads go into
 * a second media box, and the index, which stands last, is written again with one more track.
 */
const TIMESCALE = 1000;
const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

function u32(...values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    data.writeUInt32BE(value, i * 4);
  });
  return data;
}

function u16(...values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => {
    data.writeUInt16BE(value, i * 2);
  });
  return data;
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** A name with its length in front, as QuickTime handlers carry it. */
function counted(name: string): Buffer {
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name, 'latin1')]);
}

interface TrackFacts {
  id: number;
  /** In the movie's timescale. */
  movieDuration: number;
  /** Where the first payload lies in the file. */
  offset: number;
}

/** The track: each payload lasts one second. */
function track(payloads: readonly Buffer[], { id, movieDuration, offset }: TrackFacts): Buffer {
  const duration = payloads.length * TIMESCALE;
  const sampleTable = box(
    'stbl',
    box('stsd', u32(0, 1), box('gpmd', u32(0), u16(0, 1), u32(0))),
    box('stts', u32(0, 1, payloads.length, TIMESCALE)),
    box('stsc', u32(0, 1, 1, payloads.length, 1)),
    box('stsz', u32(0, 0, payloads.length, ...payloads.map((p) => p.length))),
    box('stco', u32(0, 1, offset)),
  );
  const dataInformation = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))));
  const mediaHeader = box('gmhd', box('gmin', u32(0), u16(0x40, 0x8000, 0x8000, 0x8000), u32(0)));
  return box(
    'trak',
    box('tkhd', u32(7, 0, 0, id, 0, movieDuration, 0, 0), u16(0, 0, 0, 0), u32(...MATRIX, 0, 0)),
    box(
      'mdia',
      box('mdhd', u32(0, 0, 0, TIMESCALE, duration), u16(0x55c4, 0)),
      box('hdlr', u32(0), Buffer.from('mhlrmeta', 'latin1'), u32(0, 0, 0), counted('GoPro MET')),
      box('minf', mediaHeader, dataInformation, sampleTable),
    ),
  );
}

/**
 * @param path an MP4 of less than 4 GiB whose index is its last box
 * @param payloads one telemetry payload for each second
 * @throws FootnoteError INTERNAL when the file is laid out otherwise
 */
export async function addTelemetryTrack(path: string, payloads: readonly Buffer[]): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(8);
    let at = 0;
    let length = 0;
    let type = '';
    while (at < size) {
      await file.read(head, 0, 8, at);
      length = head.readUInt32BE(0);
      type = head.toString('latin1', 4, 8);
      if (length < 8 || at + length >= size) break;
      at += length;
    }
    if (type !== 'moov' || at + length !== size) {
      throw new FootnoteError('INTERNAL', 'The telemetry track needs an MP4 whose index stands last.');
    }
    const index = Buffer.alloc(length);
    await file.read(index, 0, length, at);
    const movieHeader = index.subarray(8);
    const headerLength = movieHeader.readUInt32BE(0);
    if (movieHeader.toString('latin1', 4, 8) !== 'mvhd' || movieHeader[8] !== 0) {
      throw new FootnoteError('INTERNAL', 'The telemetry track needs a movie header of version 0.');
    }
    const movieDuration = movieHeader.readUInt32BE(24);
    const id = movieHeader.readUInt32BE(headerLength - 4);
    movieHeader.writeUInt32BE(id + 1, headerLength - 4);
    const media = box('mdat', ...payloads);
    const added = track(payloads, { id, movieDuration, offset: at + 8 });
    const tail = Buffer.concat([media, box('moov', index.subarray(8), added)]);
    await file.write(tail, 0, tail.length, at);
    await file.truncate(at + tail.length);
  } finally {
    await file.close();
  }
}
