import { describe, expect, it } from 'vitest';
import { ProgressMeter } from './progress.ts';

describe('ProgressMeter', () => {
  it('knows no speed at first, then footage seconds a second and the time left', () => {
    const meter = new ProgressMeter(100_000);
    meter.update(0, 0);
    expect(meter.get()).toMatchObject({ speed: null, secondsLeft: null, totalSeconds: 100 });
    meter.update(5_000, 20_000);
    expect(meter.get()).toMatchObject({ speed: 4, secondsLeft: 20, doneSeconds: 20 });
  });
  it('follows the last minute, not the whole import', () => {
    const meter = new ProgressMeter(1_000_000);
    for (let t = 0; t <= 120_000; t += 1_000) meter.update(t, t <= 60_000 ? t * 10 : 600_000 + (t - 60_000));
    expect(meter.get().speed).toBeCloseTo(1, 1);
  });
  it('does not take a pause for slowness', () => {
    const meter = new ProgressMeter(100_000);
    meter.update(0, 0);
    meter.update(10_000, 20_000);
    meter.restart();
    meter.update(500_000, 20_000);
    meter.update(510_000, 40_000);
    expect(meter.get().speed).toBe(2);
  });
  it('never shows more than all, nor an endless rest, when a file is shorter than it said', () => {
    const meter = new ProgressMeter(10_000);
    meter.update(0, 0);
    meter.update(4_000, 12_000);
    expect(meter.get()).toMatchObject({ doneSeconds: 10, secondsLeft: 0 });
    meter.correctTotal(8_000);
    expect(meter.get()).toMatchObject({ doneSeconds: 8, totalSeconds: 8, secondsLeft: 0 });
  });
});
