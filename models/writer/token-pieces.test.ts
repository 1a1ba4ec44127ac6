import { describe, expect, it } from 'vitest';
import { PIECE, tokenPieces } from './token-pieces.ts';

/** Kinds of pieces by name, in the order of `PIECE`. */
function kindsOf(pieces: readonly string[], special: readonly number[] = []): string[][] | null {
  const known = tokenPieces(new Map(pieces.map((piece, id) => [piece, id])), special);
  if (!known) return null;
  return [...known.kinds].map((kind) =>
    Object.entries(PIECE).flatMap(([name, flag]) => ((kind & flag) === 0 ? [] : [name])),
  );
}

describe('pieces of a vocabulary', () => {
  it('tells what may stand in a string from what ends it, in byte-level writing', () => {
    const pieces = ['"', 'Ċ', 'Ġmug', '",', 'say"', '\\n', 'Ġ', 'Ã', '],', 'Ġ{"', 'ķ', ','];
    expect(kindsOf(pieces)).toEqual([
      ['quote'],
      [],
      ['plain', 'word'],
      ['quote'],
      [],
      [],
      ['plain'],
      ['plain', 'word'],
      ['plain', 'bracket'],
      ['brace'],
      // Part of a letter that is written in several bytes.
      ['plain', 'word'],
      ['plain', 'comma'],
    ]);
  });

  it('reads SentencePiece’s own marks, where letters beyond Latin are letters', () => {
    const pieces = ['"', '▁mug', '<0x0A>', 'ć', '\n', '▁]'];
    expect(kindsOf(pieces)).toEqual([
      ['quote'],
      ['plain', 'word'],
      [],
      ['plain', 'word'],
      [],
      ['plain', 'bracket'],
    ]);
  });

  it('leaves out a model’s own marks', () => {
    expect(kindsOf(['"', 'a', 'END', '<|im_end|>'], [2])).toEqual([['quote'], ['plain', 'word'], [], []]);
  });

  it('is nothing where no token is a quotation mark', () => {
    expect(kindsOf(['a', '",'])).toBeNull();
  });
});
