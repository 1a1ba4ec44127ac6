import { open } from 'node:fs/promises';
import { endingOf } from './families/naming.ts';
import { looksLikeFootage } from './probe.ts';

/** What a file is, as far as its name and first bytes tell without asking ffmpeg. */
export type FileKind = 'footage' | 'subtitle' | 'poster' | 'photo' | 'sound' | 'other';

const endings = (list: string) => new Set(list.split(' '));
const PHOTOS = endings(
  'jpg jpeg jpe png heic heif gif webp dng gpr arw cr2 cr3 nef tif tiff bmp insp avif svg',
);
const SOUNDS = endings('wav mp3 m4a aac flac ogg oga opus wma aif aiff amr m3u pls');
const HEAD_BYTES = 16;
/** First byte of every packet of a transport stream. */
const PACKET_START = 0x47;

/** A name that promises footage is enough; any other file must begin as a video does. */
export async function kindOf(path: string, name: string): Promise<FileKind> {
  const ending = endingOf(name);
  if (ending === 'srt' || ending === 'vtt') return 'subtitle';
  if (ending === 'thm' || ending === 'scr') return 'poster';
  if (PHOTOS.has(ending)) return 'photo';
  if (SOUNDS.has(ending)) return 'sound';
  // TypeScript sources end as broadcast recordings do.
  if (looksLikeFootage(name) && ending !== 'ts') return 'footage';
  return (await beginsAsVideo(path, ending)) ? 'footage' : 'other';
}

async function beginsAsVideo(path: string, ending: string): Promise<boolean> {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = await open(path, 'r');
    try {
      await file.read(head, 0, HEAD_BYTES, 0);
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
  const text = head.toString('latin1');
  return (
    /^.{4}(ftyp|moov|mdat|wide|skip|pnot)/s.test(text) ||
    text.startsWith('\x1a\x45\xdf\xa3') ||
    /^RIFF.{4}AVI /s.test(text) ||
    text.startsWith('FLV\x01') ||
    text.startsWith('\x00\x00\x01\xba') ||
    (ending === 'ts' && head[0] === PACKET_START) ||
    text.startsWith('\x30\x26\xb2\x75\x8e\x66\xcf\x11')
  );
}
