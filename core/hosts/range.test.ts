import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRange } from './range.ts';

const plan = (size: number, header?: string | null) => {
  const { status, headers, bytes } = planRange(size, 'video/mp4', header);
  return { status, range: headers['Content-Range'], length: headers['Content-Length'], bytes };
};

describe('a request for a part of a file', () => {
  it('without a range gets the whole file and learns that parts can be had', () => {
    expect(plan(1000)).toEqual({
      status: 200,
      range: undefined,
      length: '1000',
      bytes: { first: 0, last: 999 },
    });
    expect(planRange(1000, 'video/mp4').headers['Accept-Ranges']).toBe('bytes');
  });

  it('gets the bytes asked for', () => {
    expect(plan(1000, 'bytes=0-99')).toMatchObject({ status: 206, range: 'bytes 0-99/1000', length: '100' });
    expect(plan(1000, 'bytes=990-')).toMatchObject({
      status: 206,
      range: 'bytes 990-999/1000',
      length: '10',
    });
    expect(plan(1000, 'bytes=-10')).toMatchObject({ status: 206, range: 'bytes 990-999/1000', length: '10' });
    expect(plan(1000, 'BYTES= 5 - 5 ')).toMatchObject({ status: 206, range: 'bytes 5-5/1000', length: '1' });
  });

  it('is cut at the end of the file', () => {
    expect(plan(1000, 'bytes=900-5000')).toMatchObject({ status: 206, range: 'bytes 900-999/1000' });
    expect(plan(1000, 'bytes=-5000')).toMatchObject({ status: 206, range: 'bytes 0-999/1000' });
  });

  it('beyond the end is refused with the size', () => {
    for (const header of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0']) {
      expect(plan(1000, header)).toEqual({ status: 416, range: 'bytes */1000', length: '0', bytes: null });
    }
    expect(plan(0, 'bytes=0-')).toMatchObject({ status: 416, range: 'bytes */0' });
  });

  it('that makes no sense, or asks for several parts, gets the whole file', () => {
    for (const header of [
      '',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'bytes=9-3',
      'bytes=0-1,5-6',
      'items=0-5',
      null,
    ]) {
      expect(plan(1000, header)).toMatchObject({ status: 200, length: '1000' });
    }
  });

  it('of an empty file has no body', () => {
    expect(plan(0)).toMatchObject({ status: 200, length: '0', bytes: null });
  });

  it('always names bytes inside the file, as many as it announces', () => {
    const header = fc.tuple(fc.option(fc.nat(3000)), fc.option(fc.nat(3000)));
    fc.assert(
      fc.property(fc.nat(2000), header, (size, [from, to]) => {
        const { bytes, length } = plan(size, `bytes=${from ?? ''}-${to ?? ''}`);
        if (!bytes) return length === '0';
        return bytes.first >= 0 && bytes.last < size && bytes.last - bytes.first + 1 === Number(length);
      }),
    );
  });
});
