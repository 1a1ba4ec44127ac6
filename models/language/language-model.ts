import {
  AutoModelForCausalLM,
  AutoModelForImageTextToText,
  AutoProcessor,
  AutoTokenizer,
  cat,
  env,
  LogitsProcessorList,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  type Processor,
  StoppingCriteriaList,
  Tensor,
} from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { Turns } from '../turns.ts';
import type { Dtype } from '../writer/model-folder.ts';
import { limitPictures, type ModelInputs } from '../writer/picture-inputs.ts';
import { plainForPrompt } from '../writer/plain-prompt.ts';
import { StopRule } from '../writer/stop-rule.ts';
import { AnswerStream, StopStringRule } from './answer-stream.ts';
import type { ChatMessage, Choice, Generated, GenerateOptions, TokenScores } from './chat.ts';
import { examineLanguageFolder, type LanguageFolder } from './language-folder.ts';
import { type PromptTools, promptInputs, promptText } from './prompt.ts';
import { SeededSampler } from './seeded-sampler.ts';
import { choiceOf, placeOf, spellings } from './token-scores.ts';

/** MemLife 2.1: a memory text has at most this many tokens; no longer one is scored. */
export const MOST_SCORED_TOKENS = 512;
/** Most logits one run may give, 4 bytes each: only reached by models that give them for the prompt as well. */
const MOST_LOGITS = 256e6;

export interface LanguageModelOptions {
  dtype: Dtype;
  /** Threads of one operator. */
  threads: number;
}

/** A language model in memory. Calls are done one after the other. */
export interface LanguageModel {
  /** Whether messages may hold frames. */
  readonly looks: boolean;
  /** Tokens of prompt and answer together; null when the model does not say. */
  readonly contextTokens: number | null;
  /**
   * Goes on with a conversation.
   * @param onText is given each piece of the answer as it comes
   * @throws ModelError too-long; run-failed, also for frames given to a model that does not look; closed; the signal's reason when aborted
   */
  generate(
    messages: readonly ChatMessage[],
    options: GenerateOptions & { signal?: AbortSignal; onText?: (piece: string) => void },
  ): Promise<Generated>;
  /**
   * How likely the model finds a given reply, each token with the ones before it as they are given (teacher forcing): one run,
   * nothing sampled. FIRM's faithfulness is r_t = 1 − (max p − p) over these (MemLife, method section on faithfulness).
   * @param reply at most MOST_SCORED_TOKENS tokens; its logits take 4 bytes x tokens x vocabulary
   * @throws as `generate`
   */
  score(messages: readonly ChatMessage[], reply: string, signal?: AbortSignal): Promise<TokenScores>;
  /**
   * Which of some answers ("Yes", "No"; "A", "B", "C") the reply would begin with, by the distribution of its first token.
   * @throws as `generate`; run-failed when two answers begin alike
   */
  choose(messages: readonly ChatMessage[], answers: readonly string[], signal?: AbortSignal): Promise<Choice>;
  /** Ends what is being generated, then frees the model. */
  dispose(): Promise<void>;
}

/**
 * Loads a language model over transformers.js from a folder: a causal language model, or a vision-language model, which reads words
 * as well as frames. Nothing is fetched.
 * @param folder absolute path, laid out as in its repository
 * @throws ModelError load-failed when files are missing or cannot be loaded, or there is no chat template
 */
export async function loadLanguageModel(
  folder: string,
  options: LanguageModelOptions,
): Promise<LanguageModel> {
  const known = await examineLanguageFolder(folder, options.dtype);
  // Asking for local files alone still lets a look-up reach the network.
  env.allowRemoteModels = false;
  const load = {
    local_files_only: true,
    dtype: options.dtype as 'q8',
    device: 'cpu',
    session_options: { intraOpNumThreads: options.threads, interOpNumThreads: 1, logSeverityLevel: 3 },
  } as const;
  try {
    const processor =
      known.family && (await AutoProcessor.from_pretrained(folder, { local_files_only: true }));
    if (processor) limitPictures(processor, known.family!);
    const tokenizer =
      processor?.tokenizer ?? (await AutoTokenizer.from_pretrained(folder, { local_files_only: true }));
    if (!tokenizer.chat_template) throw new Error('it has no chat template');
    const model = known.family
      ? await AutoModelForImageTextToText.from_pretrained(folder, load)
      : await AutoModelForCausalLM.from_pretrained(folder, load);
    return new LoadedLanguageModel(known, tokenizer, processor, model);
  } catch (error) {
    throw new ModelError('load-failed', 'The language model cannot be loaded.', { cause: error });
  }
}

type Generate = (options: object) => Promise<Tensor>;

class LoadedLanguageModel implements LanguageModel {
  readonly looks: boolean;
  readonly contextTokens: number | null;
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #tools: PromptTools;
  readonly #model: PreTrainedModel;
  readonly #disposing = new AbortController();
  readonly #turns = new Turns();

  constructor(
    folder: LanguageFolder,
    tokenizer: PreTrainedTokenizer,
    processor: Processor | null,
    model: PreTrainedModel,
  ) {
    this.looks = folder.family !== null;
    this.contextTokens = folder.contextTokens;
    this.#tokenizer = tokenizer;
    this.#tools = { tokenizer, pictures: processor && { processor, family: folder.family! } };
    this.#model = model;
  }

  generate(
    messages: readonly ChatMessage[],
    options: GenerateOptions & { signal?: AbortSignal; onText?: (piece: string) => void },
  ): Promise<Generated> {
    return this.#inTurn(options.signal, (signal) => this.#generate(messages, options, signal));
  }

  score(messages: readonly ChatMessage[], reply: string, signal?: AbortSignal): Promise<TokenScores> {
    return this.#inTurn(signal, (both) => this.#score(messages, reply, both));
  }

  choose(
    messages: readonly ChatMessage[],
    answers: readonly string[],
    signal?: AbortSignal,
  ): Promise<Choice> {
    return this.#inTurn(signal, (both) => this.#choose(messages, answers, both));
  }

  async dispose(): Promise<void> {
    const first = !this.#disposing.signal.aborted;
    this.#disposing.abort(new ModelError('closed', 'The language model was closed.'));
    // Freeing sessions under a running generation would fail it half-way.
    await this.#turns.idle();
    if (first) await this.#model.dispose();
  }

  /** Runs one thing after the other; whatever fails becomes a ModelError, and what was aborted the signal's reason. */
  #inTurn<T>(signal: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const both = signal ? AbortSignal.any([signal, this.#disposing.signal]) : this.#disposing.signal;
    return this.#turns.take(async () => {
      both.throwIfAborted();
      try {
        return await run(both);
      } catch (error) {
        both.throwIfAborted();
        if (error instanceof ModelError) throw error;
        throw new ModelError('run-failed', 'The language model failed.', { cause: error });
      }
    });
  }

  async #inputs(messages: readonly ChatMessage[], more: number, most = Number.POSITIVE_INFINITY) {
    const { contextTokens } = this;
    const inputs = await promptInputs(messages, this.#tools);
    const promptTokens = inputs.input_ids.dims.at(-1)!;
    const room = Math.min(most, (contextTokens ?? Number.POSITIVE_INFINITY) - more);
    if (promptTokens > room) {
      throw new ModelError(
        'too-long',
        `A prompt of ${promptTokens} tokens is too long: ${Math.max(0, room)} fit.`,
      );
    }
    return { inputs, promptTokens };
  }

  async #generate(
    messages: readonly ChatMessage[],
    options: GenerateOptions & { onText?: (piece: string) => void },
    signal: AbortSignal,
  ): Promise<Generated> {
    const started = performance.now();
    const { sampling = null, stop = [], repetitionPenalty = 1, deadlineMs, maxPromptTokens } = options;
    const maxNewTokens = Math.max(1, Math.floor(options.maxNewTokens));
    const { inputs, promptTokens } = await this.#inputs(messages, maxNewTokens, maxPromptTokens);
    signal.throwIfAborted();
    let text = '';
    const stream = new AnswerStream(this.#tokenizer, stop, (piece) => {
      text += piece;
      if (!signal.aborted) options.onText?.(piece);
    });
    const rule = new StopRule(signal, started + (deadlineMs ?? Number.POSITIVE_INFINITY));
    const criteria = new StoppingCriteriaList();
    criteria.push(rule);
    criteria.push(new StopStringRule(stream));
    const processors = new LogitsProcessorList();
    if (sampling) processors.push(new SeededSampler(sampling));
    const answer = await (this.#model.generate.bind(this.#model) as Generate)({
      ...inputs,
      max_new_tokens: maxNewTokens,
      // Sampling is the processor's: what it drew is all that is left to choose.
      do_sample: false,
      repetition_penalty: repetitionPenalty,
      logits_processor: processors,
      stopping_criteria: criteria,
      streamer: stream,
    });
    signal.throwIfAborted();
    const last = Number(answer.data.at(-1));
    const complete = [this.#model.generation_config?.eos_token_id ?? []].flat().includes(last);
    return {
      text,
      tokens: stream.tokens,
      promptTokens,
      seconds: (performance.now() - started) / 1000,
      ended: complete
        ? 'complete'
        : stream.stopped
          ? 'stop'
          : rule.reason === 'deadline'
            ? 'deadline'
            : 'length',
    };
  }

  async #score(messages: readonly ChatMessage[], reply: string, signal: AbortSignal): Promise<TokenScores> {
    const words = plainForPrompt(reply, this.#tokenizer.all_special_tokens);
    // Where a template ends with a word ("Assistant:"), models write a space first.
    const space = /\s$/.test(promptText(messages, this.#tools)) ? '' : ' ';
    const ids = words === '' ? [] : this.#tokenizer.encode(space + words, { add_special_tokens: false });
    if (ids.length > MOST_SCORED_TOKENS) {
      throw new ModelError('too-long', `A reply of ${ids.length} tokens is too long to be scored.`);
    }
    const { inputs, promptTokens } = await this.#inputs(messages, ids.length);
    signal.throwIfAborted();
    const scores: TokenScores = {
      ids,
      pieces: ids.map((id) => this.#tokenizer.decode([id])),
      logProbabilities: [],
      bestLogProbabilities: [],
      entropies: [],
      promptTokens,
    };
    if (ids.length === 0) return scores;
    const rows = await this.#logits(inputs, ids);
    for (const [n, id] of ids.entries()) {
      const place = placeOf(rows(n), id);
      scores.logProbabilities.push(place.logProbability);
      scores.bestLogProbabilities.push(place.best);
      scores.entropies.push(place.entropy);
    }
    return scores;
  }

  async #choose(
    messages: readonly ChatMessage[],
    answers: readonly string[],
    signal: AbortSignal,
  ): Promise<Choice> {
    const { inputs } = await this.#inputs(messages, 1);
    signal.throwIfAborted();
    const firstTokens = answers.map((answer) =>
      spellings(answer).map((word) => this.#tokenizer.encode(word, { add_special_tokens: false })[0]!),
    );
    const rows = await this.#logits(inputs, []);
    return choiceOf(rows(0), firstTokens);
  }

  /**
   * One run over prompt and reply.
   * @returns row n: the logits from which token n of the reply is drawn
   */
  async #logits(prompt: ModelInputs, reply: readonly number[]): Promise<(n: number) => Float32Array> {
    const sessions = this.#model.sessions as Record<string, { inputNames: readonly string[] }>;
    const decoder = sessions.decoder_model_merged ?? sessions.model!;
    const keeps = decoder.inputNames.includes('num_logits_to_keep');
    const { input_ids, attention_mask } = prompt;
    const more = (values: readonly number[], before: Tensor) =>
      values.length === 0
        ? before
        : cat([before, new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])], 1);
    const ids = more(reply, input_ids);
    const length = ids.dims.at(-1)!;
    const vocabulary = this.#tokenizer.get_vocab().size;
    if (!keeps && length * vocabulary > MOST_LOGITS) {
      throw new ModelError('too-long', `${length} tokens are too many for this model to be scored at once.`);
    }
    const { logits } = (await this.#model.forward({
      ...prompt,
      input_ids: ids,
      attention_mask: more(Array(reply.length).fill(1), attention_mask!),
      ...(keeps && { num_logits_to_keep: new Tensor('int64', [BigInt(reply.length + 1)], []) }),
    })) as { logits: Tensor };
    const [, given, width] = logits.dims as [number, number, number];
    const data = logits.to('float32').data as Float32Array;
    return (n) => {
      const row = given - reply.length - 1 + n;
      return data.subarray(row * width, (row + 1) * width);
    };
  }
}
