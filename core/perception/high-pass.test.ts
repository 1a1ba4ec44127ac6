import { describe, expect, it } from 'vitest';
import { tone } from '../../models/speech/testing/sounds.ts';
import { withoutRumble } from './high-pass.ts';

/** Loudness after a second, by which the filter has settled. */
function loudness(samples: Float32Array): number {
  const settled = samples.subarray(16_000);
  return Math.sqrt(settled.reduce((sum, value) => sum + value * value, 0) / settled.length);
}
const passed = (hertz: number) => loudness(withoutRumble(tone(2, hertz))) / loudness(tone(2, hertz));

describe('taking rumble out of sound', () => {
  it('leaves a voice as it is', () => {
    for (const hertz of [250, 440, 1_000, 3_000]) expect(passed(hertz)).toBeGreaterThan(0.95);
  });
  it('takes out what is deeper', () => {
    expect(passed(100)).toBeCloseTo(0.5, 1);
    expect(passed(40)).toBeLessThan(0.05);
  });
  it('changes no lengths', () => {
    expect(withoutRumble(new Float32Array(0))).toHaveLength(0);
    expect(withoutRumble(new Float32Array(7))).toEqual(new Float32Array(7));
  });
});
