/** How a request for a file is answered: HTTP status, headers, and the bytes to send (inclusive), or none. */
export interface RangePlan {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  /** First and last byte; null when there is no body. */
  bytes: { first: number; last: number } | null;
}

const ONE_RANGE = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i;

/** First and last byte asked for; 'all' without a range we serve, 'none' when it lies outside the file (RFC 9110, 14.1.2). */
function readRange(
  header: string | null | undefined,
  size: number,
): { first: number; last: number } | 'all' | 'none' {
  const match = header ? ONE_RANGE.exec(header) : null;
  // Other units, several ranges and nonsense are ignored, as the standard allows: the whole file is the answer.
  if (!match || (match[1] === '' && match[2] === '')) return 'all';
  const [, from = '', to = ''] = match;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'none' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'all';
  if (first >= size) return 'none';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/**
 * Answers a Range header.
 * @param size bytes of the file
 * @param type media type of the file
 * @param header the Range header, if any
 */
export function planRange(size: number, type: string, header?: string | null): RangePlan {
  const common = { 'Accept-Ranges': 'bytes', 'Content-Type': type };
  const range = readRange(header, size);
  if (range === 'none') {
    return {
      status: 416,
      headers: { ...common, 'Content-Range': `bytes */${size}`, 'Content-Length': '0' },
      bytes: null,
    };
  }
  if (range === 'all') {
    const bytes = size > 0 ? { first: 0, last: size - 1 } : null;
    return { status: 200, headers: { ...common, 'Content-Length': String(size) }, bytes };
  }
  return {
    status: 206,
    headers: {
      ...common,
      'Content-Range': `bytes ${range.first}-${range.last}/${size}`,
      'Content-Length': String(range.last - range.first + 1),
    },
    bytes: range,
  };
}
