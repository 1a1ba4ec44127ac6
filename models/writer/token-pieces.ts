/**
 * What the tokens of a vocabulary are within a JSON string and around it. Worked out once a model, from the vocabulary as its
 * tokenizer writes it (byte-level marks, or those of SentencePiece), for decoding a quarter of a million tokens one by one takes seconds.
 */
export interface TokenPieces {
  /** A sum of the flags of `PIECE` for each token id. */
  kinds: Uint8Array;
  /** Id of the token that is one double quotation mark. */
  quote: number;
}

export const PIECE = {
  /** May stand in a label as it is: no quotation mark, backslash or control character. */
  plain: 1,
  /** Plain, and holds a letter or digit. */
  word: 2,
  quote: 4,
  comma: 8,
  bracket: 16,
  brace: 32,
} as const;

/** Byte-level BPE writes bytes that are no printable character as letters from U+0100 on: the first 32 are control characters. */
const BYTE_CONTROL = /[\u0100-\u011f]/u;
/** Delete and the C1 bytes; the latter are also parts of letters, so only U+0121, delete, is left out. */
const BYTE_DELETE = 'ġ';

/**
 * @param vocabulary ids by the pieces of text they stand for
 * @param specialIds marks of the model's own
 * @returns null for a vocabulary without a token for `"`: nothing can be written by shape with it
 */
export function tokenPieces(
  vocabulary: ReadonlyMap<string, number>,
  specialIds: readonly number[],
): TokenPieces | null {
  const size = [...vocabulary.values()].reduce((most, id) => Math.max(most, id + 1), 0);
  const byteLevel = vocabulary.has('Ċ');
  const special = new Set(specialIds);
  const kinds = new Uint8Array(size);
  let quote: number | null = null;
  for (const [piece, id] of vocabulary) {
    if (special.has(id)) continue;
    if (piece === '"') quote = id;
    const control = byteLevel
      ? BYTE_CONTROL.test(piece) || piece.includes(BYTE_DELETE)
      : /[\p{Cc}]/u.test(piece);
    // Marks of a model's own, and SentencePiece's bytes, stand in angle brackets.
    const mark = /^<.+>$|<\||\|>/u.test(piece);
    const bare = piece.replace(/^[Ġ▁ ]+/u, '');
    let kind = 0;
    if (piece !== '' && !control && !mark && !/["\\]/u.test(piece)) {
      kind |= PIECE.plain;
      // The marks for a space are letters to Unicode.
      if (/[\p{L}\p{N}]/u.test(piece.replace(/[Ġ▁]/gu, ''))) kind |= PIECE.word;
    }
    if (bare.startsWith('"')) kind |= PIECE.quote;
    if (bare.startsWith(',')) kind |= PIECE.comma;
    if (bare.startsWith(']')) kind |= PIECE.bracket;
    if (bare.startsWith('{')) kind |= PIECE.brace;
    kinds[id] = kind;
  }
  return quote === null ? null : { kinds, quote };
}
