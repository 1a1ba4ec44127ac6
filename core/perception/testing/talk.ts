import { wind } from '../../../models/speech/testing/sounds.ts';
import { SOUND_RATE } from '../../footage/decode.ts';
import type { Voice, VoiceName } from '../../sample/voice.ts';
import { type SegmentSound, SPEECH_LEAD_MS } from '../speech.ts';

/** When all talk begins, epoch ms. */
export const TALK_START = Date.parse('2026-07-01T12:00:00Z');
export const SEGMENT_MS = 30_000;

export type TalkLine = readonly [second: number, voice: VoiceName, text: string];

export interface Talk {
  /** Mono, −1..1, at SOUND_RATE. */
  samples: Float32Array;
  /** Where each line is spoken, ms from the start. */
  spans: { startMs: number; endMs: number }[];
}

/** A chapter's sound: lines spoken at these seconds, in a breeze. */
export async function spoken(voice: Voice, seconds: number, lines: readonly TalkLine[]): Promise<Talk> {
  const samples = wind(seconds).map((value) => value * 0.02);
  const spans: Talk['spans'] = [];
  for (const [second, name, text] of lines) {
    const line = await voice(name, text);
    line.forEach((value, i) => {
      samples[Math.round(second * SOUND_RATE) + i]! += value * 0.7;
    });
    spans.push({ startMs: second * 1000, endMs: second * 1000 + (line.length * 1000) / SOUND_RATE });
  }
  return { samples, spans };
}

/** Lines spoken one after the other, with pauses of these seconds in turn. */
export async function conversation(
  voice: Voice,
  lines: readonly (readonly [voice: VoiceName, text: string])[],
  pauses: readonly number[] = [0.5, 0.9, 0.6],
): Promise<Talk> {
  let at = 1;
  const placed: TalkLine[] = [];
  for (const [i, [name, text]] of lines.entries()) {
    placed.push([at, name, text]);
    at += (await voice(name, text)).length / SOUND_RATE + pauses[i % pauses.length]!;
  }
  return spoken(voice, Math.ceil(at + 1), placed);
}

/** The segments of a chapter, as a pass hands them over. */
export function segmentsOf(samples: Float32Array): SegmentSound[] {
  const lengthMs = (samples.length * 1000) / SOUND_RATE;
  const count = Math.ceil(lengthMs / SEGMENT_MS);
  return Array.from({ length: count }, (_, n) => {
    const leadMs = n > 0 ? SPEECH_LEAD_MS : 0;
    const fromMs = n * SEGMENT_MS - leadMs;
    const toMs = Math.min(lengthMs, (n + 1) * SEGMENT_MS);
    const part = samples.subarray((fromMs * SOUND_RATE) / 1000, (toMs * SOUND_RATE) / 1000);
    return {
      episodeId: `f0-${String(n).padStart(4, '0')}`,
      samples: Int16Array.from(part, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767)),
      startMs: TALK_START + fromMs,
      leadMs,
      goesOn: n + 1 < count,
    };
  });
}
