import { VOICE_FRAME_MS } from './voice-detector.ts';

/** A stretch of sound, ms from its start. */
export interface Span {
  startMs: number;
  endMs: number;
}

/** Speech begins at this likelihood and ends below the lower one (the values Silero's authors recommend). */
const BEGINS = 0.5;
const ENDS = 0.35;
/** A pause shorter than this does not end speech, ms. */
const SHORTEST_PAUSE_MS = 300;
/** Anything shorter is a click or a cough, ms. */
const SHORTEST_SPEECH_MS = 250;
/** Words begin and end softly: this much is taken along on both sides, ms. */
const PADDING_MS = 200;

/**
 * Where somebody speaks.
 * @param probabilities one for every VOICE_FRAME_MS, 0..1
 * @returns spans in time order that do not touch, ms from the first frame
 */
export function speechSpans(probabilities: Float32Array): Span[] {
  const raw: Span[] = [];
  let open: Span | null = null;
  probabilities.forEach((probability, frame) => {
    const atMs = frame * VOICE_FRAME_MS;
    if (open && probability >= ENDS) open.endMs = atMs + VOICE_FRAME_MS;
    else if (open && atMs - open.endMs >= SHORTEST_PAUSE_MS) {
      raw.push(open);
      open = null;
    }
    if (!open && probability >= BEGINS) open = { startMs: atMs, endMs: atMs + VOICE_FRAME_MS };
  });
  if (open) raw.push(open);
  const endMs = probabilities.length * VOICE_FRAME_MS;
  const padded = raw
    .filter((span) => span.endMs - span.startMs >= SHORTEST_SPEECH_MS)
    .map((span) => ({
      startMs: Math.max(0, span.startMs - PADDING_MS),
      endMs: Math.min(endMs, span.endMs + PADDING_MS),
    }));
  return joinSpans(padded, 0);
}

/** Joins spans, given in time order, that are no further apart than `gapMs`. */
export function joinSpans(spans: readonly Span[], gapMs: number): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.startMs - last.endMs <= gapMs) last.endMs = Math.max(last.endMs, span.endMs);
    else joined.push({ ...span });
  }
  return joined;
}

/**
 * The instant at which speech is best cut: the middle of the longest pause, else where a voice is least likely; of equals,
 * the one nearest to `nearMs`.
 * @param probabilities one for every VOICE_FRAME_MS, 0..1
 * @param within where to look, ms from the first frame
 * @returns ms from the first frame; `nearMs` where there is nothing to look at
 */
export function quietestInstant(probabilities: Float32Array, within: Span, nearMs: number): number {
  const first = Math.max(0, Math.round(within.startMs / VOICE_FRAME_MS));
  const last = Math.min(probabilities.length, Math.round(within.endMs / VOICE_FRAME_MS));
  let best = nearMs;
  let bestScore = Number.NEGATIVE_INFINITY;
  let pauseFrom = first;
  const offer = (atMs: number, score: number) => {
    const better = score - bestScore;
    if (better < 0 || (better === 0 && Math.abs(atMs - nearMs) >= Math.abs(best - nearMs))) return;
    best = atMs;
    bestScore = score;
  };
  for (let frame = first; frame < last; frame++) {
    const quiet = probabilities[frame]! < ENDS;
    if (!quiet) pauseFrom = frame + 1;
    // A pause counts by its length in frames; without any, the score is the missing likelihood of a voice, below 1.
    if (quiet) offer(((pauseFrom + frame + 1) / 2) * VOICE_FRAME_MS, frame + 1 - pauseFrom);
    else offer((frame + 0.5) * VOICE_FRAME_MS, -probabilities[frame]!);
  }
  return best;
}
