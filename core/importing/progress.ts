/** Speed is averaged over this much wall time, so that a slow file shows within a minute. */
const WINDOW_MS = 60_000;
/** Below this much wall time a speed would be noise. */
const MIN_MEASURED_MS = 2_000;

export interface Progress {
  doneSeconds: number;
  totalSeconds: number;
  /** Footage seconds a wall second; null before it is known. */
  speed: number | null;
  secondsLeft: number | null;
}

/** Turns "so much footage is done now" into speed and time left. Pauses do not count as slowness. */
export class ProgressMeter {
  #marks: { atMs: number; doneMs: number }[] = [];
  #totalMs: number;
  #doneMs = 0;

  /** @param totalMs footage to read, ms */
  constructor(totalMs: number) {
    this.#totalMs = totalMs;
  }

  /**
   * @param atMs wall clock, ms, not going backwards
   * @param doneMs footage done so far, ms
   */
  update(atMs: number, doneMs: number): void {
    this.#doneMs = Math.min(doneMs, this.#totalMs);
    this.#marks.push({ atMs, doneMs: this.#doneMs });
    while (this.#marks.length > 2 && this.#marks[0]!.atMs < atMs - WINDOW_MS) this.#marks.shift();
  }

  /** Footage that turned out shorter (or longer) than it said. */
  correctTotal(totalMs: number): void {
    this.#totalMs = Math.max(0, totalMs);
    this.#doneMs = Math.min(this.#doneMs, this.#totalMs);
  }

  /** Forgets the measured speed, after a pause. */
  restart(): void {
    this.#marks = [];
  }

  get(): Progress {
    const first = this.#marks[0];
    const last = this.#marks.at(-1);
    const wallMs = first && last ? last.atMs - first.atMs : 0;
    const speed = first && last && wallMs >= MIN_MEASURED_MS ? (last.doneMs - first.doneMs) / wallMs : null;
    const leftMs = this.#totalMs - this.#doneMs;
    return {
      doneSeconds: this.#doneMs / 1000,
      totalSeconds: this.#totalMs / 1000,
      speed,
      secondsLeft: leftMs <= 0 ? 0 : speed && speed > 0 ? leftMs / 1000 / speed : null,
    };
  }
}
