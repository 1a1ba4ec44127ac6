import {
  AutoModelForImageTextToText,
  AutoProcessor,
  env,
  LogitsProcessorList,
  type PreTrainedModel,
  type Processor,
  StoppingCriteriaList,
  type Tensor,
} from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { withFastestDevice } from '../runtime.ts';
import { Turns } from '../turns.ts';
import { type Dtype, examineFolder, type ModelFolder } from './model-folder.ts';
import { limitPictures, modelInputs, pictureOf } from './picture-inputs.ts';
import { plainForPrompt } from './plain-prompt.ts';
import {
  mostRecordTokens,
  type RecordShape,
  RecordShaper,
  type ShapeParts,
  shapeParts,
} from './record-shape.ts';
import { StopRule } from './stop-rule.ts';

/** MemLife 2.1: a memory text is at most this many tokens; no prose written here is longer. */
export const MOST_NEW_TOKENS = 512;

/** What providers are timed on: one grey frame, and a few tokens about it. */
const TRIAL: WriterPrompt = {
  system: null,
  frames: [{ rgb: new Uint8Array(64 * 64 * 3).fill(128), width: 64, height: 64 }],
  text: 'Describe what I see.',
};
const TRIAL_TOKENS = 4;

/** A picture: `width` x `height` px, three bytes a pixel, rows from the top. */
export interface Frame {
  rgb: Uint8Array;
  width: number;
  height: number;
}

/** What the model is given: who it is, then one turn of frames followed by text. */
export interface WriterPrompt {
  system: string | null;
  /** In time order; none for plain text. */
  frames: readonly Frame[];
  text: string;
}

export interface DescribeOptions {
  /** Of the text: 1 .. MOST_NEW_TOKENS, or 0 for a record alone. */
  maxNewTokens: number;
  /** JSON to be written after the text in the same visit; default: none. */
  record?: RecordShape | null;
  /** Ends the answer after this long, ms; it is looked at after each token. */
  deadlineMs?: number;
  signal?: AbortSignal;
}

export interface Description {
  /** The answer, trimmed, without the model's own marks. */
  text: string;
  /**
   * The JSON that was asked for: valid by construction, but cut when the deadline fell into it. Null when none was asked for, the
   * deadline came before it, or the vocabulary cannot be held to a shape: then the model may have written one into `text`.
   */
  record: string | null;
  /** Tokens of the answer, and of what it was given. */
  tokens: number;
  promptTokens: number;
  /** Wall time of this call, s. */
  seconds: number;
  /** Whether the text came to its end, or was cut by the number of tokens or the deadline. */
  ended: 'complete' | 'length' | 'deadline';
}

export interface VisionWriterOptions {
  dtype: Dtype;
  /** Threads of one operator. */
  threads: number;
}

/** A vision-language model in memory. Calls are done one after the other; the same prompt gives the same answer. */
export interface VisionWriter {
  /**
   * @throws ModelError run-failed for a frame whose bytes do not fit its size, a prompt beyond the model's context, or
   *   when the runtime fails; closed after `dispose`; the signal's reason when aborted
   */
  describe(prompt: WriterPrompt, options: DescribeOptions): Promise<Description>;
  /** Ends what is being written, then frees the model. */
  dispose(): Promise<void>;
}

/**
 * Loads a vision-language model (SmolVLM / Idefics3 or Qwen-VL shaped) from a folder, over transformers.js. Nothing is fetched.
 * @param folder absolute path, laid out as in its repository
 * @throws ModelError load-failed when files are missing or cannot be loaded
 */
export async function loadVisionWriter(folder: string, options: VisionWriterOptions): Promise<VisionWriter> {
  const known = await examineFolder(folder, options.dtype);
  // Asking for local files alone still lets a look-up reach the network.
  env.allowRemoteModels = false;
  try {
    const processor = await AutoProcessor.from_pretrained(folder, { local_files_only: true });
    limitPictures(processor, known.family);
    return await withFastestDevice(folder, {
      async load({ device, session_options }) {
        const model = await AutoModelForImageTextToText.from_pretrained(folder, {
          local_files_only: true,
          dtype: options.dtype as 'q8',
          device,
          session_options: { ...session_options, intraOpNumThreads: options.threads },
        });
        return new LoadedWriter(known, processor, model);
      },
      run: (writer) => writer.describe(TRIAL, { maxNewTokens: TRIAL_TOKENS }),
      dispose: (writer) => writer.dispose(),
    });
  } catch (error) {
    throw new ModelError('load-failed', 'The vision-language model cannot be loaded.', { cause: error });
  }
}

class LoadedWriter implements VisionWriter {
  readonly #folder: ModelFolder;
  readonly #processor: Processor;
  readonly #model: PreTrainedModel;
  /** Null for a model that cannot be held to a shape; undefined until that is first wanted. */
  #shape: ShapeParts | null | undefined;
  readonly #disposing = new AbortController();
  readonly #turns = new Turns();

  constructor(folder: ModelFolder, processor: Processor, model: PreTrainedModel) {
    this.#folder = folder;
    this.#processor = processor;
    this.#model = model;
  }

  describe(prompt: WriterPrompt, options: DescribeOptions): Promise<Description> {
    return this.#turns.take(() => this.#describe(prompt, options));
  }

  async dispose(): Promise<void> {
    const first = !this.#disposing.signal.aborted;
    this.#disposing.abort(new ModelError('closed', 'The vision-language model was closed.'));
    // Freeing sessions under a running generation would fail it half-way.
    await this.#turns.idle();
    if (first) await this.#model.dispose();
  }

  async #describe(prompt: WriterPrompt, options: DescribeOptions): Promise<Description> {
    const started = performance.now();
    const signal = options.signal
      ? AbortSignal.any([options.signal, this.#disposing.signal])
      : this.#disposing.signal;
    signal.throwIfAborted();
    const rule = new StopRule(signal, started + (options.deadlineMs ?? Number.POSITIVE_INFINITY));
    const parts = options.record ? this.#shapeParts() : null;
    // A record alone, of a model that cannot be held to it, is free text.
    const least = parts ? 0 : options.maxNewTokens > 0 ? 1 : (options.record?.tokens ?? 1);
    const maxNewTokens = Math.max(least, Math.min(MOST_NEW_TOKENS, Math.floor(options.maxNewTokens)));
    const recordTokens = options.record && parts ? mostRecordTokens(options.record, parts.encode) : 0;
    const frames = prompt.frames.map(pictureOf);
    let answer: Tensor;
    let promptTokens: number;
    let shaper: RecordShaper | null = null;
    try {
      const { family, contextTokens } = this.#folder;
      const inputs = await modelInputs(this.#processor, family, this.#promptText(prompt), frames);
      promptTokens = inputs.input_ids.dims.at(-1)!;
      if (contextTokens !== null && promptTokens + maxNewTokens + recordTokens > contextTokens) {
        throw new ModelError('run-failed', `A prompt of ${promptTokens} tokens is too long for this model.`);
      }
      signal.throwIfAborted();
      const criteria = new StoppingCriteriaList();
      criteria.push(rule);
      const processors = new LogitsProcessorList();
      if (options.record && parts) {
        shaper = new RecordShaper(options.record, parts, promptTokens, maxNewTokens);
        processors.push(shaper);
      }
      // Greedy, as MemLife writes. The names are the library's.
      const generate = this.#model.generate.bind(this.#model) as (options: object) => Promise<Tensor>;
      answer = await generate({
        ...inputs,
        max_new_tokens: maxNewTokens + recordTokens,
        do_sample: false,
        stopping_criteria: criteria,
        logits_processor: processors,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      throw new ModelError('run-failed', 'The vision-language model failed.', { cause: error });
    }
    signal.throwIfAborted();
    const end = answer.dims.at(-1)!;
    const textEnd = promptTokens + (shaper?.proseTokens ?? end - promptTokens);
    const record = shaper && shaper.proseTokens !== null ? this.#words(answer, textEnd, end) : null;
    const complete = shaper ? shaper.proseComplete : end - promptTokens < maxNewTokens;
    const late = rule.reason === 'deadline' && (shaper === null || shaper.proseTokens === null);
    return {
      text: this.#words(answer, promptTokens, textEnd),
      record,
      tokens: end - promptTokens,
      promptTokens,
      seconds: (performance.now() - started) / 1000,
      ended: late ? 'deadline' : complete ? 'complete' : 'length',
    };
  }

  /** Tokens from one place to another as words. */
  #words(answer: Tensor, from: number, to: number): string {
    if (to <= from) return '';
    const [text = ''] = this.#processor.batch_decode(answer.slice([0, 1], [from, to]), {
      skip_special_tokens: true,
    });
    return text.trim();
  }

  #shapeParts(): ShapeParts | null {
    if (this.#shape === undefined) this.#shape = shapeParts(this.#processor.tokenizer!, this.#model);
    return this.#shape;
  }

  #promptText({ system, frames, text }: WriterPrompt): string {
    const marks = this.#processor.tokenizer!.all_special_tokens;
    const said = (words: string) => [{ type: 'text', text: plainForPrompt(words, marks) }];
    const messages = [
      ...(system === null ? [] : [{ role: 'system', content: said(system) }]),
      { role: 'user', content: [...frames.map(() => ({ type: 'image' })), ...said(text)] },
    ];
    // Models that think aloud are told not to; others know no such setting.
    const options = { add_generation_prompt: true, tokenize: false, enable_thinking: false };
    return this.#processor.apply_chat_template(messages as never, options as never) as unknown as string;
  }
}
