import { randomBytes } from 'node:crypto';
import { Turns } from '../../models/turns.ts';
import { FootnoteError, toFootnoteError } from '../contract/errors.ts';
import type { Episode, RewriteJob, RewritePlan, RewriteRequest, RewriteScope } from '../contract/index.ts';
import type { Library } from '../library/library.ts';
import type { Memory } from '../memory/memory.ts';
import type { EpisodeWriter } from '../writing/episode-writer.ts';
import { observationOf } from '../writing/measured.ts';
import { chooseEpisodes, episodesOf } from './choose-episodes.ts';
import { rewritten, undone } from './former-text.ts';
import { keptFrames } from './kept-frames.ts';

/** Episodes are stored in batches: every write to the store makes a version of it. */
const BATCH_EPISODES = 10;
const BATCH_MS = 15_000;
/** How often it is looked whether an import has ended. */
const IMPORT_CHECK_MS = 250;
/** Episodes in a row that a writer could not write, after which it is not asked for more. */
const FAILURES_TO_GIVE_UP = 3;
/** Ended jobs that can still be looked at. */
const MOST_ENDED = 20;

export interface RewriterDeps {
  library: Library;
  memory: Memory;
  /**
   * The writer of an id of the catalogue, "measured", or null for the one in use.
   * @throws FootnoteError NOT_FOUND, MODEL_MISSING
   */
  writer(id: string | null): Promise<EpisodeWriter>;
  /** Whether an import is running: it goes first. */
  importing(): boolean;
  now(): number;
}

/** Has episodes written anew, one job at a time; the memory can be searched throughout. */
export interface Rewriter {
  /** @throws as `start`, but LIBRARY_BUSY */
  plan(request: RewriteRequest): Promise<RewritePlan>;
  /**
   * Begins; progress comes from `onChange`. What is by the writer already is passed over, so starting again goes on.
   * @throws FootnoteError LIBRARY_BUSY while another one runs, NOT_FOUND, MODEL_MISSING
   */
  start(request: RewriteRequest): Promise<RewriteJob>;
  list(): RewriteJob[];
  /** @throws FootnoteError NOT_FOUND */
  get(id: string): RewriteJob;
  /** Ends it; what is written stays. @throws FootnoteError NOT_FOUND */
  cancel(id: string): Promise<RewriteJob>;
  /** Gives the episodes of a scope the words back that they had before. @throws FootnoteError LIBRARY_BUSY while a job runs */
  undo(scope: RewriteScope): Promise<{ episodes: number }>;
  /** Does something to stored episodes while none is being replaced. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Stops and waits until nothing is written any more. */
  close(): Promise<void>;
}

interface Running {
  job: RewriteJob;
  abort: AbortController;
  ended: Promise<void>;
}

/** A stored episode and what it is to become. */
interface Replacement {
  before: Episode;
  after: Episode;
}

/** @param onChange called with the job at every change */
export function createRewriter(deps: RewriterDeps, onChange: (job: RewriteJob) => void): Rewriter {
  const { memory } = deps;
  const jobs = new Map<string, Running>();
  let current: Running | null = null;
  let closed = false;
  const turns = new Turns();

  function refuseWhileRunning(): void {
    if (current)
      throw new FootnoteError('LIBRARY_BUSY', 'Episodes are being rewritten. Let it end, or cancel it.');
  }

  function change(running: Running, part: Partial<RewriteJob>): void {
    Object.assign(running.job, part);
    onChange({ ...running.job });
  }

  /** Stores what is still as it was when it was read. What was forgotten, moved or named meanwhile is left alone. */
  function replace(batch: readonly Replacement[]): Promise<number> {
    return turns.take(async () => {
      const same: Episode[] = [];
      for (const { before, after } of batch) {
        const now = await memory.getEpisode(before.id);
        if (now && JSON.stringify(now) === JSON.stringify(before)) same.push(after);
      }
      if (same.length > 0) await memory.putEpisodes(same);
      return same.length;
    });
  }

  async function untilNoImport(running: Running): Promise<void> {
    const { signal } = running.abort;
    if (!deps.importing()) return;
    change(running, { state: 'waiting' });
    while (deps.importing() && !signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, IMPORT_CHECK_MS));
    }
    if (!signal.aborted) change(running, { state: 'running' });
  }

  /** @returns null when the writer failed, undefined when there is nothing (any more) that it could write from */
  async function write(
    id: string,
    writer: EpisodeWriter,
    signal: AbortSignal,
  ): Promise<Replacement | null | undefined> {
    const before = await memory.getEpisode(id);
    const observation = before && observationOf(before);
    const recording = before && (await memory.getRecording(before.recordingId));
    if (!observation || !recording) return undefined;
    const frames = writer.looks ? await keptFrames(deps.library, before, signal) : [];
    if (writer.looks && frames.length === 0) return undefined;
    const after = await writer.write(observation, recording, { frames, signal });
    // What the writer's own fallback wrote is no better than what is there.
    return after.writer.name === writer.name ? { before, after: rewritten(before, after, deps.now()) } : null;
  }

  async function run(running: Running, ids: readonly string[], writer: EpisodeWriter): Promise<void> {
    const { job, abort } = running;
    const { signal } = abort;
    let batch: Replacement[] = [];
    let since = performance.now();
    let failures = 0;
    let workedMs = 0;
    const flush = async () => {
      const ready = batch;
      batch = [];
      since = performance.now();
      const stored = await replace(ready);
      change(running, { rewritten: job.rewritten + stored, left: job.left + ready.length - stored });
    };
    try {
      for (const id of ids) {
        await untilNoImport(running);
        signal.throwIfAborted();
        const began = performance.now();
        const replacement = await write(id, writer, signal);
        workedMs += performance.now() - began;
        if (replacement) batch.push(replacement);
        if (replacement !== undefined) failures = replacement ? 0 : failures + 1;
        const done = job.done + 1;
        const secondsLeft = (workedMs / 1000 / done) * (job.total - done);
        change(running, { done, secondsLeft, left: job.left + (replacement ? 0 : 1) });
        if (failures === FAILURES_TO_GIVE_UP) {
          throw new FootnoteError(
            'MODEL_FAILED',
            `${writer.name} could not write ${FAILURES_TO_GIVE_UP} episodes in a row. Run footnote models verify, then start again: what is written stays.`,
          );
        }
        if (batch.length >= BATCH_EPISODES || performance.now() - since >= BATCH_MS) await flush();
      }
      await flush();
      // Once it is done, all of it is in the indexes.
      if (job.rewritten > 0) await memory.maintain();
      change(running, { state: 'done', secondsLeft: 0 });
    } catch (error) {
      await flush().catch(() => undefined);
      const known = toFootnoteError(error);
      if (signal.aborted) change(running, { state: 'cancelled', secondsLeft: null });
      else {
        const { code, message } = known;
        change(running, { state: 'failed', secondsLeft: null, error: { code, message } });
      }
    } finally {
      current = null;
    }
  }

  function find(id: string): Running {
    const running = jobs.get(id);
    if (!running) throw new FootnoteError('NOT_FOUND', 'There is no such rewrite.', { id });
    return running;
  }

  async function chosen({ scope, writer: id }: RewriteRequest) {
    const writer = await deps.writer(id);
    return { writer, ...(await chooseEpisodes(memory, scope, writer, id !== null)) };
  }

  return {
    plan: async (request) => (await chosen(request)).plan,
    async start(request) {
      refuseWhileRunning();
      const { writer, ids, plan } = await chosen(request);
      // Somebody else may have started one meanwhile.
      refuseWhileRunning();
      if (closed) throw new FootnoteError('CANCELLED', 'Footnote is being closed.');
      const job: RewriteJob = {
        id: `rewrite-${deps.now().toString(36)}-${randomBytes(3).toString('hex')}`,
        state: 'running',
        scope: request.scope,
        writer: plan.writer,
        startedAtMs: deps.now(),
        total: ids.length,
        done: 0,
        rewritten: 0,
        left: 0,
        secondsLeft: null,
        error: null,
      };
      const running: Running = { job, abort: new AbortController(), ended: Promise.resolve() };
      jobs.set(job.id, running);
      for (const old of [...jobs.keys()].slice(0, -MOST_ENDED)) jobs.delete(old);
      current = running;
      running.ended = run(running, ids, writer);
      return { ...job };
    },
    list: () => [...jobs.values()].map(({ job }) => ({ ...job })),
    get: (id) => ({ ...find(id).job }),
    async cancel(id) {
      const running = find(id);
      running.abort.abort();
      await running.ended;
      return { ...running.job };
    },
    async undo(scope) {
      refuseWhileRunning();
      let episodes = 0;
      for await (const page of episodesOf(memory, scope)) {
        const batch = page.flatMap((before) => {
          const after = undone(before);
          return after ? [{ before, after }] : [];
        });
        if (batch.length > 0) episodes += await replace(batch);
      }
      return { episodes };
    },
    exclusive: (work) => turns.take(work),
    async close() {
      closed = true;
      current?.abort.abort();
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
      await turns.idle();
    },
  };
}
