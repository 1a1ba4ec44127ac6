import { describe, expect, it } from 'vitest';
import {
  clockSpan,
  clockTime,
  dayOf,
  dayShort,
  daysBetween,
  dayTitle,
  isZone,
  monthTitle,
  zonesDiffer,
} from './time.ts';

const AT = Date.parse('2025-03-14T23:30:05Z');
/** Intl separates with narrow and no-break spaces; people do not see the difference. */
const plain = (text: string) => text.replace(/[\u202f\u00a0\u2009]/g, ' ');

describe('clock times', () => {
  it('follow the zone of the recording and the locale of the person', () => {
    expect(plain(clockTime(AT, 'Europe/Warsaw', 'en-GB'))).toMatch(/^0?0:30$/);
    expect(plain(clockTime(AT, 'America/New_York', 'en-US'))).toBe('7:30 PM');
    expect(plain(clockTime(AT, 'UTC', 'de', true))).toBe('23:30:05');
  });

  it('take fixed offsets in the short and the half-hour form', () => {
    expect(clockTime(AT, 'UTC+2', 'en-GB')).toMatch(/^0?1:30$/);
    expect(clockTime(AT, 'UTC-5:30', 'en-GB')).toBe('18:00');
    expect(clockTime(AT, 'UTC+05:45', 'en-GB')).toMatch(/^0?5:15$/);
  });

  it('fall back to UTC for a zone nobody knows instead of failing', () => {
    expect(clockTime(AT, 'Mars/Olympus', 'en-GB')).toBe('23:30');
    expect(isZone('Mars/Olympus')).toBe(false);
    expect(isZone('UTC-3')).toBe(true);
    expect(isZone('Asia/Tokyo')).toBe(true);
  });

  it('write a span once', () => {
    expect(plain(clockSpan(AT, AT + 600_000, 'UTC', 'en-US'))).toBe('11:30 – 11:40 PM');
  });
});

describe('days', () => {
  it('belong to the zone of the recording', () => {
    expect(dayOf(AT, 'UTC')).toBe('2025-03-14');
    expect(dayOf(AT, 'Europe/Warsaw')).toBe('2025-03-15');
    expect(dayOf(AT, 'UTC+2')).toBe('2025-03-15');
    expect(dayOf(AT, 'Pacific/Honolulu')).toBe('2025-03-14');
  });

  it('are named without slipping', () => {
    expect(dayTitle('2025-03-14', 'en-GB')).toMatch(/^Friday,? 14 March 2025$/);
    expect(dayShort('2025-03-14', 'en-GB')).toMatch(/^Fri,? 14 Mar$/);
    expect(monthTitle('2025-03-14', 'en-GB')).toBe('March 2025');
  });

  it('are counted over a change of clocks', () => {
    expect(daysBetween('2025-03-29', '2025-03-31')).toBe(2);
    expect(daysBetween('2025-03-14', '2025-03-14')).toBe(0);
  });
});

describe('zones', () => {
  it('differ only when the clock does', () => {
    expect(zonesDiffer(AT, 'Europe/Warsaw', 'Europe/Paris')).toBe(false);
    expect(zonesDiffer(AT, 'Europe/Warsaw', 'UTC+1')).toBe(false);
    expect(zonesDiffer(AT, 'Europe/Warsaw', 'Europe/London')).toBe(true);
  });
});
