/**
 * Text of a subtitle file in whatever encoding it was saved: by its byte order mark, else UTF-16 when every other byte is
 * zero, else UTF-8 when it is valid, else Windows-1252 (which holds Latin-1).
 */
export function decodeText(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return decode('utf-16le', bytes);
  if (a === 0xfe && b === 0xff) return decode('utf-16be', bytes);
  const head = bytes.subarray(0, 512);
  let evenZeros = 0;
  let oddZeros = 0;
  head.forEach((byte, i) => {
    if (byte === 0 && i % 2 === 0) evenZeros += 1;
    else if (byte === 0) oddZeros += 1;
  });
  const many = head.length / 4;
  if (oddZeros > many && evenZeros === 0) return decode('utf-16le', bytes);
  if (evenZeros > many && oddZeros === 0) return decode('utf-16be', bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decode('windows-1252', bytes);
  }
}

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes);
}
