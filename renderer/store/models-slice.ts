import type {
  Model,
  ModelJob,
  ModelPlan,
  ModelsNews,
  ModelsOverview,
  ModelTask,
  ModelVerdict,
} from '../../core/contract/models.ts';
import { percent } from '../format/amount.ts';
import { strings } from '../strings.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Slice } from './state.ts';

/** A model about to be fetched, once the person has read what that means. */
export type Fetching = {
  id: string;
  /** Null until it was made. */
  plan: ModelPlan | null;
  /** Folder to take it from; empty for none. */
  from: string;
  repair: boolean;
  busy: boolean;
  problem: Problem | null;
};

export type ModelsSlice = {
  models: ModelsOverview | null;
  modelsProblem: Problem | null;
  /** Downloads, by the model's id. */
  modelJobs: Record<string, ModelJob>;
  /** What went wrong with a model otherwise, by its id. */
  modelProblems: Record<string, Problem>;
  /** How its files were found, by the model's id. */
  verdicts: Record<string, ModelVerdict>;
  /** Models whose files are being read through. */
  checkingModels: string[];
  fetching: Fetching | null;
  /** Id of the model that a person is asked about before it goes. */
  removing: string | null;
  removeBusy: boolean;
  loadModels: () => Promise<void>;
  /** Hears of every download, by whichever window, for as long as the connection lasts. */
  followModels: () => Promise<void>;
  /** Makes the plan and shows it; nothing is fetched yet. */
  askToFetch: (id: string) => Promise<void>;
  /** Makes the plan again, with a folder to look in first. */
  planFrom: (from: string) => Promise<void>;
  setRepair: (repair: boolean) => void;
  dontFetch: () => void;
  /** The person's yes. */
  fetchModel: () => Promise<void>;
  /** Goes on with a download that the person allowed before. */
  goOnFetching: (id: string) => Promise<void>;
  pauseModel: (id: string) => Promise<void>;
  checkModel: (id: string) => Promise<void>;
  /** @param id null leaves the task to Footnote */
  chooseModel: (task: ModelTask, id: string | null) => Promise<void>;
  askToRemove: (id: string | null) => void;
  removeModel: () => Promise<void>;
};

/** A model of the overview. */
export function modelById(models: ModelsOverview | null, id: string | null): Model | null {
  const all = models?.tasks.flatMap((task) => task.models) ?? [];
  return all.find((model) => model.id === id) ?? null;
}

/** Share of a download that is here, 0..1; null while its size is not known. */
export function shareFetched({ doneBytes, totalBytes }: ModelJob): number | null {
  return totalBytes === null || totalBytes === 0 ? null : Math.min(1, doneBytes / totalBytes);
}

/** Tasks that nothing does yet and that a model which can be had would do. */
export function missingTasks(models: ModelsOverview | null): ModelTask[] {
  const tasks = models?.tasks ?? [];
  return tasks
    .filter(({ takenUp, uses, offer }) => takenUp && uses === null && offer !== null)
    .map(({ task }) => task);
}

export const modelsSlice: Slice<ModelsSlice> = (set, get, { host, locale }) => {
  const { client } = host;
  /** What the person allowed last, by the model's id: going on asks no second time. */
  const allowed = new Map<string, { id: string; from?: string; repair: boolean }>();
  const quarters = new Map<string, number>();
  let following = false;
  let revision: number | null = null;

  const tell = (before: ModelJob | undefined, job: ModelJob) => {
    const { announce } = get();
    const words = strings.models.announce;
    if (before && before.state === 'running' && job.state !== 'running') {
      const said = { done: words.done, cancelled: words.paused, failed: words.failed }[job.state];
      announce(said(job.title));
    }
    const quarter = Math.floor((shareFetched(job) ?? 0) * 4);
    if (job.state === 'running' && quarter > (quarters.get(job.id) ?? quarter) && quarter < 4) {
      announce(words.quarter(job.title, percent(quarter / 4, locale)));
    }
    quarters.set(job.id, quarter);
  };

  const take = (jobs: ModelJob[]) => {
    const before = get().modelJobs;
    set({ modelJobs: Object.fromEntries(jobs.map((job) => [job.id, job])) });
    for (const job of jobs) tell(before[job.id], job);
  };

  const takeOne = (job: ModelJob) => {
    const before = get().modelJobs[job.id];
    set((s) => ({ modelJobs: { ...s.modelJobs, [job.id]: job } }));
    tell(before, job);
  };

  const hear = (news: ModelsNews) => {
    take(news.jobs);
    if (revision !== null && news.revision !== revision) {
      void get().loadModels();
      // The library's checks speak of models too.
      void get().loadLibrary();
    }
    revision = news.revision;
  };

  const wrong = (id: string, error: unknown) =>
    set((s) => ({ modelProblems: { ...s.modelProblems, [id]: toProblem(error) } }));

  const forgetProblem = (id: string) =>
    set(({ modelProblems: { [id]: _, ...others }, verdicts: { [id]: __, ...verdicts } }) => ({
      modelProblems: others,
      verdicts,
    }));

  /** Begins a download. How it goes is heard by `followModels`, for this window as for others. */
  const begin = async (wanted: { id: string; from?: string; repair: boolean }) => {
    forgetProblem(wanted.id);
    allowed.set(wanted.id, wanted);
    const jobs = await client.models.get(wanted);
    const first = await jobs.next();
    await jobs.return?.(undefined);
    if (first.done) return;
    const job = first.value;
    takeOne(job);
    get().announce(strings.models.announce.started(job.title));
  };

  const plan = async (id: string, from: string) => {
    const repair = get().fetching?.repair ?? true;
    set({ fetching: { id, plan: get().fetching?.plan ?? null, from, repair, busy: true, problem: null } });
    const put = (part: Partial<Fetching>) =>
      set(({ fetching }) => (fetching?.id === id ? { fetching: { ...fetching, busy: false, ...part } } : {}));
    try {
      put({ plan: await client.models.plan({ id, ...(from === '' ? {} : { from }) }) });
    } catch (error) {
      put({ problem: toProblem(error) });
    }
  };

  return {
    models: null,
    modelsProblem: null,
    modelJobs: {},
    modelProblems: {},
    verdicts: {},
    checkingModels: [],
    fetching: null,
    removing: null,
    removeBusy: false,

    loadModels: async () => {
      try {
        const models = await client.models.list();
        set({ models, modelsProblem: null });
      } catch (error) {
        set({ modelsProblem: toProblem(error) });
      }
    },

    followModels: async () => {
      if (following) return;
      following = true;
      try {
        for await (const news of await client.models.watch()) hear(news);
      } catch (error) {
        // A lost connection ends the watch; it is taken up again when the connection is back.
        const problem = toProblem(error);
        if (problem.code !== 'CONNECTION_LOST' && get().connection === 'open')
          set({ modelsProblem: problem });
      } finally {
        following = false;
      }
    },

    askToFetch: async (id) => {
      set({ fetching: null });
      await plan(id, '');
    },
    planFrom: async (from) => {
      const { fetching } = get();
      if (fetching) await plan(fetching.id, from);
    },
    setRepair: (repair) => set(({ fetching }) => (fetching ? { fetching: { ...fetching, repair } } : {})),
    dontFetch: () => set({ fetching: null }),

    fetchModel: async () => {
      const { fetching } = get();
      if (!fetching?.plan || fetching.busy) return;
      const { id, from, repair } = fetching;
      set({ fetching: { ...fetching, busy: true, problem: null } });
      try {
        await begin({ id, repair, ...(from === '' ? {} : { from }) });
        set({ fetching: null });
      } catch (error) {
        set({ fetching: { ...fetching, busy: false, problem: toProblem(error) } });
      }
    },

    goOnFetching: async (id) => {
      const before = allowed.get(id);
      // Another window's yes, or that of an earlier visit, is asked for again.
      if (!before) return get().askToFetch(id);
      try {
        await begin(before);
      } catch (error) {
        wrong(id, error);
      }
    },

    pauseModel: async (id) => {
      try {
        takeOne(await client.models.cancel({ id }));
      } catch (error) {
        wrong(id, error);
      }
    },

    checkModel: async (id) => {
      if (get().checkingModels.includes(id)) return;
      forgetProblem(id);
      set((s) => ({ checkingModels: [...s.checkingModels, id] }));
      try {
        const verdict = await client.models.verify({ id });
        set((s) => ({ verdicts: { ...s.verdicts, [id]: verdict } }));
        get().announce(verdict.ok ? strings.models.checkedOk : strings.models.damaged);
        await get().loadModels();
      } catch (error) {
        wrong(id, error);
      } finally {
        set((s) => ({ checkingModels: s.checkingModels.filter((one) => one !== id) }));
      }
    },

    chooseModel: async (task, id) => {
      const asked = id ?? get().models?.tasks.find((view) => view.task === task)?.chosen ?? task;
      forgetProblem(asked);
      try {
        const models = await client.models.use({ task, id });
        set({ models });
        const used = modelById(models, models.tasks.find((view) => view.task === task)?.uses ?? null);
        if (used) get().announce(strings.models.announce.used(used.title));
      } catch (error) {
        wrong(asked, error);
      }
    },

    askToRemove: (removing) => set({ removing }),
    removeModel: async () => {
      const { removing: id, models, removeBusy } = get();
      if (id === null || removeBusy) return;
      forgetProblem(id);
      set({ removeBusy: true });
      try {
        await client.models.remove({ id });
        allowed.delete(id);
        const title = modelById(models, id)?.title ?? id;
        await get().loadModels();
        get().announce(strings.models.announce.removed(title));
      } catch (error) {
        wrong(id, error);
      } finally {
        set({ removing: null, removeBusy: false });
      }
    },
  };
};
