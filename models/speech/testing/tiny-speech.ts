import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SPEECH_RATE } from '../speech-recogniser.ts';

/** A multilingual Whisper of this project's own: it knows sentences of two patterns and melodies; see its README.md. */
export const TINY_WHISPER = join(import.meta.dirname, 'tiny-speech/tiny-whisper');
const TINY_MOONSHINE = join(import.meta.dirname, 'tiny-speech/tiny-moonshine');
const DECODER = 'onnx/decoder_model_merged.onnx';

/** The same in the shape of Moonshine, in a folder of its own: the two share their decoder, which is kept once. */
export function tinyMoonshine(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'footnote-moonshine-')), 'tiny-moonshine');
  cpSync(TINY_MOONSHINE, folder, { recursive: true });
  cpSync(join(TINY_WHISPER, DECODER), join(folder, DECODER));
  return folder;
}

const HERTZ: Readonly<Record<string, number>> = {
  do: 262,
  re: 330,
  mi: 415,
  fa: 523,
  sol: 659,
  la: 831,
  ti: 1047,
};
const NOTE_MS = 280;
const GAP_MS = 70;
const FADE_MS = 25;

/** Pure tones one after the other, which the models take for words in Italian. */
export function melody(names: string): Float32Array {
  const samples = (ms: number) => (ms * SPEECH_RATE) / 1000;
  const notes = names.split(' ');
  const sound = new Float32Array(notes.length * samples(NOTE_MS + GAP_MS));
  for (const [n, name] of notes.entries()) {
    const from = n * samples(NOTE_MS + GAP_MS);
    for (let i = 0; i < samples(NOTE_MS); i++) {
      const fade = Math.min(1, i / samples(FADE_MS), (samples(NOTE_MS) - i) / samples(FADE_MS));
      sound[from + i] = 0.4 * fade * Math.sin((2 * Math.PI * HERTZ[name]! * i) / SPEECH_RATE);
    }
  }
  return sound;
}

/** Sounds at these seconds of a stretch that is silent otherwise. */
export function placed(
  seconds: number,
  sounds: readonly [second: number, sound: Float32Array][],
): Float32Array {
  const whole = new Float32Array(Math.round(seconds * SPEECH_RATE));
  for (const [second, sound] of sounds) whole.set(sound, Math.round(second * SPEECH_RATE));
  return whole;
}
