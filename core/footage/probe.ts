import { type FileHandle, open } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { FootnoteError } from '../contract/errors.ts';
import { findTool, runTool } from './ffmpeg.ts';
import { guardedInput, wasRefused } from './guarded-input.ts';
import { type Mp4Outline, outlineMp4 } from './mp4-boxes.ts';
import type { MediaInfo } from './plan.ts';
import { parseProbeJson } from './probe-json.ts';
import { chooseStreams, footagePictures, type RawMedia } from './probe-streams.ts';
import { parseFfmpegText } from './probe-text.ts';

/** A tool that has not understood a file's header by then is stuck in it. */
const PROBE_TIMEOUT_MS = 60_000;
/** Longest look through a file that does not tell its length (a stream saved as it came). */
const MEASURE_TIMEOUT_MS = 120_000;
const MAX_PRINTED_BYTES = 16 * 1024 * 1024;
const HOUR_MS = 3_600_000;
/** Longest a single file may claim to be: twice a whole day of a camera on mains power. A wrong index can claim centuries. */
const MAX_FILE_MS = 48 * HOUR_MS;
/** One picture a second that never changes takes several times this; a claimed hour in less is not there. */
const MIN_BYTES_PER_HOUR = 10_000;

/** Endings that promise footage: such a file that cannot be read is told as unreadable, any other as not footage. */
const FOOTAGE_ENDINGS = new Set(
  '.mp4 .mov .m4v .mkv .webm .avi .mts .m2ts .ts .mpg .mpeg .vob .3gp .3g2 .wmv .asf .flv .ogv .mxf .dv .insv .lrv .lrf .360 .hevc .h264'.split(
    ' ',
  ),
);

const UNFINISHED =
  'The recording was never finished: its index is missing, as when the battery died or the card was pulled. ' +
  'Put the card back into the camera and switch it on, many cameras repair it then; or rebuild it with a ' +
  'recovery tool and a good file of the same camera, and import it again.';

export interface ProbeOptions {
  signal?: AbortSignal;
  /** Which tool asks the file; ffprobe when it is there. */
  tool?: 'ffprobe' | 'ffmpeg';
}

/** Whether a file's name promises footage. */
export function looksLikeFootage(path: string): boolean {
  return FOOTAGE_ENDINGS.has(extname(path).toLowerCase());
}

/**
 * Asks a file what it holds and chooses the streams to read. Takes bounded time whatever the file.
 * @returns sizes in square px after rotation, duration in ms without the time before the first picture
 * @throws FootnoteError FILE_MISSING, FILE_EMPTY (no bytes, or nothing but zeros), FILE_UNFINISHED (no index),
 *   FILE_NO_PICTURE (sound only), FILE_NOT_FOOTAGE (a picture, a text, a list), FILE_UNREADABLE
 *   (also for a length no recording has), CANCELLED, FFMPEG_MISSING
 */
export async function probe(path: string, options: ProbeOptions = {}): Promise<MediaInfo> {
  const absolute = resolve(path);
  const { outline, bytes } = await lookAtBytes(absolute);
  const tool = options.tool ?? (findTool('ffprobe') ? 'ffprobe' : 'ffmpeg');
  const { media, said } = await ask(tool, absolute, options.signal);
  if (!media || media.streams.length === 0) throw unreadable(path, outline, said);
  if (footagePictures(media.streams).length === 0) {
    if (media.streams.some((stream) => stream.type === 'audio')) {
      throw new FootnoteError('FILE_NO_PICTURE', 'There is only sound in this file, no picture.');
    }
    throw notFootage(path);
  }
  const info = chooseStreams(absolute, media);
  if (info.durationMs <= 0 && info.video) {
    info.durationMs = await measureDuration(absolute, info.video.index, options.signal);
  }
  if (info.durationMs <= 0) {
    throw new FootnoteError('FILE_UNREADABLE', 'No picture of this file could be read; it may be damaged.');
  }
  requirePlausibleLength(info.durationMs, bytes);
  return info;
}

/** Everything later is planned and kept by length: a small file must not claim days. */
function requirePlausibleLength(durationMs: number, bytes: number): void {
  const hours = durationMs / HOUR_MS;
  if (durationMs > MAX_FILE_MS) {
    throw new FootnoteError(
      'FILE_UNREADABLE',
      `The file says it is ${Math.round(hours).toLocaleString('en')} hours long; no single recording is longer than ${MAX_FILE_MS / HOUR_MS} hours. Its index is damaged.`,
    );
  }
  if (hours >= 1 && bytes < hours * MIN_BYTES_PER_HOUR) {
    throw new FootnoteError(
      'FILE_UNREADABLE',
      `The file says it is ${Math.round(hours)} hours long, but is far too small for that. Its index is damaged.`,
    );
  }
}

/** Whether an MP4 or MOV ends before its own index says: only a first part of it can be read then. */
export async function isCutShort(path: string): Promise<boolean> {
  const file = await openFile(path);
  try {
    const outline = await outlineMp4(file, (await file.stat()).size);
    return outline.isMp4 && outline.cutShort;
  } finally {
    await file.close();
  }
}

async function lookAtBytes(path: string): Promise<{ outline: Mp4Outline; bytes: number }> {
  const file = await openFile(path);
  try {
    const info = await file.stat();
    if (!info.isFile()) throw new FootnoteError('FILE_NOT_FOOTAGE', 'This is not a file with footage.');
    if (info.size === 0) throw new FootnoteError('FILE_EMPTY', 'The file is empty (0 bytes).');
    if (await isZeroFilled(file, info.size)) {
      throw new FootnoteError(
        'FILE_EMPTY',
        'The file holds nothing but zeros: the camera never wrote into it.',
      );
    }
    return { outline: await outlineMp4(file, info.size), bytes: info.size };
  } catch (error) {
    throw error instanceof FootnoteError ? error : cannotRead(error);
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw cannotRead(error);
  }
}

function cannotRead(error: unknown): FootnoteError {
  const code = (error as { code?: unknown }).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new FootnoteError('FILE_MISSING', 'The file is not there any more.', {}, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new FootnoteError(
      'FILE_UNREADABLE',
      'You are not allowed to read this file.',
      {},
      { cause: error },
    );
  }
  const reason = 'The disk gave an error while this file was read; the card or the cable may be bad.';
  return new FootnoteError('FILE_UNREADABLE', reason, { code: String(code) }, { cause: error });
}

/** Looks at the head, the tail and evenly spaced places, never at the whole file. */
async function isZeroFilled(file: FileHandle, bytes: number): Promise<boolean> {
  const PLACES = 9;
  const block = Buffer.alloc(65_536);
  for (let n = 0; n < PLACES; n += 1) {
    const at = Math.floor((Math.max(0, bytes - block.length) * n) / (PLACES - 1));
    const { bytesRead } = await file.read(block, 0, block.length, at);
    for (let i = 0; i < bytesRead; i += 1) if (block[i] !== 0) return false;
  }
  return true;
}

async function ask(
  tool: 'ffprobe' | 'ffmpeg',
  path: string,
  signal?: AbortSignal,
): Promise<{ media: RawMedia | null; said: string }> {
  const limits = {
    timeoutMs: PROBE_TIMEOUT_MS,
    maxBytes: MAX_PRINTED_BYTES,
    ...(signal ? { signal } : {}),
  };
  if (tool === 'ffprobe') {
    const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...guardedInput(path)];
    const { code, stdout, stderr } = await runTool('ffprobe', args, limits);
    // No exit code: it crashed. The ffprobe that npm carries does so on transport streams; ffmpeg tells less, but enough.
    if (code !== null) return { media: parseProbeJson(stdout.toString('utf8')), said: stderr };
  }
  const { stderr } = await runTool('ffmpeg', ['-nostdin', '-hide_banner', ...guardedInput(path)], limits);
  return { media: parseFfmpegText(stderr), said: stderr };
}

/** Length by going through the packets, for files that do not tell it. 0 when there are none. */
async function measureDuration(path: string, stream: number, signal?: AbortSignal): Promise<number> {
  const args = ['-nostdin', '-hide_banner', ...guardedInput(path), '-map', `0:${stream}`, '-c', 'copy'];
  const { stderr } = await runTool('ffmpeg', [...args, '-f', 'null', '-'], {
    timeoutMs: MEASURE_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  });
  const last = [...stderr.matchAll(/time=(\d+):(\d\d):(\d\d(?:\.\d+)?)/g)].at(-1);
  if (!last) return 0;
  return Math.round((Number(last[1]) * 3600 + Number(last[2]) * 60 + Number(last[3])) * 1000);
}

function unreadable(path: string, outline: Mp4Outline, said: string): FootnoteError {
  if (outline.isMp4 && !outline.hasIndex) return new FootnoteError('FILE_UNFINISHED', UNFINISHED);
  if (!looksLikeFootage(path) || wasRefused(said)) return notFootage(path);
  if (/Permission denied/.test(said)) {
    return new FootnoteError('FILE_UNREADABLE', 'You are not allowed to read this file.');
  }
  return new FootnoteError(
    'FILE_UNREADABLE',
    'There is no footage in this file that can be read; it may be damaged.',
  );
}

function notFootage(path: string): FootnoteError {
  if (looksLikeFootage(path)) {
    return new FootnoteError('FILE_NOT_FOOTAGE', 'Despite its name there is no video in this file.');
  }
  return new FootnoteError('FILE_NOT_FOOTAGE', 'This is not footage.');
}
