import { describe, expect, it } from 'vitest';
import { bytes, duration, parseShift, percent, position, ratio, roughDuration } from './amount.ts';

describe('durations', () => {
  it('use at most two units', () => {
    expect(duration(0, 'en')).toBe('0 sec');
    expect(duration(42.4, 'en')).toBe('42 sec');
    expect(duration(200, 'en')).toBe('3 min 20 sec');
    expect(duration(180, 'en')).toBe('3 min');
    expect(duration(7500, 'en')).toBe('2 hr 5 min');
    expect(duration(86_400 * 3, 'en')).toBe('3 days');
  });

  it('are never negative', () => expect(duration(-5, 'en')).toBe('0 sec'));

  it('drop seconds when they are rough', () => {
    expect(roughDuration(200, 'en')).toBe('3 min');
    expect(roughDuration(59, 'en')).toBe('59 sec');
  });

  it('show a place in a clip', () => {
    expect(position(65.9)).toBe('1:05');
    expect(position(3727)).toBe('1:02:07');
  });
});

describe('sizes and ratios', () => {
  it('step by thousands', () => {
    expect(bytes(0, 'en')).toBe('0 bytes');
    expect(bytes(999, 'en')).toBe('999 bytes');
    expect(bytes(12_345, 'en')).toBe('12 kB');
    expect(bytes(3_400_000, 'en')).toBe('3.4 MB');
    expect(bytes(5e15, 'en')).toBe('5,000 TB');
  });

  it('keep a digit only while it says something', () => {
    expect(ratio(7.44, 'en')).toBe('7.4');
    expect(ratio(43.4, 'en')).toBe('43');
    expect(percent(0.824, 'en')).toBe('82%');
  });
});

describe('a typed clock correction', () => {
  it('is hours, minutes and seconds', () => {
    expect(parseShift('1')).toBe(3_600_000);
    expect(parseShift('1:30')).toBe(5_400_000);
    expect(parseShift(' 0:00:05 ')).toBe(5000);
  });

  it('is refused when it is anything else', () => {
    for (const wrong of ['', 'soon', '1:75', '1:00:99', '-1', '1.5', '1:2:3:4'])
      expect(parseShift(wrong)).toBeNull();
  });
});
