import { randomBytes } from 'node:crypto';
import { extname, resolve } from 'node:path';
import { FootnoteError, toFootnoteError } from '../contract/errors.ts';
import type { ImportJob, ImportOptions } from '../contract/index.ts';
import { endJob, type JobDeps, type JobRun, runJob } from './import-job.ts';
import { sweepInbox } from './inbox.ts';
import type { JobRecord } from './job-store.ts';
import { viewOfJob } from './job-view.ts';
import { ProgressMeter } from './progress.ts';

/** Imports, one at a time, in the order they were asked for. */
export interface ImportQueue {
  /** The same paths and options as an unfinished import give that import, resumed. */
  start(paths: string[], options: ImportOptions): Promise<ImportJob>;
  list(): ImportJob[];
  /** @throws FootnoteError NOT_FOUND */
  get(id: string): ImportJob;
  pause(id: string): Promise<ImportJob>;
  resume(id: string): Promise<ImportJob>;
  /** Ends it; episodes that are stored stay. */
  cancel(id: string): Promise<ImportJob>;
  retry(id: string): Promise<ImportJob>;
  /** Recordings an unfinished import is writing to. */
  busyRecordings(): Set<string>;
  /** Forgets a recording's files in the summaries of ended imports. */
  forgetRecordings(ids: ReadonlySet<string>): Promise<void>;
  /** Forgets every ended import. */
  forgetAll(): Promise<void>;
  /** Stops work; what is unfinished goes on at the next start. */
  close(): Promise<void>;
}

interface Entry {
  run: JobRun;
  abort: AbortController;
  resumed: { promise: Promise<void>; resolve: () => void } | null;
}

/** Path without its ending: a clip and its sidecars share it. */
function stemOf(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}

const ENDED = new Set(['done', 'cancelled', 'failed']);

/**
 * Opens the queue and goes on with what a kill or quit left unfinished (paused jobs stay paused).
 * @param onChange called with the job at every change
 */
export async function openImportQueue(
  deps: JobDeps,
  { onChange, goOn }: { onChange(job: ImportJob): void; goOn: boolean },
): Promise<ImportQueue> {
  const entries = new Map<string, Entry>();
  let closing = false;
  let working: Promise<void> | null = null;
  let current: { entry: Entry; ended: Promise<void> } | null = null;

  function add(job: JobRecord): Entry {
    const abort = new AbortController();
    const entry: Entry = {
      abort,
      resumed: null,
      run: {
        job,
        meter: new ProgressMeter(0),
        currentFile: null,
        signal: abort.signal,
        untilResumed: () => entry.resumed?.promise ?? Promise.resolve(),
        onChange: () => onChange(view(entry)),
      },
    };
    if (job.state === 'paused') hold(entry);
    entries.set(job.id, entry);
    return entry;
  }
  function hold(entry: Entry): void {
    let resolveHold = () => {};
    const promise = new Promise<void>((r) => {
      resolveHold = r;
    });
    entry.resumed = { promise, resolve: resolveHold };
  }
  const view = (entry: Entry) => viewOfJob(entry.run.job, entry.run.meter.get(), entry.run.currentFile);
  function find(id: string): Entry {
    const entry = entries.get(id);
    if (!entry) throw new FootnoteError('NOT_FOUND', 'There is no such import.', { id });
    return entry;
  }

  async function markEnded(entry: Entry, state: 'cancelled' | 'failed'): Promise<void> {
    const { job } = entry.run;
    job.state = state;
    job.plan = null;
    for (const file of job.files) {
      if (file.outcome === 'pending') {
        file.outcome = 'cancelled';
        file.stage = 'done';
        file.reason =
          file.episodes > 0
            ? 'Cancelled; the episodes read so far are kept.'
            : 'Cancelled before it was read.';
      }
    }
    entry.run.currentFile = null;
    await endJob(deps, job);
    entry.run.onChange();
  }

  async function workOn(entry: Entry): Promise<void> {
    const { job } = entry.run;
    try {
      await runJob(deps, entry.run);
    } catch (error) {
      if (closing) return;
      const known = toFootnoteError(error);
      if (entry.abort.signal.aborted) {
        await markEnded(entry, 'cancelled');
        return;
      }
      job.error = { code: known.code, message: known.message };
      if (known.code === 'DISK_FULL') {
        job.state = 'paused';
        hold(entry);
        entry.run.onChange();
        // The journal may not fit either; the last saved state resumes just as well.
        await deps.store.save(job).catch(() => {});
        return;
      }
      await markEnded(entry, 'failed');
    }
  }

  function next(): Entry | undefined {
    return [...entries.values()].find(
      (entry) => !ENDED.has(entry.run.job.state) && entry.run.job.state !== 'paused',
    );
  }
  function work(): void {
    if (working || closing) return;
    working = (async () => {
      for (let entry = next(); entry && !closing; entry = next()) {
        current = { entry, ended: workOn(entry) };
        await current.ended;
        current = null;
      }
    })().finally(() => {
      working = null;
    });
  }

  async function begin(paths: string[], options: ImportOptions): Promise<ImportJob> {
    const job: JobRecord = {
      id: `import-${deps.now().toString(36)}-${randomBytes(3).toString('hex')}`,
      state: 'scanning',
      paths,
      options,
      createdAtMs: deps.now(),
      plan: null,
      files: [],
      error: null,
    };
    await deps.store.save(job);
    const entry = add(job);
    work();
    return view(entry);
  }

  async function resume(id: string): Promise<ImportJob> {
    const entry = find(id);
    if (entry.run.job.state === 'paused') {
      entry.run.job.state = entry.run.job.plan ? 'running' : 'scanning';
      entry.run.job.error = null;
      entry.run.meter.restart();
      await deps.store.save(entry.run.job);
      deps.perception.resume();
      entry.resumed?.resolve();
      entry.resumed = null;
      entry.run.onChange();
      work();
    }
    return view(entry);
  }

  const { jobs } = await deps.store.load();
  for (const job of jobs) add(job);
  await sweepInbox(
    deps.library.inboxDir,
    jobs.filter((job) => !ENDED.has(job.state)).flatMap((job) => job.paths),
  );
  if (goOn) work();

  return {
    async start(paths, options) {
      const absolute = [...new Set(paths.map((path) => resolve(path)))].sort();
      const same = [...entries.values()].find(
        ({ run: { job } }) =>
          !ENDED.has(job.state) &&
          JSON.stringify([job.paths, job.options]) === JSON.stringify([absolute, options]),
      );
      if (same) {
        work();
        return resume(same.run.job.id);
      }
      return begin(absolute, options);
    },
    list: () => [...entries.values()].map(view),
    get: (id) => view(find(id)),
    async pause(id) {
      const entry = find(id);
      const { job } = entry.run;
      if (!ENDED.has(job.state) && job.state !== 'paused') {
        // A pause while scanning takes hold when the first file would begin.
        job.state = 'paused';
        hold(entry);
        deps.perception.pause();
        await deps.store.save(job);
        entry.run.onChange();
      }
      return view(entry);
    },
    resume,
    async cancel(id) {
      const entry = find(id);
      if (ENDED.has(entry.run.job.state)) return view(entry);
      entry.abort.abort();
      entry.resumed?.resolve();
      entry.resumed = null;
      if (current?.entry === entry) {
        deps.perception.resume();
        await current.ended;
      } else await markEnded(entry, 'cancelled');
      return view(entry);
    },
    async retry(id) {
      const { job } = find(id).run;
      const paths = job.files
        .filter((file) => file.outcome === 'unreadable' || file.outcome === 'cancelled')
        .map((file) => file.path);
      if (paths.length === 0)
        throw new FootnoteError('BAD_REQUEST', 'This import has no files left to try again.');
      return begin(paths, job.options);
    },
    busyRecordings() {
      const busy = new Set<string>();
      for (const { run } of entries.values()) {
        if (ENDED.has(run.job.state)) continue;
        for (const file of run.job.files)
          if (file.recordingId && file.outcome === 'pending') busy.add(file.recordingId);
      }
      return busy;
    },
    async forgetRecordings(ids) {
      for (const [id, { run }] of entries) {
        const { job } = run;
        const gone = job.files.filter((file) => file.recordingId && ids.has(file.recordingId));
        if (gone.length === 0) continue;
        // What lies beside a forgotten file bears its name: rows and paths of both go.
        const stems = new Set(gone.map((file) => stemOf(file.path)));
        job.files = job.files.filter((file) => !stems.has(stemOf(file.path)));
        job.paths = job.paths.filter((path) => !stems.has(stemOf(path)));
        if (job.files.length > 0) await deps.store.save(job);
        else {
          await deps.store.remove(id);
          entries.delete(id);
        }
      }
    },
    async forgetAll() {
      for (const [id, { run }] of entries) {
        if (!ENDED.has(run.job.state)) continue;
        await deps.store.remove(id);
        entries.delete(id);
      }
      await sweepInbox(
        deps.library.inboxDir,
        [...entries.values()].flatMap(({ run }) => run.job.paths),
      );
    },
    async close() {
      closing = true;
      for (const entry of entries.values()) {
        entry.abort.abort();
        entry.resumed?.resolve();
      }
      deps.perception.close();
      await working;
    },
  };
}
