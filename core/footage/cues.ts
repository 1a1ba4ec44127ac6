import { parse as parseSubtitles } from 'subsrt-ts';

/** One line of speech from a subtitle file or track; ms from the start of the file it belongs to. */
export interface Cue {
  startMs: number;
  endMs: number;
  /** Who says it, where the subtitle tells; null otherwise. */
  speaker: string | null;
  text: string;
  source: 'speech-sidecar' | 'speech-embedded';
}

/** A day of subtitles at one cue every two seconds; more is not speech. */
const MAX_CUES = 50_000;
/** Longest text of one utterance, characters: two minutes without a pause. More is no caption, and would be read as one sentence. */
const MAX_CUE_CHARS = 2000;
/** What is looked at of one cue, its markup and all its speakers together, characters: the parser's time grows with the square. */
const MAX_BLOCK_CHARS = 2 * MAX_CUE_CHARS;
/** All text of one file, characters: a day of talking without a break (150 words a minute) is 1.3 million. */
const MAX_TEXT_CHARS = 2_000_000;
/** Signs that open no markup: nothing closes them within the length of any tag. The parser would look for their end again and again. */
const OPEN_ANGLE = /<(?![^<>]{0,200}>)/g;
const OPEN_BRACE = /\{(?![^{}]{0,200}\})/g;
/** A cue whose end is missing or before its start is held this long, ms. */
const MIN_CUE_MS = 1000;
const TIME = String.raw`(?:\d{1,3}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?`;
/** A timing line, with the counter or cue name before it when there is one. */
const CUE_HEAD = new RegExp(String.raw`\n(?:[ \t]*\d+[ \t]*\n)?[ \t]*(${TIME}[ \t]*-->[ \t]*${TIME})`, 'g');
/** What drones write into every cue of their flight log. */
const TELEMETRY =
  /SrtCnt|FrameCnt|DiffTime|\[\s*(?:iso|shutter|fnum|latitude|longitude)\s*:|GPS\s*\(|HOME\s*\(|BAROMETER|F\/[\d.]+,\s*SS\s|ISO\s*:?\s*\d+.*(?:Shutter|EV|Fnum)/i;
const TELEMETRY_LOOK = 50;

/** "Anna: …", ">> ANNA: …", "- Dr. Nowak: …": up to three capitalised words before the colon. */
const NAMED =
  /^(?:>>\s*|[-–]\s*)?(\p{Lu}[\p{L}\p{M}'’.-]*(?: (?:\p{Lu}[\p{L}\p{M}'’.-]*|\d{1,2})){0,2})\s*:\s+(\S.*)$/u;
const VOICE = /<v(?:\.[^\s<>]{0,200})?\s([^<>]{1,200})>/gi;
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&lrm;': '',
  '&rlm;': '',
  '&lbrace;': '{',
};

interface TimedText {
  startMs: number;
  endMs: number;
  content: string;
}

/** Whether a subtitle text is a drone's flight log: numbers for every frame, never speech. */
export function isTelemetryText(text: string): boolean {
  const cues = timedTexts(text.slice(0, 64 * 1024)).slice(0, TELEMETRY_LOOK);
  if (cues.length === 0) return false;
  return cues.filter((cue) => TELEMETRY.test(cue.content)).length * 2 >= cues.length;
}

/**
 * Speech in an .srt or .vtt text, in time order. Tolerates counters from 0, missing blank lines, short times, overlaps and
 * broken blocks; markup is taken out; a drone's flight log gives nothing. What no caption is as long as is cut: at most 2,000
 * characters an utterance, about 2 million a file.
 */
export function parseCues(text: string, source: Cue['source']): Cue[] {
  if (isTelemetryText(text)) return [];
  const cues: Cue[] = [];
  let chars = 0;
  for (const timed of timedTexts(text)) {
    if (cues.length >= MAX_CUES || chars >= MAX_TEXT_CHARS) break;
    const endMs = timed.endMs > timed.startMs ? timed.endMs : timed.startMs + MIN_CUE_MS;
    for (const { speaker, text: whole } of utterances(timed.content)) {
      const words = cut(whole, MAX_CUE_CHARS);
      chars += words.length;
      cues.push({ startMs: timed.startMs, endMs, speaker, text: words, source });
    }
  }
  return cues.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

/** The first whole words within so many characters; a word longer than that is cut. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const first = text.slice(0, chars);
  const lastSpace = first.lastIndexOf(' ');
  // Never half of a sign that takes two characters.
  return lastSpace > 0 ? first.slice(0, lastSpace) : first.replace(/[\uD800-\uDBFF]$/, '');
}

function timedTexts(text: string): TimedText[] {
  const lines = `\n${text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')}`;
  // One blank line before every timing line, whatever was there: blocks run together are the commonest damage.
  const blocks = lines
    .replace(CUE_HEAD, '\n\n$1')
    .split(/\n\s*\n/)
    .map((block) =>
      block.slice(0, MAX_BLOCK_CHARS).replace(OPEN_ANGLE, '&lt;').replace(OPEN_BRACE, '&lbrace;'),
    )
    .join('\n\n');
  const result: TimedText[] = [];
  // The WebVTT reader takes both kinds: only its counter and its hours are optional.
  for (const caption of parseSubtitles(blocks, { format: 'vtt' })) {
    if (caption.type !== 'caption' || !Number.isFinite(caption.start)) continue;
    result.push({ startMs: caption.start, endMs: caption.end, content: caption.content ?? '' });
  }
  return result;
}

/** What is said in one cue, by whom: several speakers share a cue as voice tags or as lines with names. */
function utterances(content: string): { speaker: string | null; text: string }[] {
  const result: { speaker: string | null; text: string }[] = [];
  for (const voice of splitVoices(content)) {
    let open: { speaker: string | null; text: string } | null = null;
    for (const line of voice.text.split('\n')) {
      const clean = stripMarkup(line);
      if (!clean) continue;
      const named = voice.speaker ? null : NAMED.exec(clean);
      if (named) open = { speaker: named[1]!, text: named[2]! };
      else if (open) {
        open.text += ` ${clean}`;
        continue;
      } else open = { speaker: voice.speaker, text: clean };
      result.push(open);
    }
  }
  return result;
}

function splitVoices(content: string): { speaker: string | null; text: string }[] {
  const marks = [...content.matchAll(VOICE)];
  if (marks.length === 0) return [{ speaker: null, text: content }];
  const parts = [{ speaker: null as string | null, text: content.slice(0, marks[0]!.index) }];
  marks.forEach((mark, i) => {
    const text = content.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? content.length);
    parts.push({ speaker: stripMarkup(mark[1]!) || null, text });
  });
  return parts;
}

function stripMarkup(line: string): string {
  return line
    .replace(/<[^<>]{0,200}>/g, '')
    .replace(/\{\\[^{}]{0,200}\}/g, '')
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm|lbrace);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
