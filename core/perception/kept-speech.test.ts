import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SpeechRecogniser } from '../../models/speech/speech-recogniser.ts';
import { loadVoiceDetector, type VoiceDetector } from '../../models/voice-activity/voice-detector.ts';
import { loadVoice, type Voice } from '../sample/voice.ts';
import { KeptSpeech } from './kept-speech.ts';
import { createSpeechObserver, type SegmentSound } from './speech.ts';

const never = new AbortController().signal;
let dir: string;
let detector: VoiceDetector;
let voice: Voice;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-kept-'));
  detector = (await loadVoiceDetector())!;
  voice = await loadVoice();
});
afterAll(async () => {
  await detector?.dispose();
  await rm(dir, { recursive: true, force: true });
});

async function spoken(episodeId: string): Promise<SegmentSound> {
  const said = await voice('slt', 'His number is on the board.');
  const samples = new Int16Array(16_000 * 5);
  said.forEach((value, i) => {
    samples[16_000 + i] = value * 30_000;
  });
  return { episodeId, samples, startMs: 1_000, leadMs: 0, goesOn: false };
}

/** What hears for one recording, as a process would after its start; counts what the recogniser is asked. */
function hearing(recordingId: string, runs: { count: number }) {
  const recogniser: SpeechRecogniser = {
    name: 'counting',
    version: '1',
    timesPhrases: true,
    async recognise() {
      runs.count += 1;
      return [{ startMs: 0, endMs: 900, text: `run ${runs.count}`, confidence: 0.9, language: 'en' }];
    },
    dispose: async () => undefined,
  };
  const models = { detector: async () => detector, recogniser: async () => recogniser };
  return createSpeechObserver(models, { kept: new KeptSpeech(dir, recordingId) });
}

it('hears a segment once, whatever ends the process after that', async () => {
  const runs = { count: 0 };
  const sound = await spoken('f00-0000');
  const first = await hearing('r00', runs)(sound, never);
  expect(first.map(({ text }) => text)).toEqual(['run 1']);
  // Another process, after the first was killed: before the observation was kept, or after.
  expect(await hearing('r00', runs)(sound, never)).toEqual(first);
  expect(runs.count).toBe(1);
  await hearing('r00', runs)(await spoken('f00-0001'), never);
  expect(runs.count).toBe(2);
});

it('keeps that nobody spoke as well', async () => {
  const runs = { count: 0 };
  const silent = { ...(await spoken('f00-0002')), samples: new Int16Array(32_000) };
  expect(await hearing('r00', runs)(silent, never)).toEqual([]);
  expect(await new KeptSpeech(dir, 'r00').read('f00-0002')).toMatchObject({ lines: [], voices: [] });
});

it('gives what belongs to a recording in time order, and drops it alone', async () => {
  const [one, other] = [new KeptSpeech(dir, 'r01'), new KeptSpeech(dir, 'r02')];
  const voices = [{ letter: 'A', ms: 2_000, vector: [0.6, 0.8] }];
  await one.keep('f01-0001', { startMs: 30_000, lines: [], voices });
  await one.keep('f01-0000', { startMs: 0, lines: [], voices: [] });
  await other.keep('f02-0000', { startMs: 0, lines: [], voices: [] });
  expect((await one.all()).map(({ startMs, voices }) => [startMs, voices])).toEqual([
    [0, []],
    [30_000, voices],
  ]);
  if (process.platform !== 'win32') {
    const { mode } = await stat(join(dir, 'f01-0001.speech.json'));
    expect(mode & 0o077).toBe(0);
  }
  await one.drop();
  expect(await one.all()).toEqual([]);
  expect(await other.all()).toHaveLength(1);
  expect((await readdir(dir)).filter((name) => name.startsWith('f01'))).toEqual([]);
});

it('knows nothing where nothing was kept', async () => {
  const nowhere = new KeptSpeech(join(dir, 'gone'), 'r00');
  expect(await nowhere.all()).toEqual([]);
  expect(await nowhere.read('f00-0000')).toBeNull();
});
