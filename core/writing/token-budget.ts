/** MemLife 2.1: a memory text is at most this many tokens. */
export const MAX_TOKENS = 512;

/**
 * About how many tokens a text is to a language model, rather too many than too few: a quarter of a word's Latin letters,
 * one for each digit, mark or other letter.
 */
export function approximateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[\p{Script=Latin}\p{M}]+|[^\s]/gu)) {
    tokens += piece.length > 1 ? Math.ceil(piece.length / 4) : 1;
  }
  return tokens;
}
