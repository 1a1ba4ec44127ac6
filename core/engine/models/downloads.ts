import type { ModelTask } from '../../../models/catalogue/index.ts';
import type { ModelStore, Progress } from '../../../models/store/index.ts';
import { FootnoteError } from '../../contract/errors.ts';
import type { GetModel, ModelJob, ModelsNews } from '../../contract/models.ts';
import { Changes } from '../changes.ts';
import { modelFailure } from './failure.ts';

/** The one thing that is watched. */
const NEWS = 'news';
/** A source after another may fail; more than these nobody reads. */
const NOTES_MAX = 8;

interface Download {
  job: ModelJob;
  abort: AbortController;
  /** Settles, never with an error, when nothing of it runs any more. */
  done: Promise<void>;
}

export interface DownloadsOptions {
  store: ModelStore;
  /** A model has come; those who watch hear of it afterwards. */
  onCame(id: string, task: ModelTask): void;
}

/** Downloads of models: one a model, whoever and however many asked for it, going on when they stop listening. */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #downloads = new Map<string, Download>();
  readonly #changes = new Changes<ModelsNews>();
  #revision = 0;
  #closed = false;

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** Every download since the start, the last of each model. */
  jobs(): ModelJob[] {
    return [...this.#downloads.values()].map(({ job }) => job);
  }

  /** Tells those who watch that what is here has changed. */
  changed(): void {
    this.#revision += 1;
    this.#publish();
  }

  /**
   * Begins a download, or joins the one of this model that runs.
   * @param mend files that are here may be wrong: they are read through first
   * @throws FootnoteError NOT_FOUND for a model that is not in the catalogue; everything later is told by the job
   */
  async start({ id, from, repair }: GetModel, mend: boolean): Promise<ModelJob> {
    const { store } = this.#options;
    const where = from === undefined ? {} : { from };
    const plan = await store.plan(id, where).catch((error: unknown) => {
      throw modelFailure(error);
    });
    const running = this.#downloads.get(id);
    if (running?.job.state === 'running') return running.job;
    if (this.#closed) throw new FootnoteError('CANCELLED', 'Footnote is being closed.');
    const abort = new AbortController();
    const { title, hereBytes, bytes, hosts, neededBytes, freeBytes } = plan;
    const download: Download = {
      job: {
        id,
        title,
        state: 'running',
        stage: hosts.length > 0 ? 'downloading' : 'copying',
        file: null,
        source: null,
        doneBytes: hereBytes,
        totalBytes: bytes > 0 ? bytes : null,
        bytesPerSecond: null,
        secondsLeft: null,
        notes: [],
        error: null,
      },
      abort,
      done: Promise.resolve(),
    };
    this.#downloads.set(id, download);
    const got = store.get(id, {
      ...where,
      repair,
      mend,
      signal: abort.signal,
      onProgress: (progress) => this.#tell(download, progress),
    });
    download.done = got.then(
      ({ entry }) => {
        this.#options.onCame(id, entry.task);
        this.#end(download, { state: 'done' });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return this.#end(download, { state: 'cancelled' });
        const failure = modelFailure(error, { hosts, neededBytes, freeBytes });
        this.#end(download, {
          state: 'failed',
          error: { code: failure.code, message: failure.message, data: failure.data },
        });
      },
    );
    this.#publish();
    return download.job;
  }

  /** The last download of a model. @throws FootnoteError NOT_FOUND */
  job(id: string): ModelJob {
    const download = this.#downloads.get(id);
    if (!download) throw new FootnoteError('NOT_FOUND', 'No such model is being fetched.', { id });
    return download.job;
  }

  /** The download of a model now and at every change, until it has ended or the signal aborts. */
  async *follow(id: string, signal?: AbortSignal): AsyncGenerator<ModelJob, void, void> {
    const news = this.#changes.watch(NEWS, signal);
    let job = this.job(id);
    yield job;
    while (job.state === 'running') {
      if ((await news.next()).done) return;
      const now = this.#downloads.get(id)?.job;
      if (!now) return;
      if (now === job) continue;
      job = now;
      yield job;
    }
    await news.return(undefined);
  }

  /** All downloads now and at every change, until the signal aborts. */
  async *watch(signal?: AbortSignal): AsyncGenerator<ModelsNews, void, void> {
    const news = this.#changes.watch(NEWS, signal);
    yield this.#news();
    for await (const now of news) yield now;
  }

  /** Stops a download and waits until nothing of it is written any more; what has arrived stays. */
  async stop(id: string): Promise<void> {
    const download = this.#downloads.get(id);
    if (download?.job.state !== 'running') return;
    download.abort.abort();
    await download.done;
  }

  /** Forgets how the last download of a model went. */
  forget(id: string): void {
    this.#downloads.delete(id);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#downloads.keys()].map((id) => this.stop(id)));
  }

  #tell(download: Download, progress: Progress): void {
    const { phase, file, host, doneBytes, totalBytes, bytesPerSecond, secondsLeft, note } = progress;
    download.job = {
      ...download.job,
      stage: phase,
      file,
      source: host,
      doneBytes,
      totalBytes,
      bytesPerSecond,
      secondsLeft,
      notes: note === null ? download.job.notes : [...download.job.notes, note].slice(-NOTES_MAX),
    };
    this.#publish();
  }

  #end(download: Download, part: Pick<ModelJob, 'state'> & Partial<ModelJob>): void {
    const whole =
      part.state === 'done' ? { doneBytes: download.job.totalBytes ?? download.job.doneBytes } : {};
    download.job = {
      ...download.job,
      ...whole,
      bytesPerSecond: null,
      secondsLeft: null,
      source: null,
      ...part,
    };
    this.changed();
  }

  #news(): ModelsNews {
    return { revision: this.#revision, jobs: this.jobs() };
  }

  #publish(): void {
    this.#changes.publish(NEWS, this.#news());
  }
}
