import type { ModelTask } from '../../models/catalogue/index.ts';
import { ModelError } from '../../models/errors.ts';
import type { Location, ModelStore } from '../../models/store/index.ts';

/** How a model that could not be loaded was found. */
export type Found =
  /** Its files were wrong and have been fetched again, as the person allowed when they fetched it. */
  | { state: 'mended'; words: string }
  /** Its files are wrong, and it is marked so: whoever asks for the task gets another model. */
  | { state: 'damaged'; words: string }
  /** Its files are right: this computer cannot load it. */
  | { state: 'unloadable'; words: string };

/** Looks after the models of a store on behalf of whoever loads them. */
export interface ModelCare {
  /**
   * The model that does a task, whole: files that changed since they were last found right are read through first. A damaged one is
   * mended where the person allowed it when they fetched it (the network is used for nothing else), else the next best takes its place. One
   * that this computer could not load is not given.
   */
  ready(task: ModelTask): Promise<Location>;
  /** A process could not load a model: reads its files through. One that is neither mended nor marked damaged is not given again. */
  failed(id: string): Promise<Found>;
  /** Why a model is not to be used though its files are right; null when nothing speaks against it. */
  unloadable(id: string): string | null;
}

/** @param signal stops what is being fetched */
export function createModelCare(store: ModelStore, signal: AbortSignal): ModelCare {
  const unloadable = new Map<string, string>();
  /** A mending that failed is not tried again by this process: a computer that is offline would wait at every chapter. */
  const gaveUp = new Set<string>();

  /** @returns null when it is whole now; else what is wrong, in words */
  async function mend(id: string): Promise<string | null> {
    try {
      await store.prepare(id, { signal });
      return null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      gaveUp.add(id);
      return error.message;
    }
  }

  function loadable(location: Location): Location {
    const words = location.model && unloadable.get(location.model.id);
    return words ? { ...location, model: null, problem: location.problem ?? words } : location;
  }

  return {
    unloadable: (id) => unloadable.get(id) ?? null,
    async ready(task) {
      const location = await store.locate(task);
      const { damaged, model } = location;
      if (damaged !== null && !gaveUp.has(damaged) && (await mend(damaged)) === null)
        return loadable(await store.locate(task));
      if (!model || model.builtIn || gaveUp.has(model.id)) return loadable(location);
      return loadable((await mend(model.id)) === null ? location : await store.locate(task));
    },
    async failed(id) {
      const model = await store.located(id);
      if (!model) return { state: 'damaged', words: 'it is not here' };
      const reports = await store.verify(id, signal);
      if (reports.every(({ ok }) => ok)) {
        const words = `${model.title} is here whole, but cannot be loaded on this computer.`;
        unloadable.set(id, words);
        return { state: 'unloadable', words };
      }
      const problem = await mend(id);
      return problem === null
        ? { state: 'mended', words: `${model.title} was damaged and has been fetched again.` }
        : { state: 'damaged', words: problem };
    },
  };
}
