import { OneAtATime } from '../one-at-a-time.ts';
import type { Dtype } from '../writer/model-folder.ts';
import type { ChatMessage, Choice, Generated, GenerateOptions, TokenScores } from './chat.ts';
import { type LanguageModel, loadLanguageModel } from './language-model.ts';

/** Which model is to read. */
export interface LanguageSource {
  /** Absolute path of its folder. */
  folder: string;
  dtype: Dtype;
  threads: number;
}

/** One reply to be generated, as it crosses to the model process. */
export interface GenerateRequest extends GenerateOptions {
  model: LanguageSource;
  messages: readonly ChatMessage[];
  /** Time the answer may take, loading not counted, ms. */
  deadlineMs: number;
}

/** A reply to be scored. */
export interface ScoreItem {
  messages: readonly ChatMessage[];
  reply: string;
}

/** A question whose answers are given. */
export interface ChooseItem {
  messages: readonly ChatMessage[];
  answers: readonly string[];
}

/** Language models in the model process: one at a time. Errors as `LanguageModel` throws them, and load-failed. */
export class LanguageHost {
  readonly #models = new OneAtATime(({ folder, dtype, threads }: LanguageSource) =>
    loadLanguageModel(folder, { dtype, threads }),
  );

  model(source: LanguageSource): Promise<LanguageModel> {
    return this.#models.get(source);
  }

  async generate(
    { model, messages, ...options }: GenerateRequest,
    signal: AbortSignal,
    onText: (piece: string) => void,
  ): Promise<Generated> {
    return (await this.model(model)).generate(messages, { ...options, signal, onText });
  }

  async score(
    source: LanguageSource,
    items: readonly ScoreItem[],
    signal: AbortSignal,
  ): Promise<TokenScores[]> {
    const model = await this.model(source);
    const scores: TokenScores[] = [];
    for (const { messages, reply } of items) scores.push(await model.score(messages, reply, signal));
    return scores;
  }

  async choose(source: LanguageSource, items: readonly ChooseItem[], signal: AbortSignal): Promise<Choice[]> {
    const model = await this.model(source);
    const choices: Choice[] = [];
    for (const { messages, answers } of items) choices.push(await model.choose(messages, answers, signal));
    return choices;
  }
}
