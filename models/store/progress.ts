/** How a `get` stands. */
export interface Progress {
  readonly id: string;
  /** waiting: another process is fetching the same model. */
  readonly phase: 'waiting' | 'downloading' | 'copying' | 'checking' | 'installing';
  /** File in work, by its path in the catalogue. */
  readonly file: string | null;
  /** Host the bytes come from; null while none do. */
  readonly host: string | null;
  readonly doneBytes: number;
  /** Null while the size of some file is unknown and there is no estimate. */
  readonly totalBytes: number | null;
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  /** Something the person should know: a source that failed, a file deleted since it was wrong, a file pinned just now. */
  readonly note: string | null;
}

export type OnProgress = (progress: Progress) => void;

/** Progress of bytes is told this often at most. */
const TELL_EVERY_MS = 200;
/** Speed is that of about the last so many milliseconds. */
const SPEED_WINDOW_MS = 4_000;

/** Keeps the figures of one `get` and tells them. */
export class ProgressTeller {
  readonly #id: string;
  readonly #tell: OnProgress;
  #phase: Progress['phase'] = 'downloading';
  #file: string | null = null;
  #host: string | null = null;
  #before = 0;
  #current = 0;
  #total: number | null;
  #told = 0;
  #samples: { ms: number; bytes: number }[] = [];

  constructor(id: string, total: number | null, tell: OnProgress) {
    this.#id = id;
    this.#total = total;
    this.#tell = tell;
  }

  phase(phase: Progress['phase'], file: string | null = this.#file): void {
    if (phase !== 'downloading') this.#host = null;
    this.#phase = phase;
    this.#file = file;
    this.#say(null);
  }

  host(host: string): void {
    this.#host = host;
    this.#say(null);
  }

  /** @param bytes of the file in work that are here */
  bytes(bytes: number): void {
    // A file begun again is no negative speed.
    if (bytes < this.#current) this.#samples = [];
    this.#current = bytes;
    const ms = performance.now();
    this.#samples.push({ ms, bytes: this.#before + bytes });
    while (this.#samples.length > 2 && ms - this.#samples[0]!.ms > SPEED_WINDOW_MS) this.#samples.shift();
    if (ms - this.#told >= TELL_EVERY_MS) this.#say(null);
  }

  /** A file is here whole. */
  fileDone(bytes: number): void {
    // One that was here already is no speed.
    if (bytes !== this.#current) this.#samples = [];
    this.#before += bytes;
    this.#current = 0;
    this.#say(null);
  }

  note(note: string): void {
    this.#say(note);
  }

  #say(note: string | null): void {
    this.#told = performance.now();
    const doneBytes = this.#before + this.#current;
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    const seconds = first && last ? (last.ms - first.ms) / 1000 : 0;
    const speed =
      this.#phase === 'downloading' && first && last && seconds > 0
        ? (last.bytes - first.bytes) / seconds
        : null;
    const total = this.#total === null ? null : Math.max(this.#total, doneBytes);
    this.#tell({
      id: this.#id,
      phase: this.#phase,
      file: this.#file,
      host: this.#host,
      doneBytes,
      totalBytes: total,
      bytesPerSecond: speed,
      secondsLeft: speed && total !== null ? (total - doneBytes) / speed : null,
      note,
    });
  }
}
