import type { Phrase, SpeechRecogniser } from '../../models/speech/speech-recogniser.ts';
import {
  joinSpans,
  quietestInstant,
  type Span,
  speechSpans,
} from '../../models/voice-activity/speech-spans.ts';
import type { VoiceDetector } from '../../models/voice-activity/voice-detector.ts';
import type { SpeechLine } from '../contract/index.ts';
import { SOUND_RATE } from '../footage/decode.ts';
import { withoutRumble } from './high-pass.ts';
import type { KeptSpeech } from './kept-speech.ts';
import type { VoiceTeller } from './voice-teller.ts';
import { type HeardVoice, voiceOfLine } from './voices.ts';

/** How long before a segment's end the cut between two segments' speech is looked for, ms. */
export const SPEECH_LEAD_MS = 2_000;
/** Pauses up to this are heard together with the speech around them: a recogniser does better on whole sentences, ms. */
const SHORT_PAUSE_MS = 2_000;

/** A segment's sound, with the end of the one before. */
export interface SegmentSound {
  episodeId: string;
  /** 16 bit mono at SOUND_RATE. */
  samples: Int16Array;
  /** When the first sample is heard, epoch ms. */
  startMs: number;
  /** How much at the start belongs to the segment before, ms: SPEECH_LEAD_MS, or 0 in a chapter's first. */
  leadMs: number;
  /** Whether another segment follows in the chapter. */
  goesOn: boolean;
}

/** Turns a segment's sound into words. */
export type RecogniseSpeech = (sound: SegmentSound, signal: AbortSignal) => Promise<SpeechLine[]>;

/** The models are asked for when they are needed: where nobody speaks the larger one is never loaded. */
export interface SpeechModels {
  detector(): Promise<VoiceDetector>;
  recogniser(): Promise<SpeechRecogniser>;
}

/** What hearing a recording takes along from segment to segment. */
export interface SpeechContext {
  /** What was heard before is taken from here, and what is heard now is kept here. */
  kept?: KeptSpeech;
  /** Tells voices apart; left out, lines have no speaker. */
  voices?: VoiceTeller;
}

/**
 * Hears speech segment by segment: first where somebody speaks, then what is said there and nowhere else, and whose voice it is.
 *
 * Sentences do not stop at a segment's border. Between two segments the sound is cut at the best pause of the last
 * SPEECH_LEAD_MS before the border, and what comes after the cut is heard with the later segment. Both find the same cut from
 * the same sound, so that nothing is lost or said twice whichever of them is done first or again; and no episode holds words
 * spoken after its end.
 * @returns throws what the models throw, and the signal's reason when aborted
 */
export function createSpeechObserver(models: SpeechModels, context: SpeechContext = {}): RecogniseSpeech {
  const { kept, voices } = context;
  return async (sound, signal) => {
    const before = await kept?.read(sound.episodeId);
    if (before) return before.lines;
    const { lines, heard } = await hear(sound, signal);
    await kept?.keep(sound.episodeId, { startMs: sound.startMs, lines, voices: heard });
    return lines;
  };

  async function hear(
    sound: SegmentSound,
    signal: AbortSignal,
  ): Promise<{ lines: SpeechLine[]; heard: HeardVoice[] }> {
    const samples = Float32Array.from(sound.samples, (sample) => sample / 32_768);
    const lengthMs = msOf(samples.length);
    const detector = await models.detector();
    const cut = async (fromMs: number) => {
      // Filtered for itself: both segments must find the very same.
      const border = withoutRumble(part(samples, { startMs: fromMs, endMs: fromMs + SPEECH_LEAD_MS }));
      const whole = { startMs: 0, endMs: SPEECH_LEAD_MS };
      return fromMs + quietestInstant(await detector.probabilities(border, signal), whole, SPEECH_LEAD_MS);
    };
    const startMs = sound.leadMs > 0 ? await cut(sound.leadMs - SPEECH_LEAD_MS) : 0;
    const endMs = sound.goesOn && lengthMs > SPEECH_LEAD_MS ? await cut(lengthMs - SPEECH_LEAD_MS) : lengthMs;
    const heard = withoutRumble(part(samples, { startMs, endMs }));
    const spoken = speechSpans(await detector.probabilities(heard, signal));
    if (spoken.length === 0) return { lines: [], heard: [] };
    const recogniser = await models.recogniser();
    const phrases: Phrase[] = [];
    for (const span of recogniser.timesPhrases ? joinSpans(spoken, SHORT_PAUSE_MS) : spoken) {
      for (const phrase of await recogniser.recognise(part(heard, span), { signal })) {
        phrases.push({
          ...phrase,
          startMs: span.startMs + phrase.startMs,
          endMs: span.startMs + phrase.endMs,
        });
      }
    }
    // Where no words were understood nobody needs to be told apart.
    const told = phrases.length > 0 ? await voices?.tell(heard, spoken, signal) : undefined;
    const { name, version } = recogniser;
    const atMs = sound.startMs + startMs;
    const lines = phrases.map((phrase): SpeechLine => {
      const voice = voiceOfLine(phrase, told?.pieces ?? []);
      return {
        startMs: Math.round(atMs + phrase.startMs),
        endMs: Math.round(atMs + phrase.endMs),
        speaker: voice,
        ...(voice === null ? {} : { voice }),
        text: phrase.text,
        source: 'speech-recognised',
        confidence: phrase.confidence,
        language: phrase.language,
        recogniser: { name, version },
      };
    });
    return { lines, heard: told?.heard ?? [] };
  }
}

function msOf(samples: number): number {
  return (samples * 1000) / SOUND_RATE;
}

function part(samples: Float32Array, { startMs, endMs }: Span): Float32Array {
  return samples.subarray(Math.round((startMs * SOUND_RATE) / 1000), Math.round((endMs * SOUND_RATE) / 1000));
}

/**
 * Goes on without words where recognising them fails, and remembers why.
 * @returns the same, never failing but when aborted; and what a person should know once a chapter is done
 */
export function forgiving(recogniseSpeech: RecogniseSpeech): {
  recogniseSpeech: RecogniseSpeech;
  notes(): string[];
} {
  let failed = 0;
  let reason = '';
  return {
    async recogniseSpeech(sound, signal) {
      try {
        return await recogniseSpeech(sound, signal);
      } catch (error) {
        signal.throwIfAborted();
        failed += 1;
        reason = error instanceof Error ? error.message : String(error);
        return [];
      }
    },
    notes: () =>
      failed === 0
        ? []
        : [`Speech could not be recognised in ${failed} ${failed === 1 ? 'segment' : 'segments'}: ${reason}`],
  };
}
