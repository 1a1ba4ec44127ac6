import { describe, expect, it } from 'vitest';
import { parseCount, parseDay, parseInstant, parseShift, parseZone } from './parse-args.ts';

describe('parseShift', () => {
  it.each([
    ['+1h30m', 5_400_000],
    ['-45s', -45_000],
    ['2d', 172_800_000],
    ['-01:00:00', -3_600_000],
    ['1:30', 5_400_000],
    ['250ms', 250],
  ])('reads %s', (text, ms) => expect(parseShift(text)).toBe(ms));
  it.each(['', '+', '1', 'soon', '1h2', '--1h', '1:70'])('refuses "%s" with an example', (text) => {
    expect(() => parseShift(text)).toThrow(/for example/);
  });
});

describe('parseInstant', () => {
  it('takes the zone for a time without offset, and the offset when there is one', () => {
    expect(parseInstant('2026-07-01T12:00', 'Europe/Warsaw')).toBe(Date.UTC(2026, 6, 1, 10));
    expect(parseInstant('2026-07-01T12:00Z', 'Europe/Warsaw')).toBe(Date.UTC(2026, 6, 1, 12));
  });
  it('refuses what is not a time', () =>
    expect(() => parseInstant('yesterday', 'UTC')).toThrow(/not a time/));
});

it('refuses unknown zones, impossible days and counts out of range', () => {
  expect(parseZone('Europe/Warsaw')).toBe('Europe/Warsaw');
  expect(() => parseZone('Mars/Olympus')).toThrow(/time zone/);
  expect(parseDay('2024-02-29')).toBe('2024-02-29');
  expect(() => parseDay('2023-02-29')).toThrow(/day/);
  expect(() => parseCount('33', 1, 32)).toThrow(/1 to 32/);
  expect(() => parseCount('1.5', 1, 32)).toThrow();
});
