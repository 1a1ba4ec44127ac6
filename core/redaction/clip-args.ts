import { FootnoteError } from '../contract/errors.ts';
import { fileUrl, READ_FPS } from '../footage/decode.ts';
import {
  type ColourMatrix,
  clipSize,
  colourMatrix,
  type PictureSize,
  pictureFilter,
} from '../footage/picture-filter.ts';
import type { MediaInfo } from '../footage/plan.ts';

/** Sets the size of easy footage; hard footage meets the rate below. */
const QUALITY = 27;
/** kbit/s: 54 MB an hour with all overhead, under the 60 MB that an hour of clip may take. */
const MAX_RATE = 120;
/** kbit: a burst may be three seconds' worth. */
const BURST = 360;
/** Frames between key frames: a player seeks to within two seconds. */
const KEY_FRAMES = 2 * READ_FPS;

/** x264 settings of every clip: 8 bit 4:2:0, which every player shows, and its index at the front. */
export function codecArgs(matrix: ColourMatrix): string[] {
  const colour = matrix === 'bt709' ? 'bt709' : 'smpte170m';
  return [
    ...['-c:v', 'libx264', '-preset', 'medium', '-crf', String(QUALITY), '-pix_fmt', 'yuv420p'],
    ...['-maxrate', `${MAX_RATE}k`, '-bufsize', `${BURST}k`, '-g', String(KEY_FRAMES)],
    ...['-color_range', 'tv', '-colorspace', colour, '-color_primaries', colour, '-color_trc', colour],
    ...['-map_metadata', '-1', '-movflags', '+faststart', '-f', 'mp4'],
  ];
}

/** Encoder of one clip: raw pictures of `from` px on its standard input, a clip of `to` px at `out`. */
export function encodeArgs(from: PictureSize, to: PictureSize, matrix: ColourMatrix, out: string): string[] {
  const scale = from.width === to.width && from.height === to.height;
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'],
    ...[
      '-f',
      'rawvideo',
      '-pix_fmt',
      'yuv420p',
      '-s',
      `${from.width}x${from.height}`,
      '-r',
      String(READ_FPS),
    ],
    ...['-i', 'pipe:0', ...(scale ? [] : ['-vf', `scale=${to.width}:${to.height}:flags=bicubic`])],
    ...codecArgs(matrix),
    fileUrl(out),
  ];
}

/**
 * The bare ffmpeg that does the clip's work and nothing else: decode, scale, encode at the same rate, size and settings. What an
 * import's time is measured against.
 * @throws FootnoteError FILE_NO_PICTURE
 */
export function bareEncodeArgs(picture: MediaInfo, out: string): string[] {
  const video = picture.video;
  if (!video) throw new FootnoteError('FILE_NO_PICTURE', 'There is no picture in this file.');
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', '-noautorotate', '-i', fileUrl(picture.path)],
    ...['-map', `0:${video.index}`, '-vf', pictureFilter(video, clipSize(video), READ_FPS, video.hdr)],
    ...['-an', '-sn', '-dn', '-r', String(READ_FPS), ...codecArgs(colourMatrix(video)), fileUrl(out)],
  ];
}
