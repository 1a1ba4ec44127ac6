import {
  InterruptableStoppingCriteria,
  LogitsProcessor,
  LogitsProcessorList,
  type MoonshineForConditionalGeneration,
  type PreTrainedTokenizer,
  Tensor,
} from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { Turns } from '../turns.ts';
import { isInvented } from './invented.ts';
import { type Phrase, SPEECH_RATE, type SpeechRecogniser } from './speech-recogniser.ts';
import { TokenScores } from './token-scores.ts';
import { windowsOf } from './windows.ts';

/** Greedy decoding stops at so many tokens a second of sound (Moonshine paper, arXiv 2410.15608: more are repetitions). */
const TOKENS_PER_SECOND = 6;
/** A phrase is as long as what is heard at once, so long speech is cut; the model was trained on 4 s and more. */
const LONGEST_WINDOW_MS = 12_000;
/** Shorter sound holds no word, and is less than the model's first layers need. */
const SHORTEST_MS = 100;

/** Keeps how likely each chosen token was. */
class Listener extends LogitsProcessor {
  readonly scores = new TokenScores();

  // The base class declares no result, yet the library takes one from it.
  override _call(ids: bigint[][], logits: Tensor): Tensor {
    this.scores.chosen(Number(ids[0]!.at(-1)!));
    this.scores.offer(logits.data as Float32Array);
    return logits;
  }
}

/**
 * An English Moonshine model. It takes sound of any length as it is and gives words without times: each stretch of sound, cut at its
 * quietest moments where it is long, is one phrase.
 */
export class MoonshineRecogniser implements SpeechRecogniser {
  readonly name: string;
  readonly version: string;
  readonly timesPhrases = false;
  readonly #model: MoonshineForConditionalGeneration;
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #turns = new Turns();

  constructor(
    { name, version }: { name: string; version: string },
    model: MoonshineForConditionalGeneration,
    tokenizer: PreTrainedTokenizer,
  ) {
    this.name = name;
    this.version = version;
    this.#model = model;
    this.#tokenizer = tokenizer;
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
    for (const { from, to } of windowsOf(samples, SPEECH_RATE, LONGEST_WINDOW_MS)) {
      signal?.throwIfAborted();
      const [startMs, endMs] = [(from * 1000) / SPEECH_RATE, (to * 1000) / SPEECH_RATE];
      if (endMs - startMs < SHORTEST_MS) continue;
      const heard = await this.#hear(samples.subarray(from, to), signal);
      signal?.throwIfAborted();
      const { text, logProbability } = heard;
      // The model does not say whether nobody speaks.
      if (isInvented({ text, logProbability, durationMs: endMs - startMs, noSpeech: 0 })) continue;
      phrases.push({ startMs, endMs, text, confidence: Math.exp(logProbability), language: 'en' });
    }
    return phrases;
  }

  async #hear(
    samples: Float32Array,
    signal: AbortSignal | undefined,
  ): Promise<{ text: string; logProbability: number }> {
    const listener = new Listener();
    const processors = new LogitsProcessorList();
    processors.push(listener);
    const stopping = new InterruptableStoppingCriteria();
    const stop = () => stopping.interrupt();
    signal?.addEventListener('abort', stop, { once: true });
    let output: Tensor | null = null;
    try {
      const seconds = samples.length / SPEECH_RATE;
      output = (await this.#model.generate({
        inputs: new Tensor('float32', samples.slice(), [1, samples.length]),
        logits_processor: processors,
        stopping_criteria: stopping,
        do_sample: false,
        max_new_tokens: Math.ceil(seconds * TOKENS_PER_SECOND),
      } as unknown as Parameters<MoonshineForConditionalGeneration['generate']>[0])) as Tensor;
      const [, ...said] = Array.from(output.data as BigInt64Array, Number);
      listener.scores.chosen(said.at(-1) ?? 0);
      const text = this.#tokenizer.decode(said, { skip_special_tokens: true }).trim();
      const sum = said.reduce((total, _, n) => total + listener.scores.at(n), 0);
      return { text, logProbability: sum / Math.max(1, said.length) };
    } catch (cause) {
      throw new ModelError('run-failed', `${this.name} could not process this sound.`, { cause });
    } finally {
      signal?.removeEventListener('abort', stop);
      output?.dispose();
    }
  }
}
