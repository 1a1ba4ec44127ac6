/** One GPMF entry: key, length, value. */
export interface KlvEntry {
  key: string;
  /** Letter of the value's type; empty for an entry that holds others, "?" for rows of mixed types. */
  type: string;
  /** Bytes of one row. */
  size: number;
  value: Buffer;
}

/** Key (4 bytes), type (1), size (1), repeat (2). */
const HEAD_BYTES = 8;

/** Number types: bytes, and how to read one. */
const NUMBERS: Record<string, [bytes: number, read: (from: Buffer, at: number) => number]> = {
  b: [1, (from, at) => from.readInt8(at)],
  B: [1, (from, at) => from.readUInt8(at)],
  s: [2, (from, at) => from.readInt16BE(at)],
  S: [2, (from, at) => from.readUInt16BE(at)],
  l: [4, (from, at) => from.readInt32BE(at)],
  L: [4, (from, at) => from.readUInt32BE(at)],
  f: [4, (from, at) => from.readFloatBE(at)],
  d: [8, (from, at) => from.readDoubleBE(at)],
};

/** The entries of one level, without copying; null when one reaches past the end. */
export function readKlv(bytes: Buffer): KlvEntry[] | null {
  const entries: KlvEntry[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const type = bytes.readUInt8(at + 4);
    const size = bytes.readUInt8(at + 5);
    const end = at + HEAD_BYTES + size * bytes.readUInt16BE(at + 6);
    if (end > bytes.length) return null;
    entries.push({
      key: bytes.toString('latin1', at, at + 4),
      type: type === 0 ? '' : String.fromCharCode(type),
      size,
      value: bytes.subarray(at + HEAD_BYTES, end),
    });
    // Values are padded to 32 bits.
    at = Math.ceil(end / 4) * 4;
  }
  return entries;
}

/** All numbers of an entry of one type; none when it is missing or holds something else. */
export function numbersOf(entry: KlvEntry | undefined): number[] {
  if (!entry || !NUMBERS[entry.type]) return [];
  return rowsOf(entry, entry.type).flat();
}

/** Rows of numbers, each laid out by one type letter a column; none when that does not fit the entry's row size. */
export function rowsOf(entry: KlvEntry | undefined, types: string): number[][] {
  if (!entry) return [];
  const columns = [...types].map((type) => NUMBERS[type]);
  const width = columns.reduce((sum, column) => sum + (column?.[0] ?? Number.NaN), 0);
  const isSingle = types.length === 1 && entry.size % width === 0;
  if (width === 0 || !(width === entry.size || isSingle)) return [];
  const rows: number[][] = [];
  for (let start = 0; start + width <= entry.value.length; start += width) {
    let at = start;
    rows.push(
      columns.map((column) => {
        const [bytes, read] = column!;
        at += bytes;
        return read(entry.value, at - bytes);
      }),
    );
  }
  return rows;
}

/** Text of an entry without padding; null when it is missing. */
export function textOf(entry: KlvEntry | undefined): string | null {
  return entry ? (entry.value.toString('latin1').split('\0')[0] ?? '') : null;
}
