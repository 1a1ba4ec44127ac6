import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadVoiceEmbedder, type VoiceEmbedder } from '../../../models/speakers/voice-embedder.ts';
import { loadSpeechRecogniser } from '../../../models/speech/load-recogniser.ts';
import type { SpeechRecogniser } from '../../../models/speech/speech-recogniser.ts';
import { wordErrorRate } from '../../../models/speech/testing/word-errors.ts';
import { openStore } from '../../../models/store/index.ts';
import { loadVoiceDetector, type VoiceDetector } from '../../../models/voice-activity/voice-detector.ts';
import { FootnoteError } from '../../contract/errors.ts';
import type { SpeechLine } from '../../contract/index.ts';
import { speechModelOf, voiceModelOf } from '../../engine/speech-model.ts';
import { SOUND_RATE } from '../../footage/decode.ts';
import { runTool } from '../../footage/ffmpeg.ts';
import { guardedInput } from '../../footage/guarded-input.ts';
import { defaultLibraryDir } from '../../library/default-dir.ts';
import { createSpeechObserver } from '../../perception/speech.ts';
import { conversation, segmentsOf, TALK_START, type Talk } from '../../perception/testing/talk.ts';
import { createVoiceTeller } from '../../perception/voice-teller.ts';
import { VoiceTable } from '../../perception/voices.ts';
import { loadVoice, type VoiceName } from '../../sample/voice.ts';
import type { Bench, Figures } from './bench.ts';

/** What three people say in the bench's own sound; each line once in each round. */
const LINES: readonly (readonly [VoiceName, string])[] = [
  ['slt', 'Did you bring the spare key for the cellar door?'],
  ['rms', 'No, it is still on the hook behind the kitchen door.'],
  ['slt', 'Then we have to go back before the plumber comes.'],
  ['awb', 'He said he will be here at half past eleven at the earliest.'],
  ['rms', 'I can fetch it by bicycle while you two wait here.'],
  ['awb', 'Please take the blue folder with you as well.'],
  ['slt', 'And the bread knife, we need it for the picnic on Sunday.'],
  ['rms', 'All right, I will be back in about twenty minutes.'],
  ['awb', 'Call us when you have found everything, will you?'],
  ['slt', 'The train to the coast leaves at eleven in the morning.'],
  ['rms', 'His number is on the board beside the telephone.'],
  ['slt', 'Remember to buy apples, bread and butter on the way.'],
  ['awb', 'I left my glasses on the desk in the reading room.'],
  ['rms', 'The doctor wants to see you again in three weeks.'],
];
const MS = 1000;
const round = (value: number, digits = 3) => Number(value.toFixed(digits));

/** Time spent in one kind of work. */
class Clock {
  wallMs = 0;
  cpuMs = 0;

  async during<T>(act: () => Promise<T>): Promise<T> {
    const cpu = process.cpuUsage();
    const wall = performance.now();
    try {
      return await act();
    } finally {
      this.wallMs += performance.now() - wall;
      const { user, system } = process.cpuUsage(cpu);
      this.cpuMs += (user + system) / MS;
    }
  }
}

/** A file's sound, mono at SOUND_RATE. */
async function soundOf(file: string): Promise<Float32Array> {
  const dir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  try {
    const out = join(dir, 'sound.f32');
    const args = [
      '-nostdin',
      '-v',
      'error',
      ...guardedInput(file, []),
      '-vn',
      '-ac',
      '1',
      '-ar',
      `${SOUND_RATE}`,
    ];
    const read = await runTool('ffmpeg', [...args, '-f', 'f32le', out], { timeoutMs: 600_000 });
    if (read.code !== 0)
      throw new FootnoteError('FILE_UNREADABLE', `Its sound could not be read: ${read.stderr}`);
    return new Float32Array(Uint8Array.from(await readFile(out)).buffer);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Share of lines whose voice is the one that most of its speaker's lines have, no letter standing for two speakers. */
function speakerAccuracy({ spans }: Talk, lines: readonly SpeechLine[]): number {
  const letters = spans.map(({ startMs, endMs }) => {
    const middle = TALK_START + (startMs + endMs) / 2;
    return lines.find((line) => line.startMs <= middle && line.endMs >= middle)?.voice ?? null;
  });
  const counts = new Map<string, { who: VoiceName; letter: string; count: number }>();
  for (const [i, letter] of letters.entries()) {
    const who = LINES[i]![0];
    if (letter === null) continue;
    const key = `${who} ${letter}`;
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { who, letter, count });
  }
  const taken = new Set<string>();
  let right = 0;
  for (const { who, letter, count } of [...counts.values()].sort((a, b) => b.count - a.count)) {
    if (taken.has(who) || taken.has(letter)) continue;
    taken.add(who).add(letter);
    right += count;
  }
  return right / letters.length;
}

export const speechBench: Bench = {
  name: 'speech',
  summary:
    'time to hear a second of sound (voice activity, words, voices) with the installed models; word errors and speakers on sound it makes',
  usage: 'speech [FILE] [--library=DIR] (default: a generated conversation of three)',
  async run(args, options) {
    const library = typeof options.library === 'string' ? options.library : defaultLibraryDir();
    const store = openStore({ dir: join(library, 'models') });
    const model = speechModelOf(await store.locate('speech'));
    if (!model) {
      throw new FootnoteError(
        'MODEL_MISSING',
        'No model that hears speech is here. To have one: footnote models get whisper-base.',
      );
    }
    const voiceModel = voiceModelOf(await store.locate('speaker-embedding'));
    const talk = args[0] ? null : await conversation(await loadVoice(), LINES);
    const samples = talk?.samples ?? (await soundOf(args[0]!));

    const [loading, detecting, recognising, embedding] = [new Clock(), new Clock(), new Clock(), new Clock()];
    let recogniser!: SpeechRecogniser;
    let embedder: VoiceEmbedder | null = null;
    const detector = (await loadVoiceDetector())!;
    await loading.during(async () => {
      const { dtype, ...named } = model;
      recogniser = await loadSpeechRecogniser({ ...named, ...(dtype ? { dtype } : {}) });
      embedder = voiceModel && (await loadVoiceEmbedder(voiceModel));
    });
    let heardSamples = 0;
    const timed = {
      detector: {
        name: detector.name,
        probabilities: (sound, signal) => detecting.during(() => detector.probabilities(sound, signal)),
        dispose: () => detector.dispose(),
      } satisfies VoiceDetector,
      recogniser: {
        name: recogniser.name,
        version: recogniser.version,
        timesPhrases: recogniser.timesPhrases,
        recognise(sound, given) {
          heardSamples += sound.length;
          return recognising.during(() => recogniser.recognise(sound, given));
        },
        dispose: () => recogniser.dispose(),
      } satisfies SpeechRecogniser,
    };
    const told = embedder as VoiceEmbedder | null;
    const voices =
      told && voiceModel
        ? createVoiceTeller(
            async () => ({
              name: told.name,
              embed: (sound, signal) => embedding.during(() => told.embed(sound, signal)),
              dispose: () => told.dispose(),
            }),
            new VoiceTable(voiceModel.sameVoice),
          )
        : null;
    const recognise = createSpeechObserver(
      { detector: async () => timed.detector, recogniser: async () => timed.recogniser },
      voices ? { voices } : {},
    );
    const lines: SpeechLine[] = [];
    const never = new AbortController().signal;
    for (const sound of segmentsOf(samples)) lines.push(...(await recognise(sound, never)));
    await Promise.all([detector.dispose(), recogniser.dispose(), told?.dispose()]);

    const seconds = samples.length / SOUND_RATE;
    const rate = ({ wallMs }: Clock) => round(wallMs / MS / seconds);
    const cpu = ({ cpuMs }: Clock) => round(cpuMs / MS / seconds);
    const heard = lines.map(({ text }) => text).join(' ');
    return {
      model: `${model.name} ${model.version}`,
      voices: voiceModel?.name ?? null,
      soundSeconds: round(seconds, 1),
      speechSeconds: round(heardSamples / SOUND_RATE, 1),
      loadSeconds: round(loading.wallMs / MS),
      realTimeFactor: round((detecting.wallMs + recognising.wallMs + embedding.wallMs) / MS / seconds),
      voiceActivityFactor: rate(detecting),
      wordsFactor: rate(recognising),
      voicesFactor: rate(embedding),
      cpuFactor: round((detecting.cpuMs + recognising.cpuMs + embedding.cpuMs) / MS / seconds),
      wordsCpuFactor: cpu(recognising),
      lines: lines.length,
      languages: [...new Set(lines.flatMap(({ language }) => language ?? []))].join(' '),
      voicesFound: new Set(lines.flatMap(({ voice }) => voice ?? [])).size,
      wordErrorRate: talk ? round(wordErrorRate(LINES.map(([, text]) => text).join(' '), heard)) : null,
      speakerAccuracy: talk ? round(speakerAccuracy(talk, lines)) : null,
    } satisfies Figures;
  },
};
