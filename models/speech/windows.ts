/** Whisper hears at most this at once, ms; a little less leaves room for its own rounding. */
export const LONGEST_WINDOW_MS = 29_000;
/** A cut is looked for in the last part of a window, ms. */
const LOOK_BACK_MS = 8_000;
/** Loudness is compared in steps of this, ms. */
const STEP_MS = 100;

/**
 * Cuts sound into windows of at most `longestMs`, each at the quietest moment of its last seconds.
 * @param rate samples a second
 * @returns sample numbers [from, to) in order, without gaps
 */
export function windowsOf(
  samples: Float32Array,
  rate: number,
  longestMs = LONGEST_WINDOW_MS,
): { from: number; to: number }[] {
  const longest = (longestMs * rate) / 1000;
  const windows: { from: number; to: number }[] = [];
  let from = 0;
  while (samples.length - from > longest) {
    const to = quietest(samples, from + longest - (LOOK_BACK_MS * rate) / 1000, from + longest, rate);
    windows.push({ from, to });
    from = to;
  }
  if (samples.length > from) windows.push({ from, to: samples.length });
  return windows;
}

/** Middle of the quietest step between two samples; of equals the last, so that windows are long. */
function quietest(samples: Float32Array, from: number, to: number, rate: number): number {
  const step = (STEP_MS * rate) / 1000;
  let best = to;
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at + step <= to; at += step) {
    let power = 0;
    for (let i = at; i < at + step; i++) power += samples[i]! * samples[i]!;
    if (power > least) continue;
    least = power;
    best = Math.round(at + step / 2);
  }
  return best;
}
