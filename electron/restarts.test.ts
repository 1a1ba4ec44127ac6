import { describe, expect, it } from 'vitest';
import { Restarts } from './restarts.ts';

describe('starting a process again', () => {
  it('waits twice as long after each quick death, at most half a minute', () => {
    const restarts = new Restarts();
    const waits = Array.from({ length: 9 }, () => restarts.after(100));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('begins anew once the process has lived for a minute', () => {
    const restarts = new Restarts();
    restarts.after(100);
    restarts.after(100);
    expect(restarts.after(60_000)).toBe(500);
    expect(restarts.after(100)).toBe(1000);
  });
});
