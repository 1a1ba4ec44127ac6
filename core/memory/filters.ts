import { FootnoteError, type TimeSpan } from '../contract/index.ts';

/** Longest list one filter may hold; longer ones are asked for in pieces. */
export const FILTER_LIST_MAX = 500;

/** A quoted SQL string; the one place where text enters a filter. */
export function sqlText(value: string): string {
  if (value.includes('\0')) throw new FootnoteError('BAD_REQUEST', 'An id cannot hold a zero byte.');
  return `'${value.replaceAll("'", "''")}'`;
}

/** A number in a filter; only finite ones can be compared. */
export function sqlNumber(value: number): string {
  if (!Number.isFinite(value)) throw new FootnoteError('BAD_REQUEST', 'A time must be a finite number.');
  // Written as a float so that the comparison uses the column's own type.
  const written = String(value);
  return /^-?\d+$/.test(written) ? `${written}.0` : written;
}

/** `column = 'value'`. */
export function equals(column: string, value: string): string {
  return `${column} = ${sqlText(value)}`;
}

/** Rows whose column holds another value. */
export function differs(column: string, value: string): string {
  return `${column} <> ${sqlText(value)}`;
}

/** `column IN (…)`, in pieces of at most FILTER_LIST_MAX. Duplicates are dropped; no values give no pieces. */
export function anyOf(column: string, values: readonly string[]): string[] {
  const unique = [...new Set(values)];
  const pieces: string[] = [];
  for (let at = 0; at < unique.length; at += FILTER_LIST_MAX) {
    const list = unique.slice(at, at + FILTER_LIST_MAX).map(sqlText);
    pieces.push(`${column} IN (${list.join(', ')})`);
  }
  return pieces;
}

/** Rows that share at least an instant with [startMs, endMs). */
export function overlaps(span: TimeSpan): string {
  return `startMs < ${sqlNumber(span.endMs)} AND endMs > ${sqlNumber(span.startMs)}`;
}

/** Rows a question asked at `nowMs` may read: those that had ended by then (MemLife's causal view). */
export function endedBy(nowMs: number): string {
  return `endMs <= ${sqlNumber(nowMs)}`;
}

/** Rows that had not ended by `nowMs`. */
export function endedAfter(nowMs: number): string {
  return `endMs > ${sqlNumber(nowMs)}`;
}

/** No row at all. */
export const NOTHING = 'false';

/** All of these. */
export function allOf(...filters: readonly (string | null)[]): string {
  return filters
    .filter((filter) => filter !== null)
    .map((filter) => `(${filter})`)
    .join(' AND ');
}
