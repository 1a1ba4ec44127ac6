import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryOf } from '../../models/catalogue/index.ts';
import { loadVoiceEmbedder, type VoiceEmbedder } from '../../models/speakers/voice-embedder.ts';
import type { SpeechRecogniser } from '../../models/speech/speech-recogniser.ts';
import { loadVoiceDetector, type VoiceDetector } from '../../models/voice-activity/voice-detector.ts';
import { SOUND_RATE } from '../footage/decode.ts';
import { loadVoice, type Voice, type VoiceName } from '../sample/voice.ts';
import { createSpeechObserver } from './speech.ts';
import { conversation, segmentsOf, TALK_START, type Talk } from './testing/talk.ts';
import { createVoiceTeller, type VoiceTeller } from './voice-teller.ts';
import { VoiceTable } from './voices.ts';

const GE2E = join(import.meta.dirname, '../../models/speakers/ge2e/model.onnx');
const { sameVoice: SAME_VOICE } = entryOf('ge2e-resemblyzer').voice!;
const never = new AbortController().signal;
let detector: VoiceDetector;
let embedder: VoiceEmbedder;
let voice: Voice;
beforeAll(async () => {
  if (!existsSync(GE2E)) return;
  detector = (await loadVoiceDetector())!;
  embedder = await loadVoiceEmbedder({ name: 'ge2e', file: GE2E, features: 'samples' });
  voice = await loadVoice();
});
afterAll(async () => {
  await detector?.dispose();
  await embedder?.dispose();
});

const TALKERS: readonly (readonly [VoiceName, string])[] = [
  ['slt', 'Did you bring the spare key for the cellar door?'],
  ['rms', 'No, it is still on the hook behind the kitchen door.'],
  ['slt', 'Then we have to go back before the plumber comes.'],
  ['awb', 'He said he will be here at half past eleven at the earliest.'],
  ['rms', 'I can fetch it by bicycle while you two wait here.'],
  ['awb', 'Please take the blue folder with you as well.'],
  ['slt', 'And the bread knife, we need it for the picnic on Sunday.'],
  ['rms', 'All right, I will be back in about twenty minutes.'],
  ['awb', 'Call us when you have found everything, will you?'],
];

/** Gives each stretch of sound as one phrase: whose words they are is what is looked at. */
const phrases: SpeechRecogniser = {
  name: 'one phrase',
  version: '1',
  timesPhrases: false,
  recognise: async (samples) => {
    const endMs = (samples.length * 1000) / SOUND_RATE;
    return [{ startMs: 0, endMs, text: 'words', confidence: 0.9, language: 'en' }];
  },
  dispose: async () => undefined,
};

async function heard({ samples }: Talk, voices?: VoiceTeller) {
  const models = { detector: async () => detector, recogniser: async () => phrases };
  const recognise = createSpeechObserver(models, voices ? { voices } : {});
  const lines = [];
  for (const sound of segmentsOf(samples)) lines.push(...(await recognise(sound, never)));
  return lines;
}

describe.skipIf(!existsSync(GE2E))(
  'a conversation of three over two segments (needs models/speakers/make)',
  () => {
    it('has three voices, and each line is of the one that speaks it', async () => {
      const talk = await conversation(voice, TALKERS);
      const table = new VoiceTable(SAME_VOICE);
      const lines = await heard(
        talk,
        createVoiceTeller(async () => embedder, table),
      );
      expect(talk.samples.length / SOUND_RATE).toBeGreaterThan(30);
      const letters: Record<string, string> = { slt: 'A', rms: 'B', awb: 'C' };
      for (const [i, { startMs, endMs }] of talk.spans.entries()) {
        const middle = TALK_START + (startMs + endMs) / 2;
        const line = lines.find((one) => one.startMs <= middle && one.endMs >= middle);
        expect([line?.speaker, line?.voice], `line ${i}`).toEqual([
          letters[TALKERS[i]![0]],
          letters[TALKERS[i]![0]],
        ]);
      }
      expect(new Set(lines.flatMap((line) => line.voice ?? []))).toEqual(new Set(['A', 'B', 'C']));
    });

    it('has no speakers without a voice model, and its words all the same', async () => {
      const talk = await conversation(voice, TALKERS.slice(0, 2));
      for (const line of await heard(talk)) {
        expect(line).toMatchObject({ speaker: null, text: 'words', language: 'en' });
        expect(line).not.toHaveProperty('voice');
      }
    });

    it('keeps its words when the voice model fails, says so once and asks it no more', async () => {
      const talk = await conversation(voice, TALKERS.slice(0, 2));
      let asked = 0;
      const broken = createVoiceTeller(async () => {
        asked += 1;
        throw new Error('The voice model ge2e cannot be loaded.');
      }, new VoiceTable(SAME_VOICE));
      expect(broken.notes()).toEqual([]);
      const lines = [...(await heard(talk, broken)), ...(await heard(talk, broken))];
      expect(lines.map(({ text, speaker }) => [text, speaker])).toEqual(new Array(4).fill(['words', null]));
      expect(asked).toBe(1);
      expect(broken.notes()).toEqual([
        'Voices could not be told apart: The voice model ge2e cannot be loaded.',
      ]);
    });

    it('stops when told to', async () => {
      const teller = createVoiceTeller(async () => embedder, new VoiceTable(SAME_VOICE));
      const spoken = [{ startMs: 0, endMs: 2_000 }];
      await expect(
        teller.tell(new Float32Array(2 * SOUND_RATE), spoken, AbortSignal.abort()),
      ).rejects.toMatchObject({ name: 'AbortError' });
      expect(teller.notes()).toEqual([]);
    });
  },
);
