import { LogitsProcessor, type Tensor } from '@huggingface/transformers';
import { logSum, TokenScores } from './token-scores.ts';
import type { ScoredToken } from './whisper-tokens.ts';

/** The tokens of a Whisper model that decide how it is asked, from its generation_config.json. */
export interface WhisperTokens {
  /** `<|startoftranscript|>`. */
  start: number;
  end: number;
  /** `<|nospeech|>`: the likelihood of this one after the start is how likely nobody speaks. */
  noSpeech: number;
  /** `<|0.00|>`. */
  timestampBegin: number;
  /** `<|transcribe|>`; null in English-only models, which are asked for nothing. */
  transcribe: number | null;
  /** Language tokens by code ("en"); empty in English-only models. */
  languages: ReadonlyMap<number, string>;
  /** Tokens that are never speech: symbols and marks for sounds. */
  suppressed: readonly number[];
}

/** What the model said about the window as a whole, before its first word. */
export interface Opening {
  /** 0..1. */
  noSpeech: number;
  /** Code of the language it heard, and how sure that is, 0..1; English for English-only models. */
  language: string;
  languageProbability: number;
}

function logitsOf(logits: Tensor): Float32Array {
  return logits.data as Float32Array;
}

/**
 * First in line at every step. Reads language and "nobody speaks" from the model's first answer, so that no pass of its own
 * is needed for them; takes out what is never speech; and keeps how likely each chosen token was.
 */
export class WhisperListener extends LogitsProcessor {
  opening: Opening | null = null;
  readonly #tokens: WhisperTokens;
  /** Tokens the model is told instead of choosing: start, and language and task in multilingual models. */
  readonly promptLength: number;
  readonly #scores = new TokenScores();

  constructor(tokens: WhisperTokens) {
    super();
    this.#tokens = tokens;
    this.promptLength = tokens.transcribe === null ? 1 : 3;
  }

  // The base class declares no result, yet the library takes one from it.
  override _call(ids: bigint[][], logits: Tensor): Tensor {
    const sequence = ids[0]!;
    const values = logitsOf(logits);
    if (sequence.length === 1) this.opening = this.#open(values);
    for (const id of this.#tokens.suppressed) values[id] = Number.NEGATIVE_INFINITY;
    this.#scores.chosen(Number(sequence.at(-1)!));
    if (sequence.length >= this.promptLength) this.#scores.offer(values);
    return logits;
  }

  /**
   * What was said, with scores, once the model has ended.
   * @param sequence all ids, prompt included
   */
  said(sequence: readonly number[]): ScoredToken[] {
    this.#scores.chosen(sequence.at(-1) ?? 0);
    return sequence
      .slice(this.promptLength)
      .map((id, i) => ({ id, logProbability: this.#scores.at(i) }))
      .filter(({ id }) => id !== this.#tokens.end);
  }

  #open(values: Float32Array): Opening {
    const sum = logSum(values);
    const noSpeech = Math.exp(values[this.#tokens.noSpeech]! - sum);
    const ids = [...this.#tokens.languages.keys()];
    if (ids.length === 0) return { noSpeech, language: 'en', languageProbability: 1 };
    const among = Float32Array.from(ids, (id) => values[id]!);
    const best = among.indexOf(Math.max(...among));
    return {
      noSpeech,
      language: this.#tokens.languages.get(ids[best]!)!,
      languageProbability: Math.exp(among[best]! - logSum(among)),
    };
  }
}

/** Last in line: in multilingual models says the language that was heard, then the task, whatever the model would choose. */
export class WhisperPrompt extends LogitsProcessor {
  readonly #tokens: WhisperTokens;
  readonly #listener: WhisperListener;

  constructor(tokens: WhisperTokens, listener: WhisperListener) {
    super();
    this.#tokens = tokens;
    this.#listener = listener;
  }

  override _call(ids: bigint[][], logits: Tensor): Tensor {
    const told = this.#told(ids[0]!.length);
    if (told !== null) {
      logitsOf(logits).fill(Number.NEGATIVE_INFINITY);
      logitsOf(logits)[told] = 0;
    }
    return logits;
  }

  #told(length: number): number | null {
    const { transcribe, languages } = this.#tokens;
    if (transcribe === null || length >= this.#listener.promptLength) return null;
    if (length === 2) return transcribe;
    const heard = this.#listener.opening?.language;
    return [...languages].find(([, code]) => code === heard)?.[0] ?? null;
  }
}
