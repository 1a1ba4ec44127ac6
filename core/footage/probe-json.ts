import { z } from 'zod';
import type { RawMedia, RawStream } from './probe-streams.ts';

/** ffprobe prints numbers as text, leaves out what it does not know, and tags may hold any bytes. */
const Text = z.union([z.string(), z.number()]).transform(String);
const Tags = z.record(z.string(), Text).default({});

const ProbedStream = z.object({
  index: z.number().int(),
  codec_type: z.string().default(''),
  codec_name: z.string().default(''),
  codec_tag_string: z.string().default(''),
  width: z.number().default(0),
  height: z.number().default(0),
  sample_aspect_ratio: z.string().default(''),
  avg_frame_rate: z.string().default(''),
  r_frame_rate: z.string().default(''),
  pix_fmt: z.string().default(''),
  color_transfer: z.string().default(''),
  sample_rate: Text.default('0'),
  channels: z.number().default(0),
  nb_frames: Text.default('0'),
  start_time: Text.default('0'),
  duration: Text.default('0'),
  disposition: z.record(z.string(), z.number()).default({}),
  tags: Tags,
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
});

const Probed = z.object({
  streams: z.array(z.unknown()).default([]),
  format: z
    .object({
      format_name: z.string().default(''),
      start_time: Text.default('0'),
      duration: Text.default('0'),
      tags: Tags,
    })
    .default({ format_name: '', start_time: '0', duration: '0', tags: {} }),
});

/**
 * Reads what `ffprobe -of json -show_format -show_streams` printed. A stream it cannot understand is left out.
 * @returns null when the text is not such an object at all
 */
export function parseProbeJson(text: string): RawMedia | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const probed = Probed.safeParse(json);
  if (!probed.success) return null;
  const streams: RawStream[] = [];
  let longest = 0;
  let lastEnd = 0;
  for (const item of probed.data.streams) {
    const parsed = ProbedStream.safeParse(item);
    if (!parsed.success) continue;
    const stream = parsed.data;
    streams.push(toRawStream(stream));
    if (stream.codec_type === 'video' || stream.codec_type === 'audio') {
      const length = seconds(stream.duration);
      longest = Math.max(longest, length);
      if (length > 0) lastEnd = Math.max(lastEnd, seconds(stream.start_time) + length);
    }
  }
  const { format } = probed.data;
  return {
    container: format.format_name,
    durationMs: playedMs({
      container: format.format_name,
      startS: seconds(format.start_time),
      durationS: seconds(format.duration) || longest,
      lastEndS: lastEnd,
    }),
    tags: lowerKeys(format.tags),
    streams,
  };
}

/** A first time stamp up to this, s, is the usual small delay of sound against picture. */
const USUAL_START_S = 1;
/** Containers whose length counts from time 0 to the last picture, also when the first one comes an hour later. */
const COUNTS_FROM_ZERO = /\b(?:mov|mp4|matroska|webm)\b/;

/**
 * How long a file plays, ms: without the time before its first picture or sound, which nothing is shown in.
 * @param told what the container says, s; `lastEndS` where its last stream ends, 0 when streams tell no length
 */
export function playedMs(told: {
  container: string;
  startS: number;
  durationS: number;
  lastEndS: number;
}): number {
  const { container, startS, durationS, lastEndS } = told;
  let played = durationS;
  if (startS > USUAL_START_S && lastEndS > startS) played = Math.min(durationS, lastEndS - startS);
  else if (startS > USUAL_START_S && durationS > startS && COUNTS_FROM_ZERO.test(container)) {
    played = durationS - startS;
  }
  return Math.round(played * 1000);
}

function toRawStream(stream: z.infer<typeof ProbedStream>): RawStream {
  const tags = lowerKeys(stream.tags);
  // The side data is what newer files carry; the tag is how older tools told the same turn, with the other sign.
  const matrix = stream.side_data_list.find((data) => data.rotation !== undefined)?.rotation;
  const tagged = tags.rotate === undefined ? null : Number(tags.rotate);
  const is = (name: string) => stream.disposition[name] === 1;
  return {
    index: stream.index,
    type: streamType(stream.codec_type),
    codec: stream.codec_name,
    tag: stream.codec_tag_string,
    width: stream.width,
    height: stream.height,
    pixelAspect: ratio(stream.sample_aspect_ratio.replace(':', '/')) || 1,
    rotation: matrix === undefined ? tagged : -matrix,
    fps: ratio(stream.avg_frame_rate) || ratio(stream.r_frame_rate),
    pixelFormat: stream.pix_fmt,
    transfer: stream.color_transfer,
    sampleRate: seconds(stream.sample_rate),
    channels: stream.channels,
    isDefault: is('default'),
    isStill: is('attached_pic') || is('timed_thumbnails') || is('still_image'),
    frames: seconds(stream.nb_frames),
    tags,
  };
}

export function streamType(name: string): RawStream['type'] {
  const type = name.toLowerCase();
  return type === 'video' || type === 'audio' || type === 'subtitle' ? type : 'other';
}

/** Tag keys in lower case, values without the length byte and padding some cameras leave in. */
export function lowerKeys(tags: Record<string, string>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [key, value] of Object.entries(tags)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    result[key.toLowerCase()] = value.replace(/[\u0000-\u001f]/g, '').trim();
  }
  return result;
}

function seconds(text: string): number {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : 0;
}

function ratio(text: string): number {
  const [over, under = '1'] = text.split('/');
  const value = Number(over) / Number(under);
  return Number.isFinite(value) && value > 0 ? value : 0;
}
