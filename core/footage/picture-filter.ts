import { runTool } from './ffmpeg.ts';
import type { MediaInfo } from './plan.ts';

export type Video = NonNullable<MediaInfo['video']>;

export interface PictureSize {
  /** px, even. */
  width: number;
  height: number;
}

/** MemLife 2.1: longest side of the frames a writer sees; pictures are read, searched and redacted at this size. */
const READ_LONGEST_SIDE = 704;
/** Short side of a kept clip: "360p". */
const CLIP_SHORT_SIDE = 360;

function even(value: number): number {
  return Math.max(2, Math.round(value / 2) * 2);
}

function scaled(from: PictureSize, factor: number): PictureSize {
  return { width: even(from.width * Math.min(1, factor)), height: even(from.height * Math.min(1, factor)) };
}

/** Upright size pictures are read at: longest side at most 704 px, never enlarged. */
export function readingSize(video: PictureSize): PictureSize {
  return scaled(video, READ_LONGEST_SIDE / Math.max(video.width, video.height));
}

/** Upright size of a clip: short side at most 360 px, never larger than what was read. */
export function clipSize(video: PictureSize): PictureSize {
  const read = readingSize(video);
  return scaled(read, CLIP_SHORT_SIDE / Math.min(read.width, read.height));
}

/**
 * Picks what the footage shows at each tick: the last frame that began at or before it, the first one until then. So a picture at
 * t is what a player shows at t, however irregular the file's own frames are. Comes last in a chain: where a file skips time, the
 * picture is repeated for every tick of it, and repeats of a small finished picture share its memory.
 */
function ticks(fps: number): string {
  return `fps=${fps}:round=up:start_time=0`;
}

/** From this rate on, frames that no tick can show are left out before the costly part of the chain. */
const THIN_FROM_FPS = 20;
/** A frame is kept when a tick falls within so many frame lengths after it (time stamps are rounded) … */
const THIN_WINDOW = 1.1;
/** … or when it comes so many frame lengths after the one before: what is shown around an irregular gap stays right. */
const THIN_GAP = 1.5;

/** Leaves out most frames between ticks; null when the footage has too few to spare. */
function thinning(video: Video, fps: number): string | null {
  if (video.fps < THIN_FROM_FPS) return null;
  const window = (THIN_WINDOW / video.fps).toFixed(5);
  const gap = (THIN_GAP / video.fps).toFixed(5);
  const nextTick = `ceil(t*${fps}-0.001)/${fps}`;
  return `select='isnan(prev_t)+gt(t-prev_t,${gap})+lt(${nextTick},t+${window})'`;
}

/** Averaging is as good as bicubic from half size down, and six times as fast on 4K. */
function scaler(from: PictureSize, to: PictureSize): string {
  return from.width >= 2 * to.width ? 'area' : 'bicubic';
}

/** PQ or HLG to what an 8 bit screen shows; the frames carry their own transfer. */
const TONE_MAP =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv';

let toneMapping: Promise<boolean> | null = null;

/** Whether this ffmpeg has the filters that tone mapping needs; asked once. */
export function canToneMap(): Promise<boolean> {
  toneMapping ??= runTool('ffmpeg', ['-hide_banner', '-filters']).then(
    ({ stdout }) => / zscale /.test(stdout.toString()) && / tonemap /.test(stdout.toString()),
  );
  return toneMapping;
}

/**
 * The filter chain from a decoded stream to upright 8 bit pictures at even ticks. Fewest pixels first: surplus frames are dropped
 * before scaling, and turned after it.
 * @param size upright result
 * @param toneMap map HDR to SDR; without it HDR comes out pale
 */
export function pictureFilter(video: Video, size: PictureSize, fps: number, toneMap: boolean): string {
  const lying = video.rotation === 90 || video.rotation === 270;
  const width = lying ? size.height : size.width;
  const height = lying ? size.width : size.height;
  const chain: string[] = [];
  const thinned = thinning(video, fps);
  if (thinned) chain.push(thinned);
  const scale = `scale=${width}:${height}:flags=${scaler(video, size)}`;
  if (video.hdr && toneMap) chain.push(scale, 'format=yuv420p10le', TONE_MAP);
  else chain.push(`${scale}:out_range=tv`);
  if (video.rotation === 90) chain.push('transpose=clock');
  if (video.rotation === 180) chain.push('hflip,vflip');
  if (video.rotation === 270) chain.push('transpose=cclock');
  chain.push('format=yuv420p', 'setsar=1', ticks(fps));
  return chain.join(',');
}

export type ColourMatrix = 'bt709' | 'bt601';

/** The YUV matrix of what `pictureFilter` gives: cameras write BT.709 from 720 lines on, BT.601 below. */
export function colourMatrix(video: Video): ColourMatrix {
  return video.hdr || Math.min(video.width, video.height) >= 720 ? 'bt709' : 'bt601';
}
