import {
  AutoModelForSequenceClassification,
  AutoTokenizer,
  env,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  type Tensor,
} from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { Turns } from '../turns.ts';
import {
  type Config,
  type Dtype,
  readConfig,
  requireFiles,
  unusable,
  weightsOf,
} from '../writer/model-folder.ts';
import { plainForPrompt } from '../writer/plain-prompt.ts';
import type { Entailment, EntailmentJudge, Pair } from './entailment.ts';

/** Pairs of one run; they are sorted by length, so that little is padded. */
const BATCH_PAIRS = 8;
/** Tokens of one run, padding included: attention takes memory by their square. */
const BATCH_TOKENS = 2048;
/** Fewest tokens of a premise that are worth judging by. */
const LEAST_PREMISE = 8;

const LABELS = ['entailment', 'neutral', 'contradiction'] as const;
type Label = (typeof LABELS)[number];

export interface EntailmentModelOptions {
  dtype: Dtype;
  /** Threads of one operator. */
  threads: number;
}

/**
 * Where each label stands in the model's output, as its configuration names them: the order differs from model to model.
 * @throws ModelError load-failed when one of the three is not named exactly once
 */
function labelPlaces(config: Config): Record<Label, number> {
  const { id2label = {} } = config as Config & { id2label?: Record<string, string> };
  const named = Object.entries(id2label).map(([id, label]) => [label.toLowerCase(), Number(id)] as const);
  const places = LABELS.map((label) => named.filter(([name]) => name === label));
  if (named.length !== LABELS.length || places.some((found) => found.length !== 1)) {
    throw unusable('its labels are not entailment, neutral and contradiction');
  }
  const [entailment, neutral, contradiction] = places.map((found) => found[0]![1]) as [
    number,
    number,
    number,
  ];
  return { entailment, neutral, contradiction };
}

/**
 * Loads a model trained on natural language inference (premise and hypothesis read together by one encoder) from a folder, over
 * transformers.js. Nothing is fetched.
 * @param folder absolute path, laid out as in its repository
 * @throws ModelError load-failed when files are missing, cannot be loaded, or the labels are not those of inference
 */
export async function loadEntailmentModel(
  folder: string,
  { dtype, threads }: EntailmentModelOptions,
): Promise<EntailmentJudge> {
  const config = await readConfig(folder);
  const places = labelPlaces(config);
  await requireFiles(folder, [
    'tokenizer.json',
    'tokenizer_config.json',
    ...weightsOf('model', dtype, config),
  ]);
  env.allowRemoteModels = false;
  try {
    const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
    const model = await AutoModelForSequenceClassification.from_pretrained(folder, {
      local_files_only: true,
      dtype: dtype as 'q8',
      device: 'cpu',
      session_options: { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3 },
    });
    const most = Math.min(
      tokenizer.model_max_length ?? Number.POSITIVE_INFINITY,
      config.max_position_embeddings ?? Number.POSITIVE_INFINITY,
    );
    return new LoadedEntailment(tokenizer, model, places, most);
  } catch (error) {
    throw new ModelError('load-failed', 'The entailment model cannot be loaded.', { cause: error });
  }
}

class LoadedEntailment implements EntailmentJudge {
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #model: PreTrainedModel;
  readonly #places: Record<Label, number>;
  readonly #mostTokens: number;
  #closed = false;
  readonly #turns = new Turns();

  constructor(
    tokenizer: PreTrainedTokenizer,
    model: PreTrainedModel,
    places: Record<Label, number>,
    mostTokens: number,
  ) {
    this.#tokenizer = tokenizer;
    this.#model = model;
    this.#places = places;
    this.#mostTokens = mostTokens;
  }

  judge(pairs: readonly Pair[], signal?: AbortSignal): Promise<Entailment[]> {
    return this.#turns.take(() => this.#judge(pairs, signal));
  }

  async dispose(): Promise<void> {
    const first = !this.#closed;
    this.#closed = true;
    await this.#turns.idle();
    if (first) await this.#model.dispose();
  }

  async #judge(pairs: readonly Pair[], signal: AbortSignal | undefined): Promise<Entailment[]> {
    const fitting = pairs.map((pair, n) => ({ n, ...this.#fit(pair) })).sort((a, b) => a.tokens - b.tokens);
    const judged = new Array<Entailment>(pairs.length);
    for (let at = 0; at < fitting.length; ) {
      signal?.throwIfAborted();
      if (this.#closed) throw new ModelError('closed', 'The entailment model was closed.');
      let count = 1;
      while (
        count < BATCH_PAIRS &&
        at + count < fitting.length &&
        fitting[at + count]!.tokens * (count + 1) <= BATCH_TOKENS
      ) {
        count += 1;
      }
      const batch = fitting.slice(at, at + count);
      const found = await this.#run(batch);
      for (const [n, { n: place }] of batch.entries()) judged[place] = found[n]!;
      at += count;
    }
    signal?.throwIfAborted();
    return judged;
  }

  async #run(batch: readonly Pair[]): Promise<Entailment[]> {
    try {
      const inputs = this.#tokenizer(
        batch.map(({ premise }) => premise),
        { text_pair: batch.map(({ hypothesis }) => hypothesis), padding: true },
      );
      const { logits } = (await this.#model(inputs)) as { logits: Tensor };
      const rows = logits.to('float32').tolist() as number[][];
      return rows.map((row) => {
        const highest = Math.max(...row);
        const weights = row.map((logit) => Math.exp(logit - highest));
        const sum = weights.reduce((before, weight) => before + weight, 0);
        const { entailment, neutral, contradiction } = this.#places;
        return {
          entailment: weights[entailment]! / sum,
          neutral: weights[neutral]! / sum,
          contradiction: weights[contradiction]! / sum,
        };
      });
    } catch (cause) {
      throw new ModelError('run-failed', 'The entailment model failed.', { cause });
    }
  }

  /** The pair as it fits the model: the premise loses its end, the hypothesis nothing. */
  #fit(pair: Pair): Pair & { tokens: number } {
    const [premise, hypothesis] = [pair.premise, pair.hypothesis].map((text) =>
      plainForPrompt(text, this.#tokenizer.all_special_tokens),
    ) as [string, string];
    const length = (text: string) => this.#tokenizer.encode(text, { text_pair: hypothesis }).length;
    let tokens = length(premise);
    if (tokens <= this.#mostTokens) return { premise, hypothesis, tokens };
    const ids = this.#tokenizer.encode(premise, { add_special_tokens: false });
    let keep = ids.length - (tokens - this.#mostTokens);
    // What is cut and written out again may take another token than before.
    for (;;) {
      if (keep < LEAST_PREMISE) {
        throw new ModelError('too-long', 'A sentence is too long to be held against a text.');
      }
      const cut = this.#tokenizer.decode(ids.slice(0, keep), { skip_special_tokens: true });
      tokens = length(cut);
      if (tokens <= this.#mostTokens) return { premise: cut, hypothesis, tokens };
      keep -= tokens - this.#mostTokens;
    }
  }
}
