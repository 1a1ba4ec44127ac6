import { SOUND_RATE } from '../footage/decode.ts';

/** Loudness is summed in slices of this length. */
const SLICE_MS = 100;
const SLICE_SAMPLES = (SOUND_RATE * SLICE_MS) / 1000;
/** Sound that comes this much later than its picture is not waited for: a file may end its sound early. */
const LATE_MS = 2_000;
/** Level of digital silence, dBFS, as ffmpeg's volumedetect gives it. */
const FLOOR = -91;
/** Below this a microphone hears nothing but itself, dBFS. */
const SILENT = -60;

export interface SoundLevel {
  /** Mean volume, dBFS. */
  level: number;
  silent: boolean;
}

/** Takes a chapter's sound as it is decoded and answers for spans of it. Times are ms from the chapter's start. */
export class SoundMeter {
  readonly #fromMs: number;
  readonly #keepsSamples: boolean;
  /** Sum of squares a slice. */
  readonly #power: number[] = [];
  #samples: Int16Array[] = [];
  /** Sample number at which `#samples` begins. */
  #keptFrom = 0;
  #count = 0;
  #pictureMs = 0;
  #over = false;
  #waiting: { untilMs: number; resolve: () => void }[] = [];

  /**
   * @param fromMs when the first sample is heard
   * @param keepsSamples keep them until released, 32 KB a second; otherwise only loudness is kept
   */
  constructor(fromMs: number, keepsSamples: boolean) {
    this.#fromMs = fromMs;
    this.#keepsSamples = keepsSamples;
    this.#pictureMs = fromMs;
  }

  add(samples: Int16Array): void {
    for (const sample of samples) {
      const slice = Math.floor(this.#count / SLICE_SAMPLES);
      this.#power[slice] = (this.#power[slice] ?? 0) + sample * sample;
      this.#count += 1;
    }
    if (this.#keepsSamples) this.#samples.push(samples);
    this.#wake();
  }

  /** Tells how far the picture was read. */
  pictureAt(ms: number): void {
    this.#pictureMs = ms;
    this.#wake();
  }

  /** No more sound will come. */
  end(): void {
    this.#over = true;
    this.#wake();
  }

  /** Settles when the sound up to this instant is here, or is not to be expected. */
  until(untilMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ untilMs, resolve });
      this.#wake();
    });
  }

  /** Loudness of a span; null when there was no sound in it. */
  level(startMs: number, endMs: number): SoundLevel | null {
    const first = Math.max(0, Math.round((startMs - this.#fromMs) / SLICE_MS));
    const slices = this.#power.slice(first, Math.round((endMs - this.#fromMs) / SLICE_MS));
    const samples = Math.min(slices.length * SLICE_SAMPLES, this.#count - first * SLICE_SAMPLES);
    if (samples <= 0) return null;
    const power = slices.reduce((sum, value) => sum + value, 0) / samples / 32_768 ** 2;
    const level = Math.max(FLOOR, 10 * Math.log10(power));
    return { level, silent: level < SILENT };
  }

  /**
   * The samples of a span, fewer when its sound ends early; null when none are kept.
   * @param keepFromMs what is heard before this is let go
   */
  take(startMs: number, endMs: number, keepFromMs = endMs): Int16Array | null {
    if (!this.#keepsSamples) return null;
    const keepFrom = Math.min(this.#count, Math.round(((keepFromMs - this.#fromMs) * SOUND_RATE) / 1000));
    const first = Math.max(0, Math.round(((startMs - this.#fromMs) * SOUND_RATE) / 1000));
    const last = Math.min(this.#count, Math.round(((endMs - this.#fromMs) * SOUND_RATE) / 1000));
    const taken = new Int16Array(Math.max(0, last - first));
    let at = this.#keptFrom;
    const rest: Int16Array[] = [];
    let restFrom = this.#keptFrom;
    for (const chunk of this.#samples) {
      const from = Math.max(first, at);
      const to = Math.min(last, at + chunk.length);
      if (to > from) taken.set(chunk.subarray(from - at, to - at), from - first);
      at += chunk.length;
      if (at > keepFrom) rest.push(chunk);
      else restFrom = at;
    }
    this.#samples = rest;
    this.#keptFrom = restFrom;
    return taken;
  }

  #wake(): void {
    const arrivedMs = this.#fromMs + (this.#count * 1000) / SOUND_RATE;
    this.#waiting = this.#waiting.filter(({ untilMs, resolve }) => {
      const here = this.#over || arrivedMs >= untilMs || this.#pictureMs >= untilMs + LATE_MS;
      if (here) resolve();
      return !here;
    });
  }
}
