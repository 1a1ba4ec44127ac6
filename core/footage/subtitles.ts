import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { FootnoteError } from '../contract/errors.ts';
import { type Cue, isTelemetryText, parseCues } from './cues.ts';
import { runTool } from './ffmpeg.ts';
import { guardedInput } from './guarded-input.ts';
import type { PlannedChapter } from './plan.ts';
import { decodeText } from './text-encoding.ts';

export type { Cue } from './cues.ts';

/** The subtitles of a whole day are well under this; more is something else. */
const MAX_SUBTITLE_BYTES = 16 * 1024 * 1024;
/** Matroska keeps texts between the pictures, so all of a long file must be passed over. */
const EXTRACT_TIMEOUT_MS = 600_000;
const LOOK_BYTES = 64 * 1024;

/** What a file that ends in .srt or .vtt turns out to be. */
export type SubtitleKind = 'speech' | 'telemetry' | 'too-large' | 'unreadable';

/** Whether a name ends as subtitle files do. */
export function isSubtitleName(name: string): boolean {
  return /\.(srt|vtt)$/i.test(name);
}

/**
 * Whether a subtitle file belongs to a video: same name, or the same name with a language or kind behind it
 * ("GX010042.srt", "GX010042.en.srt", "GX010042.MP4.vtt", "GX010042_pl-PL.forced.srt").
 */
export function isSubtitleOf(subtitleName: string, videoName: string): boolean {
  const subtitle = subtitleName.replace(/\.(srt|vtt)$/i, '').toLowerCase();
  const video = videoName.toLowerCase();
  const stem = video.replace(/\.[^.]+$/, '');
  if (subtitle === stem || subtitle === video) return true;
  const rest = [video, stem].find((name) => subtitle.startsWith(name));
  if (rest === undefined) return false;
  const suffix = subtitle.slice(rest.length);
  return /^(?:[._-](?:[a-z]{2,3}(?:[-_][a-z0-9]{2,4})?|forced|sdh|cc|hi|default|auto|orig|english|transcript)){1,3}$/.test(
    suffix,
  );
}

/** Looks into a subtitle file: speech, a drone's flight log, or neither. */
export async function subtitleKind(path: string): Promise<SubtitleKind> {
  try {
    if ((await stat(path)).size > MAX_SUBTITLE_BYTES) return 'too-large';
    const file = await open(path, 'r');
    try {
      const block = Buffer.alloc(LOOK_BYTES);
      const { bytesRead } = await file.read(block, 0, LOOK_BYTES, 0);
      return isTelemetryText(decodeText(block.subarray(0, bytesRead))) ? 'telemetry' : 'speech';
    } finally {
      await file.close();
    }
  } catch {
    return 'unreadable';
  }
}

/**
 * Speech that a chapter's subtitles hold, in time order; offsets in ms within the chapter, cut to its length. One source
 * is read, so that nothing is heard twice: the first subtitle file that says anything, else the first text track.
 * A damaged subtitle gives no speech and stops nothing.
 * @throws FootnoteError CANCELLED, FFMPEG_MISSING
 */
export async function readSpeech(
  chapter: PlannedChapter,
  options: { signal?: AbortSignal } = {},
): Promise<Cue[]> {
  const paths = [...chapter.subtitlePaths].sort(
    (a, b) => basename(a).length - basename(b).length || (a < b ? -1 : 1),
  );
  for (const path of paths) {
    const cues = within(await readSidecar(path), chapter.durationMs);
    if (cues.length > 0) return cues;
  }
  for (const track of chapter.media.subtitles) {
    const text = await extractTrack(chapter.media.path, track, options.signal);
    const cues = within(parseCues(text, 'speech-embedded'), chapter.durationMs);
    if (cues.length > 0) return cues;
  }
  return [];
}

async function readSidecar(path: string): Promise<Cue[]> {
  try {
    const file = await open(path, 'r');
    try {
      if ((await file.stat()).size > MAX_SUBTITLE_BYTES) return [];
      return parseCues(decodeText(await file.readFile()), 'speech-sidecar');
    } finally {
      await file.close();
    }
  } catch {
    // Gone or unreadable since the import was planned: the footage itself is still worth reading.
    return [];
  }
}

async function extractTrack(
  path: string,
  track: { index: number; codec: string },
  signal?: AbortSignal,
): Promise<string> {
  // Speakers are voice tags in WebVTT, which a conversion to SubRip would lose.
  const format = track.codec === 'webvtt' ? ['-c:s', 'copy', '-f', 'webvtt'] : ['-f', 'srt'];
  const input = ['-nostdin', '-v', 'error', ...guardedInput(path, ['pipe'])];
  try {
    const { stdout } = await runTool('ffmpeg', [...input, '-map', `0:${track.index}`, ...format, 'pipe:1'], {
      timeoutMs: EXTRACT_TIMEOUT_MS,
      maxBytes: MAX_SUBTITLE_BYTES,
      ...(signal ? { signal } : {}),
    });
    return decodeText(stdout);
  } catch (error) {
    if (error instanceof FootnoteError && error.code === 'FILE_UNREADABLE') return '';
    throw error;
  }
}

function within(cues: Cue[], durationMs: number): Cue[] {
  return cues
    .filter((cue) => cue.startMs < durationMs)
    .map((cue) => ({ ...cue, endMs: Math.min(cue.endMs, durationMs) }));
}
