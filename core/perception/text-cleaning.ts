import type { TextLine } from './observation.ts';

/** Below this a line is a guess; on real footage texture reads at 0.1 to 0.55 and print at 0.68 and more. */
const LINE_FLOOR = 0.6;
/** One or two glyphs are easily found in texture: they must be read with more certainty. */
const SHORT_FLOOR = 0.9;
const SHORT_GLYPHS = 2;
/** The reader tends to see ideographs in icons and edges. */
const IDEOGRAPH_FLOOR = 0.85;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A run of one glyph this long is a rule, a fence or a keyboard row held down: "-----", "lllll". */
const RUN = /^(\D)\1{3,}$/u;

/** Letters and digits only. */
export function glyphs(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Mends what the reader is known to confuse, and only where the rest of the word leaves no doubt: full-width forms in
 * Latin text, a nought between letters, a small L in a word of capitals, half a space around a dash.
 */
export function mendText(text: string): string {
  const plain = text
    // Control characters, and marks that reorder or hide text, have no place in something read off a picture.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const narrow = IDEOGRAPH.test(plain) ? plain : plain.normalize('NFKC');
  return (
    narrow
      .replace(/(?<=\p{Lu}{2})0(?=\p{Lu})/gu, 'O')
      .replace(/(?<=\p{Ll}{2})0(?=\p{Ll})/gu, 'o')
      // A dash between two numbers has a space on both sides or on none.
      .replace(/(?<=\p{N})(?: -|- )(?=\p{N})/gu, ' - ')
      .replace(/\p{L}+/gu, (word) =>
        /^(?=.*\p{Lu}.*\p{Lu})[\p{Lu}l]+$/u.test(word) ? word.replace(/l/g, 'I') : word,
      )
  );
}

/** Lines worth keeping, mended; texture, specks and rules are left out. Lone glyphs stay: they may belong to a row. */
export function cleanLines(lines: readonly TextLine[]): TextLine[] {
  return lines.flatMap((line) => {
    const text = mendText(line.text);
    if (glyphs(text) === '' || !(line.confidence >= LINE_FLOOR)) return [];
    return [{ ...line, text }];
  });
}

/** True for a whole row that says something; decided after the row's pieces are together. */
export function isLegible(row: TextLine): boolean {
  const content = glyphs(row.text);
  if (content.length < 2 || RUN.test(content)) return false;
  if (content.length <= SHORT_GLYPHS && row.confidence < SHORT_FLOOR) return false;
  return !IDEOGRAPH.test(content) || row.confidence >= IDEOGRAPH_FLOOR;
}
