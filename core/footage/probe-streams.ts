import type { MediaInfo } from './plan.ts';

/** One stream as a probing tool tells it, before anything is chosen. */
export interface RawStream {
  index: number;
  type: 'video' | 'audio' | 'subtitle' | 'other';
  /** Decoder name; empty when the tool knows none. */
  codec: string;
  /** Four-letter container tag ("gpmd"); empty when unknown. */
  tag: string;
  /** Stored size, px; 0 when unknown. */
  width: number;
  height: number;
  /** Width over height of one stored pixel; 1 when square or unknown. */
  pixelAspect: number;
  /** Degrees clockwise to show it upright, as given; null when nothing says. */
  rotation: number | null;
  fps: number;
  pixelFormat: string;
  transfer: string;
  sampleRate: number;
  channels: number;
  isDefault: boolean;
  /** Cover art, thumbnails and still images. */
  isStill: boolean;
  /** 0 when unknown. */
  frames: number;
  /** Lower-case keys. */
  tags: Record<string, string>;
}

export interface RawMedia {
  container: string;
  /** 0 when unknown. */
  durationMs: number;
  tags: Record<string, string>;
  streams: RawStream[];
}

/** Codecs whose every picture stands alone: cover art mostly, footage only when nothing else is there (old AVI cameras). */
const IMAGE_CODECS = new Set(['mjpeg', 'png', 'bmp', 'gif', 'webp', 'tiff', 'jpeg2000', 'ljpeg']);
const TEXT_SUBTITLES = new Set(['mov_text', 'subrip', 'srt', 'webvtt', 'ass', 'ssa', 'text', 'tx3g']);
const HDR_TRANSFERS = new Set(['smpte2084', 'arib-std-b67']);
const UNKNOWN_CODECS = new Set(['', 'none', 'unknown', 'bin_data']);

/** Tags of the chosen picture that stand in where the container has none: they tell the maker and the time. */
const BORROWED_TAGS = ['creation_time', 'handler_name', 'encoder', 'timecode'];

/** Pixels narrower or wider than this many times are no camera's: a damaged header. */
const MAX_PIXEL_ASPECT = 4;

/** Chooses the picture to read, the sound to hear and the texts, out of everything a file carries. */
export function chooseStreams(path: string, raw: RawMedia): MediaInfo {
  const video = chooseVideo(raw.streams);
  const audio = chooseAudio(raw.streams);
  const tags = { ...raw.tags };
  const texts = raw.streams.filter((s) => s.type === 'subtitle' && TEXT_SUBTITLES.has(s.codec));
  for (const key of BORROWED_TAGS) {
    const value = video?.tags[key];
    if (value && !tags[key]) tags[key] = value;
  }
  const rotation = quarterTurns(video?.rotation ?? 0);
  const sideways = rotation === 90 || rotation === 270;
  const shown = video && squarePixels(video);
  return {
    path,
    durationMs: raw.durationMs,
    container: raw.container,
    video: shown && {
      index: shown.index,
      codec: shown.codec,
      width: sideways ? shown.height : shown.width,
      height: sideways ? shown.width : shown.height,
      rotation,
      fps: shown.fps,
      pixelFormat: shown.pixelFormat,
      hdr: HDR_TRANSFERS.has(shown.transfer),
    },
    audio: audio && {
      index: audio.index,
      codec: audio.codec,
      sampleRate: audio.sampleRate,
      channels: audio.channels,
    },
    subtitles: texts.map((s) => ({ index: s.index, codec: s.codec, language: language(s) })),
    gpmdIndex: raw.streams.find((s) => s.tag === 'gpmd')?.index ?? null,
    tags,
  };
}

/** Pictures that could be footage, best first: largest, then the one marked default, then the first. */
export function footagePictures(streams: readonly RawStream[]): RawStream[] {
  const real = streams.filter(
    (s) => s.type === 'video' && !s.isStill && s.width > 0 && s.height > 0 && !UNKNOWN_CODECS.has(s.codec),
  );
  const moving = real.filter((s) => !IMAGE_CODECS.has(s.codec));
  const candidates = moving.length > 0 ? moving : real.filter((s) => s.fps > 0 && s.frames !== 1);
  return candidates.sort(
    (a, b) =>
      b.width * b.height - a.width * a.height ||
      Number(b.isDefault) - Number(a.isDefault) ||
      a.index - b.index,
  );
}

function chooseVideo(streams: readonly RawStream[]): RawStream | null {
  return footagePictures(streams)[0] ?? null;
}

/** The sound marked default, then the finest; a codec nothing can decode (spatial audio) is never chosen. */
function chooseAudio(streams: readonly RawStream[]): RawStream | null {
  const candidates = streams.filter((s) => s.type === 'audio' && !UNKNOWN_CODECS.has(s.codec));
  candidates.sort(
    (a, b) =>
      Number(b.isDefault) - Number(a.isDefault) ||
      b.sampleRate * Math.max(1, b.channels) - a.sampleRate * Math.max(1, a.channels) ||
      a.index - b.index,
  );
  return candidates[0] ?? null;
}

function language(stream: RawStream): string | null {
  const value = stream.tags.language;
  return value && value !== 'und' ? value : null;
}

/** A stream with the size it is shown at: the side that pixels are too long for is enlarged, so that none is lost. */
function squarePixels(stream: RawStream): RawStream {
  const aspect = stream.pixelAspect;
  if (aspect === 1 || !(aspect >= 1 / MAX_PIXEL_ASPECT && aspect <= MAX_PIXEL_ASPECT)) return stream;
  if (aspect > 1) return { ...stream, width: Math.round(stream.width * aspect) };
  return { ...stream, height: Math.round(stream.height / aspect) };
}

/** Nearest quarter turn, 0..270. */
function quarterTurns(degrees: number): number {
  if (!Number.isFinite(degrees)) return 0;
  return (((Math.round(degrees / 90) % 4) + 4) % 4) * 90;
}
