import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Vector } from 'apache-arrow';
import type { DaySummary } from '../contract/index.ts';

const COLUMNS = ['day', 'recordingId', 'startMs', 'endMs'];

/** What the days are counted from. @param filter rows that count; null for all */
export async function dayColumns(table: Table, filter: string | null): Promise<ArrowTable> {
  const query = table.query().select(COLUMNS);
  return (await (filter === null ? query : query.where(filter)).toArrow()) as ArrowTable;
}

/**
 * Days of the rows, oldest first. Rows lie mostly in order of time: a text is decoded only where it differs from that of the row
 * before, which makes a year a matter of some ten milliseconds.
 */
export function summariesOf(columns: ArrowTable): DaySummary[] {
  const byDay = new Map<string, DaySummary & { of: Set<string> }>();
  for (const batch of columns.batches) {
    const dayAt = inRuns(batch.getChild('day')!);
    const recordingAt = inRuns(batch.getChild('recordingId')!);
    const starts = batch.getChild('startMs')!;
    const ends = batch.getChild('endMs')!;
    for (let row = 0; row < batch.numRows; row++) {
      const [day, startMs, endMs] = [dayAt(row), Number(starts.get(row)), Number(ends.get(row))];
      let entry = byDay.get(day);
      if (!entry) {
        entry = { day, episodes: 0, recordings: 0, startMs, endMs, seconds: 0, of: new Set() };
        byDay.set(day, entry);
      }
      entry.episodes += 1;
      entry.of.add(recordingAt(row));
      entry.startMs = Math.min(entry.startMs, startMs);
      entry.endMs = Math.max(entry.endMs, endMs);
      entry.seconds += (endMs - startMs) / 1000;
    }
  }
  return [...byDay.values()]
    .map(({ of, ...day }) => ({ ...day, recordings: of.size }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Texts of a column for rows in ascending order, each decoded once a run. */
function inRuns(column: Vector): (row: number) => string {
  const [chunk] = column.data;
  const bytes = chunk?.values as Uint8Array | undefined;
  const offsets = chunk?.valueOffsets as Int32Array | undefined;
  if (column.data.length !== 1 || !bytes || !offsets) return (row) => String(column.get(row));
  let text = '';
  let from = 0;
  let length = -1;
  return (row) => {
    const at = offsets[row]!;
    const own = offsets[row + 1]! - at;
    let same = own === length;
    // What differs between neighbours differs at the end: dates and numbered ids.
    for (let i = own - 1; same && i >= 0; i--) same = bytes[at + i] === bytes[from + i];
    if (!same) {
      text = String(column.get(row));
      from = at;
      length = own;
    }
    return text;
  };
}
