import { writeFile } from 'node:fs/promises';
import { FootnoteError } from '../contract/errors.ts';
import type { SpokenLine, Take } from './story.ts';
import { SPEECH_RATE, type Voice } from './voice.ts';

/** A line as it was really said: seconds from the start of its file. */
export interface SaidLine {
  speaker: string;
  text: string;
  start: number;
  end: number;
}

const ROOM_LEVEL = 0.012;
const SPEECH_LEVEL = 0.8;
/** Pause before a line that would otherwise begin too early, s. */
const BREATH = 0.4;

/** Quiet brown-like noise from a fixed seed, so that every run gives the same bytes. */
function roomTone(samples: Float32Array, seed: number): void {
  let state = seed >>> 0 || 1;
  let level = 0;
  for (let i = 0; i < samples.length; i++) {
    // Linear congruential generator, constants of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    level = level * 0.98 + (state / 2 ** 32 - 0.5) * 0.2;
    samples[i] = level * ROOM_LEVEL;
  }
}

function wav(samples: Float32Array): Buffer {
  const data = Buffer.alloc(44 + samples.length * 2);
  data.write('RIFF', 0, 'latin1');
  data.writeUInt32LE(36 + samples.length * 2, 4);
  data.write('WAVEfmt ', 8, 'latin1');
  data.writeUInt32LE(16, 16);
  data.writeUInt16LE(1, 20);
  data.writeUInt16LE(1, 22);
  data.writeUInt32LE(SPEECH_RATE, 24);
  data.writeUInt32LE(SPEECH_RATE * 2, 28);
  data.writeUInt16LE(2, 32);
  data.writeUInt16LE(16, 34);
  data.write('data', 36, 'latin1');
  data.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((value, i) => {
    data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_767), 44 + i * 2);
  });
  return data;
}

/**
 * Speaks a take's lines over a quiet room into a WAV file.
 * @param seed makes the room of each take its own
 * @returns what was said and when
 */
export async function recordSound(take: Take, voice: Voice, path: string, seed: number): Promise<SaidLine[]> {
  const seconds = take.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
  const samples = new Float32Array(seconds * SPEECH_RATE);
  roomTone(samples, seed);
  const said: SaidLine[] = [];
  let sceneStart = 0;
  for (const scene of take.scenes) {
    let free = sceneStart;
    for (const line of scene.speech ?? []) {
      const spoken = await voice(line.voice, line.text);
      const placed = place(line, spoken, sceneStart, free);
      if (placed.end > sceneStart + scene.seconds) {
        throw new FootnoteError('INTERNAL', `The lines of scene "${scene.id}" run past its end.`);
      }
      const first = Math.round(placed.start * SPEECH_RATE);
      for (let i = 0; i < spoken.length; i++) samples[first + i]! += spoken[i]! * SPEECH_LEVEL;
      said.push(placed);
      free = placed.end + BREATH;
    }
    sceneStart += scene.seconds;
  }
  await writeFile(path, wav(samples));
  return said;
}

function place(line: SpokenLine, spoken: Float32Array, sceneStart: number, free: number): SaidLine {
  const start = Math.max(sceneStart + line.at, free);
  return { speaker: line.speaker, text: line.text, start, end: start + spoken.length / SPEECH_RATE };
}

function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)},${String(ms % 1000).padStart(3, '0')}`;
}

/** The lines as an .srt, each with its speaker in front. */
export function subtitles(said: readonly SaidLine[]): string {
  return said
    .map(
      (line, i) => `${i + 1}\n${stamp(line.start)} --> ${stamp(line.end)}\n${line.speaker}: ${line.text}\n`,
    )
    .join('\n');
}
