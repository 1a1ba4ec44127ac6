import { describe, expect, it } from 'vitest';
import { bestReading, likeness, trackRows } from './text-tracks.ts';

const row = (text: string, confidence = 0.95, x = 0.1, y = 0.1) => ({
  text,
  confidence,
  box: { x, y, width: 0.3, height: 0.05 },
});

describe('telling readings of one line from different lines', () => {
  it.each([
    ['PHARMACY', 'PHARMAGY'],
    ['Login bug - Anna', 'Loginbug-Anna'],
    ['OPEN 8:00-19:00', 'OPEN 8:00 - 19:00'],
    ['CAFÉ MERIDIAN', 'CAFE MERIDIAN'],
    ['PLATFORM 4', 'PLATFORM'],
  ])('%j and %j are one line', (a, b) => {
    expect(likeness(a, b)).toBeGreaterThan(0);
    expect(likeness(b, a)).toBe(likeness(a, b));
  });

  it.each([
    ['11:22:38', '11:22:39'],
    ['PLATFORM 4', 'PLATFORM 5'],
    ['TOTAL 16.70', 'TOTAL 16.10'],
    ['Departures 18:42', 'Departures 18:43'],
    ['PUSH', 'PULL'],
    ['A', 'AVAILABLE'],
  ])('%j and %j are two lines', (a, b) => {
    expect(likeness(a, b)).toBe(0);
  });
});

describe('following rows through frames', () => {
  it('keeps two equal signs in one frame apart', () => {
    const frame = [row('EXIT', 0.9, 0.1), row('EXIT', 0.9, 0.7)];
    const tracks = trackRows([frame, frame]);
    expect(tracks).toHaveLength(2);
    for (const track of tracks) expect(new Set(track.readings.map((r) => r.row.box.x)).size).toBe(1);
  });

  it('does not pass from one number to another over a cut-off reading between them', () => {
    const tracks = trackRows([[row('PLATFORM 4')], [row('PLATFORM')], [row('PLATFORM 5')]]);
    expect(tracks.map((track) => bestReading(track)?.text)).toEqual(['PLATFORM 4', 'PLATFORM 5']);
  });

  it('makes nothing of no frames and of empty ones', () => {
    expect(trackRows([])).toEqual([]);
    expect(trackRows([[], []])).toEqual([]);
  });
});

describe('choosing a spelling', () => {
  const best = (...rows: ReturnType<typeof row>[]) =>
    bestReading({ readings: rows.map((r, frame) => ({ frame, row: r })) });

  it('follows the sum of confidences, not one lucky frame', () => {
    expect(best(row('PHARMACY', 0.9), row('PHARMAGY', 0.95), row('PHARMACY', 0.8))).toEqual({
      text: 'PHARMACY',
      confidence: 0.9,
    });
  });

  it('prefers the whole to a cut-off reading, but not a rare longer one', () => {
    expect(best(row('PLATFORM'), row('PLATFORM 4'), row('PLATFORM'))?.text).toBe('PLATFORM 4');
    expect(best(row('REDEMPTION'), row('8 REDEMPTION'), row('REDEMPTION'), row('REDEMPTION'))?.text).toBe(
      'REDEMPTION',
    );
  });

  it('asks more of a line that a single frame shows', () => {
    expect(best(row('EXIT', 0.7))).toBeNull();
    expect(best(row('EXIT', 0.7), row('EXIT', 0.7))?.text).toBe('EXIT');
    expect(best(row('EXIT', 0.8))?.text).toBe('EXIT');
  });
});
