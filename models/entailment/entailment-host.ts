import type { LanguageHost, LanguageSource } from '../language/language-host.ts';
import { OneAtATime } from '../one-at-a-time.ts';
import type { Entailment, Pair } from './entailment.ts';
import { loadEntailmentModel } from './entailment-model.ts';
import { createLanguageJudge } from './language-judge.ts';

/** Who is to judge: a model made for it, or a language model that is asked. */
export interface JudgeSource {
  kind: 'entailment' | 'language';
  model: LanguageSource;
}

/** Judges in the model process: one entailment model at a time, and whatever language model is there anyway. */
export class EntailmentHost {
  readonly #models = new OneAtATime(({ folder, dtype, threads }: LanguageSource) =>
    loadEntailmentModel(folder, { dtype, threads }),
  );
  readonly #language: () => Promise<LanguageHost>;

  constructor(language: () => Promise<LanguageHost>) {
    this.#language = language;
  }

  /** @throws ModelError load-failed, and what `EntailmentJudge` throws */
  async entail(judge: JudgeSource, pairs: readonly Pair[], signal: AbortSignal): Promise<Entailment[]> {
    const model =
      judge.kind === 'entailment'
        ? await this.#models.get(judge.model)
        : createLanguageJudge(await (await this.#language()).model(judge.model));
    return model.judge(pairs, signal);
  }
}
