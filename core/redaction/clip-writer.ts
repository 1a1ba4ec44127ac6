import { once } from 'node:events';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { FootnoteError } from '../contract/errors.ts';
import { fileUrl, SOUND_RATE } from '../footage/decode.ts';
import { runTool, spawnTool } from '../footage/ffmpeg.ts';
import type { ColourMatrix, PictureSize } from '../footage/picture-filter.ts';
import { encodeArgs } from './clip-args.ts';
import { settleFile } from './safe-file.ts';

/** kbit/s of a mono AAC track that keeps speech clear. */
const SOUND_KBIT = 32;

export interface ClipRequest {
  /** File name without ending. */
  name: string;
  clipsDir: string;
  workDir: string;
  /** px of the frames that come, and of the clip. */
  from: PictureSize;
  to: PictureSize;
  matrix: ColourMatrix;
  signal: AbortSignal;
}

/** A clip in place. */
export interface Clip {
  file: string;
  bytes: number;
}

/**
 * Encodes one segment's redacted frames. The clip is written under a temporary name and only appears in its folder whole;
 * with `abandon` or an aborted signal nothing stays.
 */
export class ClipWriter {
  readonly #request: ClipRequest;
  readonly #temporary: string;
  readonly #input: Writable;
  readonly #kill: () => void;
  readonly #closed: Promise<{ code: number | null; said: string }>;

  /** @throws FootnoteError FFMPEG_MISSING */
  constructor(request: ClipRequest) {
    this.#request = request;
    this.#temporary = join(request.workDir, `${request.name}.part.mp4`);
    const args = encodeArgs(request.from, request.to, request.matrix, this.#temporary);
    const child = spawnTool('ffmpeg', args, { stdio: ['pipe', 'ignore', 'pipe'], signal: request.signal });
    this.#input = child.stdin!;
    // A broken pipe shows as the encoder's exit code.
    this.#input.on('error', () => undefined);
    this.#kill = () => child.kill('SIGKILL');
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-4096);
    });
    this.#closed = new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: null, said: error.message }));
      child.once('close', (code) => resolve({ code, said }));
    });
  }

  /** Takes one frame of `from` px; settles when the encoder can take another. The pixels must not change any more. */
  async write(pixels: Uint8Array): Promise<void> {
    if (this.#input.destroyed || this.#input.write(pixels)) return;
    await Promise.race([once(this.#input, 'drain').catch(() => undefined), this.#closed]);
  }

  /**
   * Ends the clip and puts it in place.
   * @param sound 16 bit mono samples at SOUND_RATE to keep with it, or null
   * @throws FootnoteError DISK_FULL, CANCELLED, PERCEPTION_FAILED
   */
  async finish(sound: Int16Array | null): Promise<Clip> {
    const { clipsDir, name, signal } = this.#request;
    try {
      this.#input.end();
      const { code, said } = await this.#closed;
      if (signal.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');
      if (code !== 0) throw encoderFailure(said);
      if (sound) await this.#addSound(sound);
      const file = `${name}.mp4`;
      const { size } = await stat(this.#temporary);
      await settleFile(this.#temporary, join(clipsDir, file));
      return { file, bytes: size };
    } finally {
      await this.abandon();
    }
  }

  /** Ends the encoder and removes what it wrote; does nothing after `finish`. */
  async abandon(): Promise<void> {
    this.#kill();
    await this.#closed;
    await rm(this.#temporary, { force: true });
  }

  /** Sound is joined to the finished picture in a copy: two live inputs of one encoder could wait for each other. */
  async #addSound(sound: Int16Array): Promise<void> {
    const { workDir, name, signal } = this.#request;
    const samples = join(workDir, `${name}.part.pcm`);
    const joined = join(workDir, `${name}.part.sound.mp4`);
    try {
      await writeFile(samples, new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength));
      const result = await runTool(
        'ffmpeg',
        [
          ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', '-i', fileUrl(this.#temporary)],
          ...['-f', 's16le', '-ar', String(SOUND_RATE), '-ac', '1', '-i', fileUrl(samples)],
          ...['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac', '-b:a', `${SOUND_KBIT}k`],
          ...['-movflags', '+faststart', '-f', 'mp4', fileUrl(joined)],
        ],
        { signal },
      );
      if (result.code !== 0) throw encoderFailure(result.stderr);
      await settleFile(joined, this.#temporary);
    } finally {
      await rm(samples, { force: true });
      await rm(joined, { force: true });
    }
  }
}

function encoderFailure(said: string): FootnoteError {
  if (/no space left|disk quota/i.test(said)) {
    return new FootnoteError('DISK_FULL', 'The disk is full. Free some space, then resume.');
  }
  return new FootnoteError('PERCEPTION_FAILED', 'ffmpeg could not encode a clip.', {
    said: said.slice(-500),
  });
}
