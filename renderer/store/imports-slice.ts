import type { ImportJob, ImportOptions } from '../../core/contract/importing.ts';
import { type Offered, type TakeInProgress, UploadFailed } from '../features/importing/take-in.ts';
import { percent } from '../format/amount.ts';
import { strings } from '../strings.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Slice } from './state.ts';

export type TakingIn = { progress: TakeInProgress | null; stop: () => void };

export type ImportsSlice = {
  /** By id. */
  jobs: Record<string, ImportJob>;
  /** Files on their way into the library; null when none are. */
  takingIn: TakingIn | null;
  importProblem: Problem | null;
  /** Name of the file that could not be copied, when that is what went wrong. */
  copyFailed: string | null;
  nothingDropped: boolean;
  /** The sample day is being made; only then can it be imported. */
  makingSample: boolean;
  importOptions: Partial<ImportOptions>;
  setImportOptions: (options: Partial<ImportOptions>) => void;
  /** Reads the jobs and follows those that still run. */
  loadImports: () => Promise<void>;
  startImport: (paths: string[]) => Promise<void>;
  takeIn: (offered: Offered) => Promise<void>;
  startSample: () => Promise<void>;
  controlImport: (id: string, what: 'pause' | 'resume' | 'cancel' | 'retry') => Promise<void>;
};

/** HTTP's "Insufficient Storage". */
const DISK_FULL_STATUS = 507;
const ENDED = new Set<ImportJob['state']>(['done', 'cancelled', 'failed']);

export function hasEnded(job: ImportJob): boolean {
  return ENDED.has(job.state);
}

/** Jobs newest first. */
export function newestFirst(jobs: Record<string, ImportJob>): ImportJob[] {
  return Object.values(jobs).sort((a, b) => b.createdAtMs - a.createdAtMs);
}

/** Share of the footage that is read, 0..1. */
export function shareDone(job: ImportJob): number {
  const { doneSeconds, totalSeconds } = job.progress;
  if (totalSeconds > 0) return Math.min(1, doneSeconds / totalSeconds);
  return hasEnded(job) ? 1 : 0;
}

export const importsSlice: Slice<ImportsSlice> = (set, get, { host, locale, goTo }) => {
  const followed = new Set<string>();
  const quarters = new Map<string, number>();

  const take = (job: ImportJob) => {
    const before = get().jobs[job.id];
    set((s) => ({ jobs: { ...s.jobs, [job.id]: job } }));
    tell(before, job);
    const moved = before !== undefined && before.episodes !== job.episodes;
    const settled = before !== undefined && !hasEnded(before) && hasEnded(job);
    const filed = before !== undefined && before.counts.imported !== job.counts.imported;
    if (settled || filed || (moved && before.episodes === 0)) {
      void get().loadLibrary();
      void get().loadDays();
    }
  };

  const tell = (before: ImportJob | undefined, job: ImportJob) => {
    if (before && before.state !== job.state) {
      const { announce } = get();
      const counted = hasEnded(job) ? ` ${summaryOf(job)}` : '';
      announce(`${strings.importing.state[job.state]}.${counted}`);
      return;
    }
    const quarter = Math.floor(shareDone(job) * 4);
    if (before && quarter > (quarters.get(job.id) ?? 0) && quarter < 4) {
      get().announce(strings.importing.quarter(percent(quarter / 4, locale)));
    }
    quarters.set(job.id, quarter);
  };

  const follow = async (job: ImportJob) => {
    take(job);
    if (hasEnded(job) || followed.has(job.id)) return;
    followed.add(job.id);
    try {
      for await (const now of await host.client.imports.watch({ id: job.id })) take(now);
    } catch (error) {
      // A lost connection ends the watch; it is taken up again when the connection is back.
      const problem = toProblem(error);
      if (problem.code !== 'CONNECTION_LOST' && get().connection === 'open') set({ importProblem: problem });
    } finally {
      followed.delete(job.id);
    }
  };

  const begin = async (start: () => Promise<ImportJob>) => {
    set({ importProblem: null, copyFailed: null, nothingDropped: false });
    try {
      void follow(await start());
      goTo({ page: 'add' });
    } catch (error) {
      set({ importProblem: toProblem(error) });
    }
  };

  return {
    jobs: {},
    takingIn: null,
    importProblem: null,
    copyFailed: null,
    nothingDropped: false,
    makingSample: false,
    importOptions: {},
    setImportOptions: (importOptions) => set({ importOptions }),

    loadImports: async () => {
      try {
        for (const job of await host.client.imports.list()) void follow(job);
      } catch (error) {
        set({ importProblem: toProblem(error) });
      }
    },

    startImport: (paths) => begin(() => host.client.imports.start({ paths, options: get().importOptions })),
    startSample: async () => {
      if (get().makingSample) return;
      set({ makingSample: true });
      get().announce(strings.firstRun.sampleBusy);
      await begin(() => host.client.sample.start());
      set({ makingSample: false });
    },

    takeIn: async (offered) => {
      if (get().takingIn) return;
      const stop = new AbortController();
      set({
        takingIn: { progress: null, stop: () => stop.abort() },
        importProblem: null,
        copyFailed: null,
        nothingDropped: false,
      });
      try {
        const paths = await host.takeIn(
          offered,
          (progress) => set((s) => (s.takingIn ? { takingIn: { ...s.takingIn, progress } } : {})),
          stop.signal,
        );
        set({ takingIn: null });
        if (paths.length === 0) set({ nothingDropped: true });
        else await get().startImport(paths);
      } catch (error) {
        set({ takingIn: null });
        if (stop.signal.aborted) return;
        if (error instanceof UploadFailed && error.status === DISK_FULL_STATUS) {
          set({ importProblem: { code: 'DISK_FULL', detail: null } });
        } else if (error instanceof UploadFailed) set({ copyFailed: error.fileName });
        else set({ importProblem: toProblem(error) });
      }
    },

    controlImport: (id, what) => begin(() => host.client.imports[what]({ id })),
  };
};

/** "6 files: 3 imported, 2 companion files, 1 that could not be read." */
export function summaryOf(job: ImportJob): string {
  const order = [
    'imported',
    'sidecar',
    'duplicate',
    'skipped',
    'unreadable',
    'cancelled',
    'pending',
  ] as const;
  const parts = order
    .filter((key) => job.counts[key] > 0)
    .map((key) => strings.importing.counted[key](job.counts[key]));
  if (parts.length === 0) return strings.importing.nothingFound;
  return strings.importing.summary(job.files.length, parts.join(', '));
}
