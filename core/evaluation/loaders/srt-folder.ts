/**
 * A folder of subtitle files as episodes of 30 s by wall clock. EgoLife names files PERSON_DAYn_HH000000.srt, with times from that
 * hour on, captions below DenseCaption/ and speech below Transcript/ (a Chinese line, then its English one); any other file is one
 * video of its own stream, from 1 January 2024.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { FootnoteError } from '../../contract/index.ts';
import { type Cue, parseCues } from '../../footage/cues.ts';
import { byTime, type EvalEpisode } from '../set.ts';
import { dayMs, timeOfDayMs } from './egolife-time.ts';
import { readText } from './read.ts';

const WINDOW_MS = 30_000;
const NOMINAL_START_MS = Date.UTC(2024, 0, 1);
const HAN = /\p{Script=Han}/u;

interface Timed {
  startMs: number;
  speaker: string | null;
  text: string;
  channel: 'caption' | 'transcript';
}

/** Stream and start of a subtitle file, from its name. */
function placeOf(file: string): { stream: string; startMs: number } {
  const name = path.basename(file).replace(/\.(srt|vtt)$/i, '');
  const m = /^(A\d+_[A-Z]+)_(DAY\d+)_(\d{8})$/i.exec(name);
  if (!m) return { stream: name, startMs: NOMINAL_START_MS };
  return { stream: m[1]!, startMs: dayMs(m[2]!, name) + timeOfDayMs(m[3]!, name) };
}

/** Where two cues of one time say the same in Chinese and in English, the English one; where a cue has only Chinese, that. */
function inEnglish(cues: readonly Cue[]): Cue[] {
  const latin = new Set(cues.filter(({ text }) => !HAN.test(text)).map(({ startMs }) => startMs));
  return cues.filter(({ startMs, text }) => !HAN.test(text) || !latin.has(startMs));
}

/** A bilingual cue without its Chinese lines. */
function withoutHan(srt: string): string {
  return srt
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split('\n');
      const words = lines.filter((line) => !/-->|^\s*\d+\s*$/.test(line) && line.trim() !== '');
      const keep = words.some((line) => !HAN.test(line));
      return keep ? lines.filter((line) => !HAN.test(line)).join('\n') : block;
    })
    .join('\n\n');
}

function episodeOf(stream: string, startMs: number, cues: readonly Timed[], video: string): EvalEpisode {
  const said = cues.filter(({ channel }) => channel === 'transcript');
  const caption = cues.filter(({ channel }) => channel === 'caption').map(({ text }) => text);
  const lines = said.map(({ speaker, text }) => (speaker ? `${speaker}: ${text}` : text));
  return {
    id: `${stream}/${new Date(startMs).toISOString().slice(0, 19)}`,
    stream,
    startMs,
    endMs: startMs + WINDOW_MS,
    video,
    wearer: stream,
    text: [...caption, ...lines].join(' '),
    caption: caption.join(' '),
    transcript: said.map(({ speaker, text }) => ({ speaker, text })),
    visual: [],
    structured: [],
    moments: cues.map((cue) => ({ text: cue.text, atMs: cue.startMs })),
  };
}

/**
 * Episodes of a folder (looked through with its folders) or of one subtitle file. A cue belongs whole to the window it starts in, so
 * none is lost at an edge.
 * @throws FootnoteError FILE_MISSING; BAD_REQUEST when no subtitle is in it
 */
export function readSrtFolder(folder: string): EvalEpisode[] {
  const files = /\.(srt|vtt)$/i.test(folder)
    ? [folder]
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(srt|vtt)$/i.test(name))
        .sort()
        .map((name) => path.join(folder, name));
  if (files.length === 0)
    throw new FootnoteError('BAD_REQUEST', `There are no subtitle files in ${path.basename(folder)}.`);
  const windows = new Map<string, { stream: string; startMs: number; video: string; cues: Timed[] }>();
  for (const file of files) {
    const { stream, startMs } = placeOf(file);
    const channel = /densecaption|caption/i.test(path.dirname(file)) ? 'caption' : 'transcript';
    for (const cue of inEnglish(parseCues(withoutHan(readText(file)), 'speech-sidecar'))) {
      const at = startMs + cue.startMs;
      const from = Math.floor(at / WINDOW_MS) * WINDOW_MS;
      const key = `${stream} ${from}`;
      const window = windows.get(key) ?? { stream, startMs: from, video: stream, cues: [] };
      window.cues.push({ startMs: at, speaker: cue.speaker, text: cue.text, channel });
      windows.set(key, window);
    }
  }
  return [...windows.values()]
    .map(({ stream, startMs, video, cues }) =>
      episodeOf(
        stream,
        startMs,
        cues.sort((a, b) => a.startMs - b.startMs),
        video,
      ),
    )
    .sort(byTime);
}
