import { lowerKeys, playedMs, streamType } from './probe-json.ts';
import type { RawMedia, RawStream } from './probe-streams.ts';

const INPUT = /^Input #0, (.+), from '/;
const DURATION = /^\s*Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)(?:, start: ([\d.]+))?/;
const STREAM = /^\s*Stream #0:(\d+)(?:\[[^\]]*\])?(?:\((\w+)\))?: (\w+): (.*)$/;
const TAG = /^\s+(\S[^:]*?)\s*: (.*)$/;
const TURN = /displaymatrix: rotation of (-?[\d.]+) degrees/;
/** Container tag as printed after the codec: "(avc1 / 0x31637661)". */
const FOURCC = /\((\w{4}) \/ 0x[0-9a-fA-F]+\)/;

/**
 * Reads what `ffmpeg -i` says of a file: the way to probe when there is no ffprobe. Knows less (no frame counts), but
 * everything that choosing streams needs.
 * @returns null when no input was opened
 */
export function parseFfmpegText(text: string): RawMedia | null {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => INPUT.test(line));
  if (first === -1) return null;
  const media: RawMedia = {
    container: INPUT.exec(lines[first]!)?.[1] ?? '',
    durationMs: 0,
    tags: {},
    streams: [],
  };
  let stream: RawStream | null = null;
  let inMetadata = false;
  for (const line of lines.slice(first + 1)) {
    const opened = STREAM.exec(line);
    if (opened) {
      stream = toStream(opened);
      media.streams.push(stream);
      inMetadata = false;
      continue;
    }
    const duration = DURATION.exec(line);
    if (duration && !stream) {
      const [, hours, minutes, secs, start] = duration;
      media.durationMs = playedMs({
        container: media.container,
        startS: Number(start ?? 0),
        durationS: Number(hours) * 3600 + Number(minutes) * 60 + Number(secs),
        lastEndS: 0,
      });
      inMetadata = false;
      continue;
    }
    const turn = TURN.exec(line);
    if (turn && stream) {
      stream.rotation = -Number(turn[1]);
      continue;
    }
    if (/^\s+Metadata:/.test(line)) {
      inMetadata = true;
      continue;
    }
    if (/^\s+(Side data|Chapters?|Program)\b/.test(line)) {
      inMetadata = false;
      continue;
    }
    const tag = inMetadata ? TAG.exec(line) : null;
    if (tag) addTag(stream ? stream.tags : media.tags, tag[1]!, tag[2]!);
  }
  for (const one of media.streams) {
    if (one.rotation === null && one.tags.rotate !== undefined) one.rotation = Number(one.tags.rotate);
  }
  return media;
}

function addTag(tags: Record<string, string>, key: string, value: string): void {
  for (const [name, clean] of Object.entries(lowerKeys({ [key]: value }))) tags[name] ??= clean;
}

function toStream(match: RegExpExecArray): RawStream {
  const [, index, language, kind, rest] = match as unknown as [string, string, string?, string?, string?];
  const words = rest ?? '';
  const size = /(?:^|, )(\d{1,5})x(\d{1,5})\b/.exec(words);
  // Said twice when codec and container differ; the container's, which comes last, is how it is shown.
  const aspect = [...words.matchAll(/\bSAR (\d+):(\d+)/g)].at(-1);
  const pixelAspect = aspect ? Number(aspect[1]) / Number(aspect[2]) : 1;
  const picture = /, (\w+)(?:\([^)]*\))?, \d+x\d+/.exec(words);
  const layout = /\d+ Hz, ([^,]+)/.exec(words)?.[1] ?? '';
  const colours = /\(([^()]*(?:smpte2084|arib-std-b67)[^()]*)\)/.exec(words)?.[1] ?? '';
  return {
    index: Number(index),
    type: streamType(kind ?? ''),
    codec: /^[\w-]+/.exec(words)?.[0] ?? '',
    tag: FOURCC.exec(words)?.[1] ?? '',
    width: Number(size?.[1] ?? 0),
    height: Number(size?.[2] ?? 0),
    pixelAspect: pixelAspect > 0 ? pixelAspect : 1,
    rotation: null,
    fps: Number(/([\d.]+) fps/.exec(words)?.[1] ?? /([\d.]+) tbr/.exec(words)?.[1] ?? 0),
    pixelFormat: picture?.[1] ?? '',
    transfer: /smpte2084|arib-std-b67/.exec(colours)?.[0] ?? '',
    sampleRate: Number(/(\d+) Hz/.exec(words)?.[1] ?? 0),
    channels: channelCount(layout),
    isDefault: words.includes('(default)'),
    isStill: /\((attached pic|timed thumbnails|still image)\)/.test(words),
    frames: 0,
    tags: language ? { language } : {},
  };
}

function channelCount(layout: string): number {
  if (layout.startsWith('mono')) return 1;
  if (layout.startsWith('stereo')) return 2;
  const counted = /^(\d+) channels/.exec(layout);
  if (counted) return Number(counted[1]);
  const surround = /^(\d)\.(\d)/.exec(layout);
  return surround ? Number(surround[1]) + Number(surround[2]) : 0;
}
