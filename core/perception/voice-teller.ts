import type { VoiceEmbedder } from '../../models/speakers/voice-embedder.ts';
import type { Span } from '../../models/voice-activity/speech-spans.ts';
import { SOUND_RATE } from '../footage/decode.ts';
import type { HeardVoice, VoiceTable } from './voices.ts';

/** Less speech in one breath tells too little of a voice, ms. */
const SHORTEST_PIECE_MS = 1_000;
/** Longer speech is judged in pieces: turns are taken without a pause, too, ms. */
const LONGEST_PIECE_MS = 2_500;

/** A stretch of speech and whose voice it is; null when that cannot be told. */
export interface ToldPiece extends Span {
  letter: string | null;
}

/** Tells whose voice speaks where. */
export interface VoiceTeller {
  /**
   * @param samples mono, −1..1, at SOUND_RATE
   * @param spoken where somebody speaks, ms from the first sample, in time order
   * @returns pieces of that speech, ms from the first sample; none once the model has failed
   * @throws the signal's reason when aborted
   */
  tell(
    samples: Float32Array,
    spoken: readonly Span[],
    signal: AbortSignal,
  ): Promise<{ pieces: ToldPiece[]; heard: HeardVoice[] }>;
  /** What a person should know, in plain words. */
  notes(): string[];
}

/** Speech in pieces of at most LONGEST_PIECE_MS, each span in equal ones; what is too short is left out. */
function piecesOf(spoken: readonly Span[]): Span[] {
  return spoken.flatMap(({ startMs, endMs }) => {
    const lengthMs = endMs - startMs;
    if (lengthMs < SHORTEST_PIECE_MS) return [];
    const count = Math.ceil(lengthMs / LONGEST_PIECE_MS);
    return Array.from({ length: count }, (_, i) => ({
      startMs: startMs + (i * lengthMs) / count,
      endMs: startMs + ((i + 1) * lengthMs) / count,
    }));
  });
}

/**
 * @param embedder asked for when somebody first speaks
 * @param table the recording's voices
 */
export function createVoiceTeller(embedder: () => Promise<VoiceEmbedder>, table: VoiceTable): VoiceTeller {
  let failure: string | null = null;
  return {
    async tell(samples, spoken, signal) {
      const spans = failure === null ? piecesOf(spoken) : [];
      if (spans.length === 0) return { pieces: [], heard: [] };
      try {
        const model = await embedder();
        const pieces = [];
        for (const span of spans) {
          const from = Math.round((span.startMs * SOUND_RATE) / 1000);
          const to = Math.round((span.endMs * SOUND_RATE) / 1000);
          pieces.push({ ...span, vector: await model.embed(samples.subarray(from, to), signal) });
        }
        const { letters, heard } = table.tell(pieces);
        return { pieces: spans.map((span, i) => ({ ...span, letter: letters[i]! })), heard };
      } catch (error) {
        signal.throwIfAborted();
        // Words without letters are worth more than no words.
        failure = error instanceof Error ? error.message : String(error);
        return { pieces: [], heard: [] };
      }
    },
    notes: () => (failure === null ? [] : [`Voices could not be told apart: ${failure}`]),
  };
}
