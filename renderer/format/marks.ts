/**
 * An answer is plain text in which [1] marks a footnote. It is taken apart into blocks of pieces here, so that the
 * interface builds elements and never markup from text.
 */
export type Piece = { kind: 'text'; text: string } | { kind: 'mark'; number: number };
export type Block = { kind: 'paragraph'; pieces: Piece[] } | { kind: 'list'; items: Piece[][] };

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

/** Splits an answer into paragraphs and lists. Lines that begin with a dash, a bullet or a number become list items. */
export function blocks(answer: string, known: ReadonlySet<number>): Block[] {
  const made: Block[] = [];
  for (const raw of answer.split('\n')) {
    const line = raw.trim();
    if (line === '') continue;
    if (!LIST_ITEM.test(line)) {
      made.push({ kind: 'paragraph', pieces: pieces(line, known) });
      continue;
    }
    const item = pieces(line.replace(LIST_ITEM, ''), known);
    const last = made.at(-1);
    if (last?.kind === 'list') last.items.push(item);
    else made.push({ kind: 'list', items: [item] });
  }
  return made;
}
