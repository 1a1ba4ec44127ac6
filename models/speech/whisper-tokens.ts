/** Seconds a timestamp token stands for (20 ms a step, from the Whisper paper). */
const TIMESTAMP_STEP_MS = 20;

/** One token as it was chosen, with the natural logarithm of its probability among the tokens allowed. */
export interface ScoredToken {
  id: number;
  logProbability: number;
}

/** Tokens between two times, before they are words. */
export interface TokenSpan {
  /** ms from the start of the window. */
  startMs: number;
  endMs: number;
  tokens: ScoredToken[];
}

/**
 * Cuts Whisper's output at its timestamp tokens: `<0.00> words <2.40><2.40> words <4.80>`. A span whose end is missing, as when
 * the output was cut off, ends with the window; one whose end lies before its start is given no length.
 * @param timestampBegin id of the token for 0.00 s; all ids from here on are times
 * @param windowMs length of the sound that was given, ms
 */
export function spansOfTokens(
  tokens: readonly ScoredToken[],
  timestampBegin: number,
  windowMs: number,
): TokenSpan[] {
  const spans: TokenSpan[] = [];
  let startMs = 0;
  let open: ScoredToken[] = [];
  const close = (endMs: number) => {
    if (open.length > 0) spans.push({ startMs, endMs: Math.max(startMs, endMs), tokens: open });
    open = [];
  };
  for (const token of tokens) {
    if (token.id < timestampBegin) {
      open.push(token);
      continue;
    }
    const atMs = Math.min(windowMs, (token.id - timestampBegin) * TIMESTAMP_STEP_MS);
    close(atMs);
    startMs = atMs;
  }
  close(windowMs);
  return spans;
}
