import type { FileHandle } from 'node:fs/promises';

/** What the outermost boxes of an MP4 or MOV tell, without reading its contents. */
export interface Mp4Outline {
  /** False when the bytes are not MP4 boxes at all. */
  isMp4: boolean;
  /** The index (moov) is there and complete. */
  hasIndex: boolean;
  /** A box reaches past the end of the file: the file is cut short. */
  cutShort: boolean;
}

const FIRST_BOXES = new Set(['ftyp', 'wide', 'mdat', 'moov', 'free', 'skip', 'pnot', 'uuid']);
/** A sound file has a handful; a fragmented one thousands, and its index is known by then. */
const MAX_BOXES = 4096;

/** Walks the outermost boxes of an open file. Sizes beyond 4 GiB are read right. */
export async function outlineMp4(file: FileHandle, bytes: number): Promise<Mp4Outline> {
  const outline: Mp4Outline = { isMp4: false, hasIndex: false, cutShort: false };
  const header = Buffer.alloc(16);
  let at = 0;
  for (let n = 0; n < MAX_BOXES && at + 8 <= bytes; n += 1) {
    const { bytesRead } = await file.read(header, 0, 16, at);
    if (bytesRead < 8) break;
    const type = header.toString('latin1', 4, 8);
    if (n === 0) {
      if (!FIRST_BOXES.has(type)) return outline;
      outline.isMp4 = true;
    }
    const short = header.readUInt32BE(0);
    let size = short;
    if (short === 1 && bytesRead === 16) size = Number(header.readBigUInt64BE(8));
    else if (short === 0) size = bytes - at;
    // Padding or garbage after the last box is not a missing part.
    if (size < 8 || !/^[\w ©-]{4}$/.test(type)) break;
    if (at + size > bytes) {
      outline.cutShort = true;
      break;
    }
    if (type === 'moov') outline.hasIndex = true;
    at += size;
  }
  return outline;
}
