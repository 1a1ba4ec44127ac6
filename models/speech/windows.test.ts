import { describe, expect, it } from 'vitest';
import { silence, tone } from './testing/sounds.ts';
import { LONGEST_WINDOW_MS, windowsOf } from './windows.ts';

const RATE = 16_000;

describe('cutting long sound', () => {
  it('leaves short sound whole, and none as none', () => {
    expect(windowsOf(tone(20), RATE)).toEqual([{ from: 0, to: 20 * RATE }]);
    expect(windowsOf(new Float32Array(0), RATE)).toEqual([]);
  });
  it('cuts at a pause, without gap or overlap', () => {
    const samples = tone(70);
    samples.set(silence(1), 24 * RATE);
    const windows = windowsOf(samples, RATE);
    expect(windows[0]!.to).toBeGreaterThanOrEqual(24 * RATE);
    expect(windows[0]!.to).toBeLessThanOrEqual(25 * RATE);
    expect(windows[0]!.from).toBe(0);
    expect(windows.at(-1)!.to).toBe(samples.length);
    windows.slice(1).forEach((window, i) => {
      expect(window.from).toBe(windows[i]!.to);
    });
    for (const { from, to } of windows) expect((to - from) / 16).toBeLessThanOrEqual(LONGEST_WINDOW_MS);
  });
});
