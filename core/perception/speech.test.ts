import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSpeechRecogniser } from '../../models/speech/load-recogniser.ts';
import type { SpeechRecogniser } from '../../models/speech/speech-recogniser.ts';
import { NOBODY } from '../../models/speech/testing/sounds.ts';
import { wordErrorRate } from '../../models/speech/testing/word-errors.ts';
import { speechSpans } from '../../models/voice-activity/speech-spans.ts';
import { loadVoiceDetector, type VoiceDetector } from '../../models/voice-activity/voice-detector.ts';
import { SOUND_RATE } from '../footage/decode.ts';
import { loadVoice, type Voice } from '../sample/voice.ts';
import { createSpeechObserver, forgiving, type SegmentSound, SPEECH_LEAD_MS } from './speech.ts';
import { SEGMENT_MS, segmentsOf, TALK_START, type TalkLine, spoken as talk } from './testing/talk.ts';

const WHISPER = join(import.meta.dirname, '../../../shared/models/openai/whisper-tiny.en');
const never = new AbortController().signal;
let detector: VoiceDetector;
let voice: Voice;

beforeAll(async () => {
  detector = (await loadVoiceDetector())!;
  voice = await loadVoice();
});
afterAll(() => detector?.dispose());

const spoken = (seconds: number, lines: readonly TalkLine[]) => talk(voice, seconds, lines);

/** Takes down which sound it is given, and says one word for it. */
function listening(): { recogniser: SpeechRecogniser; given: number[] } {
  const given: number[] = [];
  const recogniser: SpeechRecogniser = {
    name: 'listening',
    version: '1',
    timesPhrases: true,
    async recognise(samples) {
      given.push(samples.length);
      const endMs = (samples.length * 1000) / SOUND_RATE;
      return [{ startMs: 0, endMs, text: 'heard', confidence: 0.5, language: 'en' }];
    },
    dispose: async () => undefined,
  };
  return { recogniser, given };
}

async function hear(sounds: SegmentSound[], recogniser: () => Promise<SpeechRecogniser>) {
  const recogniseSpeech = createSpeechObserver({ detector: async () => detector, recogniser });
  const lines = [];
  for (const sound of sounds) lines.push(await recogniseSpeech(sound, never));
  return lines;
}

describe('finding speech', () => {
  it.each(['slt', 'rms', 'awb', 'kal16'] as const)(
    'finds the synthesised voice %s in a breeze',
    async (name) => {
      const { samples, spans } = await spoken(12, [[4, name, 'I left the spare keys in the blue bowl.']]);
      const found = speechSpans(await detector.probabilities(samples));
      expect(found).toHaveLength(1);
      expect(Math.abs(found[0]!.startMs - spans[0]!.startMs)).toBeLessThan(500);
      expect(Math.abs(found[0]!.endMs - spans[0]!.endMs)).toBeLessThan(500);
    },
  );

  it('gives the recogniser what is spoken and nothing else, with its times', async () => {
    const { samples, spans } = await spoken(20, [
      [3, 'slt', 'The plumber is coming on Tuesday.'],
      [12, 'rms', 'His number is on the board.'],
    ]);
    const { recogniser, given } = listening();
    const [lines] = await hear(segmentsOf(samples), async () => recogniser);
    expect(given).toHaveLength(2);
    lines!.forEach((line, i) => {
      expect(line).toMatchObject({ speaker: null, source: 'speech-recognised', confidence: 0.5 });
      expect(Math.abs(line.startMs - TALK_START - spans[i]!.startMs)).toBeLessThan(500);
      expect(Math.abs(line.endMs - TALK_START - spans[i]!.endMs)).toBeLessThan(500);
    });
  });

  it('never asks for a recogniser where nobody speaks', async () => {
    for (const [name, sound] of Object.entries(NOBODY)) {
      const asked = async (): Promise<SpeechRecogniser> => {
        throw new Error(`asked for ${name}`);
      };
      expect(await hear(segmentsOf(sound(30)), asked)).toEqual([[]]);
    }
  });

  it('gives each sample of a line that crosses a border to one segment', async () => {
    const { samples, spans } = await spoken(60, [
      [
        26.5,
        'slt',
        'I am riding my bike to the clinic, over Mill Bridge, and then I will walk along the river.',
      ],
    ]);
    expect(spans[0]!.endMs).toBeGreaterThan(30_500);
    const sounds = segmentsOf(samples);
    const { recogniser } = listening();
    const [before, after] = await hear(sounds, async () => recogniser);
    expect(before).toHaveLength(1);
    expect(after).toHaveLength(1);
    expect(after![0]!.startMs).toBe(before![0]!.endMs);
    expect(before![0]!.endMs).toBeLessThanOrEqual(TALK_START + SEGMENT_MS);
    expect(before![0]!.endMs).toBeGreaterThan(TALK_START + SEGMENT_MS - SPEECH_LEAD_MS);
    // A segment that is done alone, after a kill, hears the same.
    expect(await hear([sounds[1]!], async () => recogniser)).toEqual([after]);
  });

  it('hears to the end when the footage ends early', async () => {
    const { samples, spans } = await spoken(30, [[26, 'slt', 'His number is on the board.']]);
    const [sound] = segmentsOf(samples);
    const { recogniser } = listening();
    const cut = Math.round((spans[0]!.endMs - 200) * 16);
    const [lines] = await hear(
      [{ ...sound!, samples: sound!.samples.subarray(0, cut) }],
      async () => recogniser,
    );
    expect(Math.abs(lines![0]!.endMs - TALK_START - spans[0]!.endMs)).toBeLessThan(400);
    expect(await hear([{ ...sound!, samples: new Int16Array(0) }], async () => recogniser)).toEqual([[]]);
  });
});

describe('when recognising fails', () => {
  const sound: SegmentSound = {
    episodeId: 'f00-0000',
    samples: new Int16Array(16),
    startMs: TALK_START,
    leadMs: 0,
    goesOn: false,
  };
  it('goes on without words and tells how often and why', async () => {
    const { recogniseSpeech, notes } = forgiving(async () => {
      throw new Error('The speech model is gone.');
    });
    expect(notes()).toEqual([]);
    expect(await recogniseSpeech(sound, never)).toEqual([]);
    expect(await recogniseSpeech(sound, never)).toEqual([]);
    expect(notes()).toEqual(['Speech could not be recognised in 2 segments: The speech model is gone.']);
  });
  it('does not take being stopped for a failure', async () => {
    const { recogniseSpeech, notes } = forgiving(async (_, signal) => {
      signal.throwIfAborted();
      return [];
    });
    await expect(recogniseSpeech(sound, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(notes()).toEqual([]);
  });
});

const there = existsSync(WHISPER);
const title = there
  ? 'with a real recogniser'
  : 'with a real recogniser: skipped, no whisper-tiny.en at ../shared/models';
describe.skipIf(!there)(title, () => {
  let recogniser: SpeechRecogniser;
  beforeAll(async () => {
    recogniser = await loadSpeechRecogniser({
      name: 'whisper-tiny.en',
      version: 'test',
      folder: WHISPER,
      dtype: 'q8',
    });
  });
  afterAll(() => recogniser?.dispose());

  it('loses and doubles no words where talk crosses from segment to segment', async () => {
    const texts = [
      'The plumber is coming on Tuesday.',
      'I will put the spare key on the hook behind the cellar door.',
      'Please remember to buy apples, bread and butter on the way home.',
      'The train to the coast leaves at eleven in the morning from the platform behind the old station building.',
    ];
    const { samples } = await spoken(68, [
      [4, 'slt', texts[0]!],
      [28, 'slt', texts[1]!],
      [33, 'slt', texts[2]!],
      [56, 'slt', texts[3]!],
    ]);
    const heard = await hear(segmentsOf(samples), async () => recogniser);
    const text = heard.flat().map((line) => line.text);
    expect(heard.map((lines) => lines.length > 0)).toEqual([true, true, true]);
    expect(wordErrorRate(texts.join(' '), text.join(' '))).toBeLessThan(0.1);
  });

  it('makes little of voices that say no words, and is unsure of it: speech played backwards', async () => {
    const line = 'Please remember to buy apples, bread and butter on the way home, and to call the plumber.';
    for (const name of ['slt', 'rms', 'awb', 'kal16'] as const) {
      const { samples } = await spoken(12, [[1, name, line]]);
      const [lines] = await hear(segmentsOf(samples.reverse()), async () => recogniser);
      for (const { confidence } of lines!) expect(confidence, name).toBeLessThan(0.6);
      expect(lines!.flatMap(({ text }) => text.split(' ')).length, name).toBeLessThanOrEqual(6);
    }
  });
});
