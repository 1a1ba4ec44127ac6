import {
  InterruptableStoppingCriteria,
  LogitsProcessorList,
  type Processor,
  SuppressTokensAtBeginLogitsProcessor,
  Tensor,
  type WhisperForConditionalGeneration,
  WhisperTimeStampLogitsProcessor,
} from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { Turns } from '../turns.ts';
import { isInvented, withoutLoops } from './invented.ts';
import { type Phrase, SPEECH_RATE, type SpeechRecogniser } from './speech-recogniser.ts';
import { WhisperListener, WhisperPrompt, type WhisperTokens } from './whisper-prompt.ts';
import { spansOfTokens } from './whisper-tokens.ts';
import { windowsOf } from './windows.ts';

/** Whisper's own limit: half of its text context. */
const MOST_TOKENS = 224;
/** Whisper knows no window shorter than this; less is rounding. */
const SHORTEST_MS = 100;

/** The part of a Whisper model's generation_config.json that is read here. */
interface WhisperSettings {
  decoder_start_token_id: number;
  eos_token_id: number | number[];
  no_timestamps_token_id: number;
  is_multilingual?: boolean;
  lang_to_id?: Record<string, number>;
  task_to_id?: Record<string, number>;
  suppress_tokens?: number[] | null;
  begin_suppress_tokens?: number[] | null;
}

function tokensOf(settings: WhisperSettings): WhisperTokens {
  const multilingual = settings.is_multilingual === true;
  const transcribe = settings.task_to_id?.transcribe;
  if (multilingual && (transcribe === undefined || !settings.lang_to_id)) {
    throw new Error('its settings name no languages');
  }
  return {
    start: settings.decoder_start_token_id,
    end: [settings.eos_token_id].flat()[0]!,
    // Whisper's vocabulary ends `<|nospeech|> <|notimestamps|> <|0.00|> …` in every version.
    noSpeech: settings.no_timestamps_token_id - 1,
    timestampBegin: settings.no_timestamps_token_id + 1,
    transcribe: multilingual ? transcribe! : null,
    languages: new Map(
      multilingual
        ? Object.entries(settings.lang_to_id!).map(([token, id]) => [id, token.replace(/[<|>]/g, '')])
        : [],
    ),
    suppressed: settings.suppress_tokens ?? [],
  };
}

/** A Whisper model, English-only or multilingual. */
export class WhisperRecogniser implements SpeechRecogniser {
  readonly name: string;
  readonly version: string;
  readonly timesPhrases = true;
  readonly #model: WhisperForConditionalGeneration;
  readonly #processor: Processor;
  readonly #settings: WhisperSettings;
  readonly #tokens: WhisperTokens;
  readonly #turns = new Turns();

  constructor(
    { name, version }: { name: string; version: string },
    model: WhisperForConditionalGeneration,
    processor: Processor,
  ) {
    this.name = name;
    this.version = version;
    this.#model = model;
    this.#processor = processor;
    this.#settings = model.generation_config as unknown as WhisperSettings;
    this.#tokens = tokensOf(this.#settings);
  }

  recognise(samples: Float32Array, options: { signal?: AbortSignal } = {}): Promise<Phrase[]> {
    return this.#turns.take(() => this.#recognise(samples, options.signal));
  }

  async dispose(): Promise<void> {
    await this.#turns.idle();
    await this.#model.dispose();
  }

  async #recognise(samples: Float32Array, signal: AbortSignal | undefined): Promise<Phrase[]> {
    const phrases: Phrase[] = [];
    for (const { from, to } of windowsOf(samples, SPEECH_RATE)) {
      signal?.throwIfAborted();
      const atMs = (from * 1000) / SPEECH_RATE;
      for (const phrase of await this.#window(samples.subarray(from, to), signal)) {
        phrases.push({ ...phrase, startMs: phrase.startMs + atMs, endMs: phrase.endMs + atMs });
      }
    }
    return phrases;
  }

  async #window(samples: Float32Array, signal: AbortSignal | undefined): Promise<Phrase[]> {
    const windowMs = (samples.length * 1000) / SPEECH_RATE;
    if (windowMs < SHORTEST_MS) return [];
    const listener = new WhisperListener(this.#tokens);
    const sequence = await this.#generate(samples, listener, signal);
    signal?.throwIfAborted();
    const { noSpeech, language } = listener.opening!;
    const phrases: Phrase[] = [];
    for (const span of spansOfTokens(listener.said(sequence), this.#tokens.timestampBegin, windowMs)) {
      const text = this.#processor.tokenizer!.decode(
        span.tokens.map(({ id }) => id),
        { skip_special_tokens: true },
      );
      const sum = span.tokens.reduce((total, token) => total + token.logProbability, 0);
      const logProbability = sum / span.tokens.length;
      const { startMs, endMs } = span;
      const heard = { text: text.trim(), durationMs: endMs - startMs, logProbability, noSpeech };
      if (isInvented(heard)) continue;
      phrases.push({ startMs, endMs, text: heard.text, confidence: Math.exp(logProbability), language });
    }
    return withoutLoops(phrases);
  }

  /** All ids the model gave for a window, the start token first. */
  async #generate(
    samples: Float32Array,
    listener: WhisperListener,
    signal: AbortSignal | undefined,
  ): Promise<number[]> {
    const { begin_suppress_tokens: atStart } = this.#settings;
    const processors = new LogitsProcessorList();
    const prompt = new Array<number>(listener.promptLength).fill(this.#tokens.start);
    processors.push(listener);
    processors.push(
      new WhisperTimeStampLogitsProcessor(
        this.#model.generation_config as ConstructorParameters<typeof WhisperTimeStampLogitsProcessor>[0],
        prompt,
      ),
    );
    if (atStart) processors.push(new SuppressTokensAtBeginLogitsProcessor(atStart, listener.promptLength));
    processors.push(new WhisperPrompt(this.#tokens, listener));
    const stopping = new InterruptableStoppingCriteria();
    const stop = () => stopping.interrupt();
    signal?.addEventListener('abort', stop, { once: true });
    let features: Tensor | null = null;
    let output: Tensor | null = null;
    try {
      features = ((await this.#processor(samples)) as { input_features: Tensor }).input_features;
      output = (await this.#model.generate({
        inputs: features,
        // The whole order is set here: language and doubts are read before anything is suppressed.
        decoder_input_ids: new Tensor('int64', BigInt64Array.of(BigInt(this.#tokens.start)), [1, 1]),
        logits_processor: processors,
        stopping_criteria: stopping,
        suppress_tokens: null,
        begin_suppress_tokens: null,
        return_timestamps: false,
        do_sample: false,
        max_new_tokens: MOST_TOKENS,
      } as unknown as Parameters<WhisperForConditionalGeneration['generate']>[0])) as Tensor;
      return Array.from(output.data as BigInt64Array, Number);
    } catch (cause) {
      throw new ModelError('run-failed', `${this.name} could not process this sound.`, { cause });
    } finally {
      signal?.removeEventListener('abort', stop);
      features?.dispose();
      output?.dispose();
    }
  }
}
