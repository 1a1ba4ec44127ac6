import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runTool } from '../ffmpeg.ts';

/** What a test clip should be. Everything but the path has a small, quick default. */
export interface ClipOptions {
  path: string;
  /** Length, s; 2 when left out. */
  seconds?: number;
  /** Stored (unrotated) picture size, px; 160x90 when left out. */
  width?: number;
  height?: number;
  /** Frames a second; 10 when left out. */
  fps?: number;
  /** False leaves the picture out: an audio-only file. */
  picture?: boolean;
  /** An ffmpeg lavfi source without size, rate or duration; 'testsrc' when left out. Never put a path in it. */
  source?: string;
  /** Different numbers give different content (and fingerprints) for otherwise equal clips. */
  seed?: number;
  /** False leaves the sound out. */
  sound?: boolean;
  codec?: 'libx264' | 'libx265';
  pixelFormat?: string;
  /** Colour transfer written into the stream: 'smpte2084' (PQ) or 'arib-std-b67' (HLG) make it HDR. */
  transfer?: string;
  /** ISO 8601; left out, the file has no creation_time at all. */
  creationTime?: string;
  /** Container tags; keys outside the MP4 set need `mdtaTags`. */
  tags?: Record<string, string>;
  /** Writes `tags` as QuickTime keys, which hold any name. */
  mdtaTags?: boolean;
  /** Handler name of the video stream ("GoPro AVC"). */
  handler?: string;
  /** Degrees clockwise to show it upright, written into the display matrix. */
  rotate?: 0 | 90 | 180 | 270;
  /** Adds a tmcd data track. */
  timecode?: string;
  /** Text of an .srt to embed as a text track (mov_text in MP4, subrip in Matroska). */
  subtitles?: string;
  language?: string;
  /** A JPEG of this size as cover art, px. */
  cover?: { width: number; height: number };
  /** Drops frames unevenly: 1 s full rate, then every third frame. */
  variableRate?: boolean;
  /** Index before the pictures, so that a cut file still opens. */
  indexFirst?: boolean;
  /** More ffmpeg output arguments, last. */
  extra?: string[];
}

/** Writes a small real video file with ffmpeg and returns its path. Works with every ffmpeg the door finds. */
export async function makeClip(options: ClipOptions): Promise<string> {
  const { path, seconds = 2, width = 160, height = 90, fps = 10, seed = 0 } = options;
  const picture = options.picture ?? true;
  const sound = options.sound ?? true;
  await mkdir(dirname(path), { recursive: true });
  const inputs: string[] = [];
  const maps: string[] = [];
  const output: string[] = [];
  let input = 0;
  const scratch: string[] = [];

  if (picture) {
    const filters = [`hue=h=${(seed * 37) % 360}`];
    if (options.variableRate) filters.push("select='if(lt(t,1),1,not(mod(n,3)))'");
    inputs.push('-f', 'lavfi', '-i', `${withParameters(options.source ?? 'testsrc', width, height, fps)}`);
    maps.push('-map', `${input}:v`);
    input += 1;
    output.push(
      '-filter:v:0',
      filters.join(','),
      '-c:v:0',
      options.codec ?? 'libx264',
      '-preset',
      'ultrafast',
    );
    output.push('-pix_fmt', options.pixelFormat ?? 'yuv420p', '-g', String(fps * 2), '-threads', '1');
    if (options.variableRate) output.push('-vsync', 'vfr');
    if (options.codec === 'libx265') output.push('-tag:v:0', 'hvc1', '-x265-params', x265(options));
    if (options.transfer) {
      output.push('-color_trc', options.transfer, '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc');
    }
  }
  if (sound) {
    inputs.push('-f', 'lavfi', '-i', `sine=frequency=${440 + seed}:sample_rate=16000`);
    maps.push('-map', `${input}:a`);
    input += 1;
    output.push('-c:a', 'aac', '-b:a', '32k');
  }
  if (options.subtitles !== undefined) {
    const file = scratchPath(path, 'srt');
    await writeFile(file, options.subtitles);
    scratch.push(file);
    inputs.push('-f', 'srt', '-i', file);
    maps.push('-map', `${input}:s`);
    input += 1;
    output.push('-c:s', /\.mkv$/i.test(path) ? 'srt' : 'mov_text');
    if (options.language) output.push('-metadata:s:s:0', `language=${options.language}`);
  }
  if (options.cover) {
    const file = scratchPath(path, 'jpg');
    scratch.push(file);
    const size = `${options.cover.width}x${options.cover.height}`;
    const source = `color=red:s=${size}:d=1:r=1`;
    await ffmpeg(['-f', 'lavfi', '-i', source, '-frames:v', '1', '-f', 'mjpeg', file]);
    inputs.push('-f', 'image2', '-i', file);
    maps.push('-map', `${input}:v`);
    output.push('-c:v:1', 'copy', '-disposition:v:1', 'attached_pic');
  }

  if (options.timecode) output.push('-timecode', options.timecode);
  if (options.creationTime) output.push('-metadata', `creation_time=${options.creationTime}`);
  for (const [key, value] of Object.entries(options.tags ?? {})) output.push('-metadata', `${key}=${value}`);
  if (options.handler) output.push('-metadata:s:v:0', `handler_name=${options.handler}`);
  const flags = [
    ...(options.mdtaTags ? ['use_metadata_tags'] : []),
    ...(options.indexFirst ? ['faststart'] : []),
  ];
  const isMov = !/\.(mkv|webm|avi|ts)$/i.test(path);
  if (isMov && flags.length > 0) output.push('-movflags', `+${flags.join('+')}`);
  if (isMov) output.push('-f', /\.mov$/i.test(path) ? 'mov' : 'mp4');
  output.push('-t', String(seconds), ...(options.extra ?? []));

  await ffmpeg([...inputs, ...maps, ...output, path]);
  for (const file of scratch) await rm(file, { force: true });
  if (options.rotate) await writeRotation(path, options.rotate);
  return path;
}

/** A fresh folder for one test file; remove it in afterAll. */
export async function makeTestFolder(name: string): Promise<string> {
  const path = join(tmpdir(), `footnote-test-${name}-${process.pid}-${Date.now()}`);
  await mkdir(path, { recursive: true });
  return path;
}

async function ffmpeg(args: string[]): Promise<void> {
  const { code, stderr } = await runTool('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);
  if (code !== 0) throw new Error(`ffmpeg could not make the test clip: ${stderr}`);
}

function withParameters(source: string, width: number, height: number, fps: number): string {
  return `${source}${source.includes('=') ? ':' : '='}size=${width}x${height}:rate=${fps}`;
}

function x265(options: ClipOptions): string {
  const quiet = 'log-level=none:pools=1:frame-threads=1';
  if (!options.transfer) return quiet;
  return `${quiet}:transfer=${options.transfer}:colorprim=bt2020:colormatrix=bt2020nc`;
}

/** ASCII scratch name beside the clip: odd characters in the clip's own name must not matter here. */
function scratchPath(path: string, ending: string): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12);
  return join(dirname(path), `.scratch-${hash}.${ending}`);
}

/**
 * Writes the display matrix into the first video track's header. Done on the bytes because the option for it differs
 * between ffmpeg versions.
 */
async function writeRotation(path: string, degrees: 90 | 180 | 270): Promise<void> {
  const bytes = await readFile(path);
  const one = 0x10000;
  const matrices = {
    90: [0, one, -one, 0],
    180: [-one, 0, 0, -one],
    270: [0, -one, one, 0],
  };
  for (let at = bytes.indexOf('tkhd'); at !== -1; at = bytes.indexOf('tkhd', at + 4)) {
    const longTimes = bytes[at + 4] === 1;
    const matrix = at + (longTimes ? 56 : 44);
    // Sound tracks have no width.
    if (bytes.readUInt32BE(matrix + 36) === 0) continue;
    const [a, b, c, d] = matrices[degrees] as [number, number, number, number];
    bytes.writeInt32BE(a, matrix);
    bytes.writeInt32BE(b, matrix + 4);
    bytes.writeInt32BE(c, matrix + 12);
    bytes.writeInt32BE(d, matrix + 16);
    break;
  }
  await writeFile(path, bytes);
}
