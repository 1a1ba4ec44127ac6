/**
 * An answer is plain text in which [1] marks a footnote. It is taken apart into blocks of pieces here, so that the
 * interface builds elements and never markup from text.
 */
export type Piece = { kind: 'text'; text: string } | { kind: 'mark'; number: number };
/** One line of the answer; `line` is its number in the text, from 0. */
export type Line = { line: number; pieces: Piece[] };
export type Block = ({ kind: 'paragraph' } & Line) | { kind: 'list'; line: number; items: Line[] };

const MARK = /\s?\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;
const LIST_ITEM = /^\s*(?:[-•*]|\d{1,3}\.)\s+/;

/** Splits one line into text and marks. A number that no footnote carries stays text. */
export function pieces(line: string, known: ReadonlySet<number>): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of line.matchAll(MARK)) {
    const numbers = match[1]!.split(',').map(Number);
    if (!numbers.every((n) => known.has(n))) continue;
    if (match.index > from) found.push({ kind: 'text', text: line.slice(from, match.index) });
    for (const number of numbers) found.push({ kind: 'mark', number });
    from = match.index + match[0].length;
  }
  if (from < line.length) found.push({ kind: 'text', text: line.slice(from) });
  return found;
}

/** A piece to be set on one line: plain text, or marks with the word they stand on. */
export type Bound = { word: string; marks: number[] };

/** Ties each mark to the word before it, so that no footnote number begins a line. Text without marks stays as it is. */
export function bound(list: readonly Piece[]): Array<string | Bound> {
  const made: Array<string | Bound> = [];
  for (const piece of list) {
    const last = made.at(-1);
    if (piece.kind === 'text') {
      made.push(piece.text);
    } else if (typeof last === 'object') {
      last.marks.push(piece.number);
    } else {
      const cut = (last ?? '').lastIndexOf(' ') + 1;
      if (last !== undefined) made.pop();
      if (last && cut > 0) made.push(last.slice(0, cut));
      made.push({ word: (last ?? '').slice(cut), marks: [piece.number] });
    }
  }
  return made;
}

/** Splits an answer into paragraphs and lists. Lines that begin with a dash, a bullet or a number become list items. */
export function blocks(answer: string, known: ReadonlySet<number>): Block[] {
  const made: Block[] = [];
  for (const [line, raw] of answer.split('\n').entries()) {
    const words = raw.trim();
    if (words === '') continue;
    if (!LIST_ITEM.test(words)) {
      made.push({ kind: 'paragraph', line, pieces: pieces(words, known) });
      continue;
    }
    const item = { line, pieces: pieces(words.replace(LIST_ITEM, ''), known) };
    const last = made.at(-1);
    if (last?.kind === 'list') last.items.push(item);
    else made.push({ kind: 'list', line, items: [item] });
  }
  return made;
}
