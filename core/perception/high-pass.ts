import { SOUND_RATE } from '../footage/decode.ts';

/** Below this there is wind, traffic and handling, and hardly anything of a voice, Hz. */
const CUT_OFF = 100;
/** Second-order sections one after the other: 24 dB an octave. */
const SECTIONS = 2;

/**
 * Takes the rumble out of sound, so that a voice in the wind is heard: Butterworth high-pass sections by the bilinear transform
 * (R. Bristow-Johnson, Audio EQ Cookbook).
 * @param samples mono at SOUND_RATE
 * @returns as many samples, heard from silence on
 */
export function withoutRumble(samples: Float32Array): Float32Array {
  const turn = (2 * Math.PI * CUT_OFF) / SOUND_RATE;
  const cos = Math.cos(turn);
  const alpha = Math.sin(turn) * Math.SQRT1_2;
  const norm = 1 + alpha;
  const b0 = (1 + cos) / 2 / norm;
  const b1 = -2 * b0;
  const a1 = (-2 * cos) / norm;
  const a2 = (1 - alpha) / norm;
  const result = Float32Array.from(samples);
  for (let section = 0; section < SECTIONS; section++) {
    let [x1, x2, y1, y2] = [0, 0, 0, 0];
    for (let i = 0; i < result.length; i++) {
      const x = result[i]!;
      const y = b0 * x + b1 * x1 + b0 * x2 - a1 * y1 - a2 * y2;
      result[i] = y;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
    }
  }
  return result;
}
