import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { FootnoteError } from '../contract/errors.ts';
import { spawnTool } from './ffmpeg.ts';
import { guardedInput } from './guarded-input.ts';
import { pictureFilter, readingSize } from './picture-filter.ts';
import type { MediaInfo } from './plan.ts';

/** Frames a second read from footage and kept in clips. */
export const READ_FPS = 10;
/** ms between frames. */
export const FRAME_MS = 1000 / READ_FPS;
/** Sound is read as 16 kHz mono, 16 bit: what speech recognition takes. */
export const SOUND_RATE = 16_000;
/** No byte for this long while waiting for one: the file hangs its decoder. */
const STALL_MS = 120_000;
/** Decoder threads: one more than cores keeps all busy; more than this cost a 4K frame of memory each and gain little. */
const MAX_THREADS = 5;
/** What ffmpeg says of data that is missing or wrong; other errors are common after a seek and mean nothing. */
const DAMAGE = /error while decoding|error submitting|invalid data|corrupt|partial file|truncat|concealing/i;
/** Frames read ahead of the one being worked on, so that decoding goes on during a model's run. */
const READ_AHEAD = 6;

/**
 * Frames the decoder may finish while nobody takes any (0.4 MB each): text is read in bursts of about a second, in which
 * this process takes nothing, and without a queue of its own the decoder stood still for as long.
 */
const DECODE_AHEAD = 40;

export interface DecodeRequest {
  picture: MediaInfo;
  /** From canToneMap: whether HDR can be brought to SDR. */
  toneMap: boolean;
  /** The file to hear, often the same; null reads no sound. */
  sound: MediaInfo | null;
  /** Where to begin, ms from the file's start; a multiple of FRAME_MS. */
  fromMs: number;
  signal: AbortSignal;
  /** Gets sound as it comes: 16 bit samples at SOUND_RATE, the first at `fromMs`. */
  onSound(samples: Int16Array): void;
}

/** How a decode ended. */
export interface DecodeEnd {
  /** The decoder gave up or complained: the file is cut off or damaged. */
  damaged: boolean;
}

export interface Decode {
  width: number;
  height: number;
  /**
   * The pictures in planar YUV 4:2:0 of `width` × `height`, one every FRAME_MS from `fromMs` on, each what the footage shows at
   * that instant. Nothing is decoded far beyond what is taken, so not taking pauses.
   * @throws FootnoteError CANCELLED, or FILE_UNREADABLE when the decoder hangs
   */
  frames(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Settles once the decoder is gone and all sound was handed over. */
  ended: Promise<DecodeEnd>;
  /** Ends the decoder early. */
  stop(): void;
}

/** ffmpeg's arguments for one pass: pictures on pipe 3, sound on pipe 4. */
export function decodeArgs(request: Omit<DecodeRequest, 'signal' | 'onSound'>): string[] {
  const { picture, sound, fromMs, toneMap } = request;
  const video = picture.video;
  if (!video) throw new FootnoteError('FILE_NO_PICTURE', 'There is no picture in this file.');
  const seek = fromMs > 0 ? ['-ss', (fromMs / 1000).toFixed(3)] : [];
  const threads = ['-threads', String(Math.min(MAX_THREADS, availableParallelism() + 1))];
  const args = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-noautorotate', ...threads, ...seek];
  args.push(...guardedInput(picture.path, ['pipe']));
  const sharesFile = sound?.path === picture.path;
  if (sound?.audio && !sharesFile) args.push(...seek, ...guardedInput(sound.path, ['pipe']));
  args.push(
    '-map',
    `0:${video.index}`,
    '-vf',
    pictureFilter(video, readingSize(video), READ_FPS, toneMap),
    '-an',
    '-sn',
    '-dn',
  );
  args.push('-r', String(READ_FPS), '-pix_fmt', 'yuv420p', '-c:v', 'rawvideo');
  args.push('-f', 'fifo', '-fifo_format', 'rawvideo', '-queue_size', String(DECODE_AHEAD), 'pipe:3');
  if (sound?.audio) {
    args.push('-map', `${sharesFile ? 0 : 1}:${sound.audio.index}`, '-vn', '-sn', '-dn');
    // Gaps are filled and a late start padded: sample n is always heard at n / SOUND_RATE.
    args.push('-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-ar', String(SOUND_RATE));
    args.push('-f', 's16le', 'pipe:4');
  }
  return args;
}

/** A path as ffmpeg input or output, safe from being taken for a protocol or an option. */
export function fileUrl(path: string): string {
  return `file:${path}`;
}

/**
 * Opens the one decode of a chapter.
 * @throws FootnoteError FILE_NO_PICTURE, FFMPEG_MISSING
 */
export function openDecode(request: DecodeRequest): Decode {
  const { picture, signal, onSound } = request;
  const args = decodeArgs(request);
  const { width, height } = readingSize(picture.video!);
  const child = spawnTool('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], signal });
  let complained = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    complained ||= DAMAGE.test(chunk.toString('utf8'));
  });
  const soundPipe = child.stdio[4] as Readable;
  soundPipe.on('data', wholeSamples(onSound));
  soundPipe.on('error', () => undefined);
  let stopped = false;
  const ended = new Promise<DecodeEnd>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(
        new FootnoteError('FFMPEG_MISSING', `ffmpeg could not be started: ${cause.message}`, {}, { cause }),
      ),
    );
    child.once('close', (code) => resolve({ damaged: complained || (!stopped && code !== 0) }));
  });
  ended.catch(() => undefined);
  const stop = () => {
    stopped = true;
    child.kill('SIGKILL');
  };
  const pipe = child.stdio[3] as Readable;
  return {
    width,
    height,
    ended,
    stop,
    frames: () => readFrames(pipe, (width * height * 3) / 2, { signal, ended, stop }),
  };
}

/** Joins odd chunks of bytes to whole 16 bit samples. */
function wholeSamples(onSound: (samples: Int16Array) => void): (chunk: Buffer) => void {
  let left: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = left.length > 0 ? Buffer.concat([left, chunk]) : chunk;
    const whole = bytes.length & ~1;
    left = Buffer.from(bytes.subarray(whole));
    const samples = new Int16Array(whole / 2);
    Buffer.from(samples.buffer).set(bytes.subarray(0, whole));
    onSound(samples);
  };
}

async function* readFrames(
  pipe: Readable,
  frameBytes: number,
  run: { signal: AbortSignal; ended: Promise<DecodeEnd>; stop: () => void },
): AsyncGenerator<Uint8Array, void, undefined> {
  const ready: Uint8Array[] = [];
  let frame = new Uint8Array(frameBytes);
  let filled = 0;
  let over = false;
  let wake: (() => void) | null = null;
  const notify = () => {
    wake?.();
    wake = null;
  };
  pipe.on('data', (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      const taken = Math.min(chunk.length - at, frameBytes - filled);
      frame.set(chunk.subarray(at, at + taken), filled);
      at += taken;
      filled += taken;
      if (filled === frameBytes) {
        ready.push(frame);
        frame = new Uint8Array(frameBytes);
        filled = 0;
      }
    }
    if (ready.length >= READ_AHEAD) pipe.pause();
    notify();
  });
  const finish = () => {
    over = true;
    notify();
  };
  pipe.once('end', finish);
  pipe.once('error', finish);
  pipe.once('close', finish);
  run.ended.catch(finish);
  try {
    while (true) {
      const next = ready.shift();
      if (next) {
        if (ready.length < READ_AHEAD / 2) pipe.resume();
        yield next;
      } else if (over) {
        break;
      } else {
        await waitFor((resolve) => {
          wake = resolve;
        });
      }
      if (run.signal.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');
    }
    if (run.signal.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');
  } finally {
    run.stop();
    // What is still in the pipe would keep the child from closing.
    pipe.removeAllListeners('data');
    pipe.destroy();
  }
}

/** Waits for a wake-up, no longer than STALL_MS. */
function waitFor(register: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new FootnoteError('FILE_UNREADABLE', 'Reading this file stopped moving; it may be damaged.')),
      STALL_MS,
    );
    register(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
