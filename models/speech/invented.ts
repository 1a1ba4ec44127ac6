import { deflateSync } from 'node:zlib';

/** Above this the model itself says that nobody speaks, when it is unsure of its words too (Whisper paper, section 4.5). */
const NO_SPEECH = 0.6;
/**
 * Mean logarithm of a token's probability below which words are guesses. The Whisper paper (section 4.5) tries again below −1; here
 * nothing is tried again, and most of what was heard in speech played backwards lay between the two.
 */
const UNSURE = -0.8;
/** Text that shrinks more than this repeats itself (Whisper paper, section 4.5). */
const REPEATS = 2.4;
/** Shorter texts shrink by chance. */
const SHORTEST_TO_SHRINK = 40;
/** Nobody says more characters a second: auctioneers reach some 25. */
const FASTEST = 32;
/** One word group said this often in a row is a loop. */
const LOOP_TIMES = 4;
const LOOP_LONGEST = 8;

/** What is known of a stretch of recognised text. */
export interface Heard {
  text: string;
  durationMs: number;
  /** Mean natural logarithm of its tokens' probabilities. */
  logProbability: number;
  /** Likelihood that nobody speaks in the window it comes from, 0..1. */
  noSpeech: number;
}

/** Whether a text is one group of words over and over. */
export function loops(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  for (let size = 1; size <= LOOP_LONGEST; size++) {
    let same = 0;
    for (let i = size; i < words.length; i++) {
      same = words[i] === words[i - size] ? same + 1 : 0;
      if (same >= size * (LOOP_TIMES - 1)) return true;
    }
  }
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length >= SHORTEST_TO_SHRINK && bytes.length / deflateSync(bytes).length > REPEATS;
}

/**
 * Takes out phrases that are one said over and over, as a recogniser does that has lost its way in noise; all of them when the
 * whole is a loop still.
 * @param phrases of one window, in time order
 */
export function withoutLoops<T extends { text: string }>(phrases: readonly T[]): T[] {
  const plain = phrases.map(({ text }) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  const kept: T[] = [];
  for (let from = 0; from < phrases.length; ) {
    let to = from + 1;
    while (to < phrases.length && plain[to] === plain[from]) to += 1;
    if (to - from < LOOP_TIMES) kept.push(...phrases.slice(from, to));
    from = to;
  }
  return loops(kept.map(({ text }) => text).join(' ')) ? [] : kept;
}

/** Whether a recogniser made this up: an unsure guess where nobody speaks, a loop, or more than can be said in the time. */
export function isInvented(heard: Heard): boolean {
  const { text, durationMs, logProbability, noSpeech } = heard;
  if (!/[\p{L}\p{N}]/u.test(text)) return true;
  // "[Music]", "(wind)", "♪ …": marks for sounds, not words.
  if (/^\s*[[(*♪].*[\])*♪]\s*$/u.test(text)) return true;
  if (logProbability < UNSURE) return true;
  if (noSpeech > NO_SPEECH && logProbability < UNSURE / 2) return true;
  if ((text.length * 1000) / Math.max(1, durationMs) > FASTEST && text.length > FASTEST) return true;
  return loops(text);
}
