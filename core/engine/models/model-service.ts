import { ModelError } from '../../../models/errors.ts';
import type { ModelStore } from '../../../models/store/index.ts';
import { FootnoteError } from '../../contract/errors.ts';
import type {
  GetModel,
  ModelJob,
  ModelPlan,
  ModelsNews,
  ModelsOverview,
  ModelTask,
  ModelVerdict,
} from '../../contract/models.ts';
import { Downloads } from './downloads.ts';
import { modelFailure } from './failure.ts';
import { overviewOf } from './overview.ts';
import { isSupported } from './supported.ts';

export interface ModelServiceOptions {
  store: ModelStore;
  /** Which model does this task may have changed: one came, went, or was chosen. */
  onChange?(task: ModelTask): void;
}

/**
 * The models of one folder for whoever shows or changes them: the window by the contract, the command line directly. Needs no library
 * and no lock of it; the store has its own. Everything thrown is a FootnoteError.
 */
export class ModelService {
  readonly #store: ModelStore;
  readonly #downloads: Downloads;
  readonly #onChange: (task: ModelTask) => void;
  /** A model's sizes may be right and its bytes wrong: known since it was read through, until it is fetched again. */
  readonly #damage = new Map<string, string>();

  constructor({ store, onChange = () => {} }: ModelServiceOptions) {
    this.#store = store;
    this.#onChange = onChange;
    this.#downloads = new Downloads({
      store,
      onCame: (id, task) => {
        this.#damage.delete(id);
        onChange(task);
      },
    });
  }

  /** Every task, what does it, what could, and the downloads. */
  async list(): Promise<ModelsOverview> {
    return { ...(await overviewOf(this.#store, this.#damage)), jobs: this.#downloads.jobs() };
  }

  /** What `get` would do. @throws FootnoteError NOT_FOUND */
  async plan(id: string, from?: string): Promise<ModelPlan> {
    const plan = await known(() => this.#store.plan(id, from === undefined ? {} : { from }));
    return {
      ...plan,
      hosts: [...plan.hosts],
      trustOnFirstUse: [...plan.trustOnFirstUse],
      nowhere: [...plan.nowhere],
    };
  }

  /**
   * Fetches a model, or joins its download that runs, and tells how it goes until it has ended. It goes on when the caller stops listening.
   * How it ended, failures too (DISK_FULL, MODEL_UNREACHABLE, MODEL_FAILED), is told by the last job.
   * @throws FootnoteError NOT_FOUND
   */
  async get(wanted: GetModel, signal?: AbortSignal): Promise<AsyncGenerator<ModelJob, void, void>> {
    await this.#downloads.start(wanted, this.#damage.has(wanted.id));
    return this.#downloads.follow(wanted.id, signal);
  }

  /** All downloads now and at every change, until the signal aborts. */
  watch(signal?: AbortSignal): AsyncGenerator<ModelsNews, void, void> {
    return this.#downloads.watch(signal);
  }

  /** Stops a download; what has arrived is kept. @throws FootnoteError NOT_FOUND */
  async cancel(id: string): Promise<ModelJob> {
    this.#downloads.job(id);
    await this.#downloads.stop(id);
    return this.#downloads.job(id);
  }

  /** Reads all files of a model through. @throws FootnoteError NOT_FOUND, MODEL_MISSING; the signal's reason when aborted */
  async verify(id: string, signal?: AbortSignal): Promise<ModelVerdict> {
    const verdict = await this.#verdict(id, signal);
    if (verdict.ok) this.#damage.delete(id);
    else this.#damage.set(id, verdict.problems.join(' '));
    this.#downloads.changed();
    return verdict;
  }

  /** @returns bytes freed. @throws FootnoteError NOT_FOUND, MODEL_MISSING, MODEL_FAILED when it came with Footnote */
  async remove(id: string): Promise<{ bytes: number }> {
    const { task } = await known(async () => this.#store.entry(id));
    await this.#downloads.stop(id);
    const bytes = await known(() => this.#store.remove(id));
    // Who removes the chosen one leaves the task to the others again, rather than to something missing.
    if ((await this.#store.locate(task)).chosen === id) await known(() => this.#store.use(task, null));
    this.#damage.delete(id);
    this.#downloads.forget(id);
    this.#downloads.changed();
    this.#onChange(task);
    return { bytes };
  }

  /**
   * Chooses the model of a task.
   * @param id null leaves it to the catalogue
   * @throws FootnoteError NOT_FOUND, MODEL_MISSING; BAD_REQUEST for one that Footnote cannot put to work
   */
  async use(task: ModelTask, id: string | null): Promise<ModelsOverview> {
    const wanted = id === null ? null : await known(async () => this.#store.entry(id));
    if (wanted?.task === task && !isSupported(wanted)) {
      throw new FootnoteError('BAD_REQUEST', `Footnote cannot use ${wanted.title} for ${task} yet.`);
    }
    await known(() => this.#store.use(task, id));
    this.#downloads.changed();
    this.#onChange(task);
    return this.list();
  }

  /** Stops what is being fetched; what has arrived is kept. */
  close(): Promise<void> {
    return this.#downloads.close();
  }

  async #verdict(id: string, signal: AbortSignal | undefined): Promise<ModelVerdict> {
    try {
      const files = await this.#store.verify(id, signal);
      const problems = files.flatMap(({ path, problem }) =>
        problem === null ? [] : [`${path}: ${problem}`],
      );
      return { id, ok: problems.length === 0, problems, pinned: files.every(({ pinned }) => pinned) };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ModelError) || error.code !== 'damaged') throw modelFailure(error);
      return { id, ok: false, problems: [error.message], pinned: false };
    }
  }
}

async function known<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw modelFailure(error);
  }
}
