import type { ModelClient } from '../../models/client.ts';
import type { ModelStore } from '../../models/store/index.ts';
import { FootnoteError } from '../contract/errors.ts';
import type { RewriteJob, Status } from '../contract/index.ts';
import type { ImportQueue } from '../importing/import-queue.ts';
import type { Library } from '../library/library.ts';
import type { Memory } from '../memory/memory.ts';
import { verdictOn } from '../rewriting/choose-episodes.ts';
import { createRewriter, type Rewriter } from '../rewriting/rewriter.ts';
import type { EpisodeWriter } from '../writing/episode-writer.ts';
import { createMeasuredWriter } from '../writing/measured-writer.ts';
import { Changes } from './changes.ts';
import type { ModelCare } from './model-care.ts';
import { writerOf } from './vision-model.ts';

/** Name by which the writer that needs no model is asked for. */
const MEASURED = 'measured';
/** Episodes looked at to say how many could be better: reading a year's for a line in a list would take a minute. */
const LOOKED_AT = 4_000;
const ENDED = new Set<RewriteJob['state']>(['done', 'cancelled', 'failed']);

export interface RewritingDeps {
  library: Library;
  memory: Memory;
  imports: ImportQueue;
  store: ModelStore;
  care: ModelCare;
  /** The process that writes. */
  writing: Pick<ModelClient, 'describe'>;
  now(): number;
}

/** Rewriting as the engine offers it. */
export interface Rewriting extends Rewriter {
  /** The job now and at every change, until it ends. @throws FootnoteError NOT_FOUND */
  watch(id: string, signal?: AbortSignal): AsyncGenerator<RewriteJob, void, void>;
  /** What a better writer that is here could do; null when there is nothing to say. */
  check(): Promise<Status['checks'][number] | null>;
}

/** The writer of an id of the catalogue, "measured", or null for the one in use. */
async function writerBy(id: string | null, { store, care, writing }: RewritingDeps): Promise<EpisodeWriter> {
  if (id === MEASURED) return createMeasuredWriter();
  if (id === null) return writerOf(await care.ready('writer'), writing, care);
  const listed = (await store.list()).find(({ entry }) => entry.id === id && entry.task === 'writer');
  if (!listed) {
    throw new FootnoteError('NOT_FOUND', `There is no writer "${id}". footnote models list names them.`, {
      id,
    });
  }
  const { entry, state } = listed;
  if (state.state !== 'installed' && state.state !== 'built-in') {
    const message = `${entry.title} is not on this computer. To have it: footnote models get ${id}.`;
    throw new FootnoteError('MODEL_MISSING', message, { id });
  }
  const model = { id, title: entry.title, entry, folder: state.folder, builtIn: state.state === 'built-in' };
  const writer = writerOf({ ...(await store.locate('writer')), model }, writing, care);
  if (!writer.looks) {
    throw new FootnoteError(
      'MODEL_FAILED',
      `${entry.title} cannot be used. Run footnote models verify ${id}.`,
      { id },
    );
  }
  return writer;
}

export function openRewriting(deps: RewritingDeps): Rewriting {
  const changes = new Changes<RewriteJob>();
  const importing = () =>
    deps.imports.list().some(({ state }) => state === 'scanning' || state === 'running');
  const { library, memory, now } = deps;
  const rewriter = createRewriter(
    { library, memory, now, importing, writer: (id) => writerBy(id, deps) },
    (job) => changes.publish(job.id, job),
  );
  let counted: { key: string; check: Status['checks'][number] | null } | null = null;

  async function count(writer: EpisodeWriter): Promise<Status['checks'][number] | null> {
    let looked = 0;
    let better = 0;
    for (const { id } of (await memory.listRecordings()).reverse()) {
      if (looked >= LOOKED_AT) break;
      const episodes = await memory.episodesOfRecording(id);
      looked += episodes.length;
      better += episodes.filter((episode) => verdictOn(episode, writer, false) === 'rewrite').length;
    }
    if (better === 0) return null;
    const many =
      better === 1 ? '1 episode was' : `${looked >= LOOKED_AT ? 'at least ' : ''}${better} episodes were`;
    const detail = `${many} written by another writer than ${writer.name}; footnote rewrite upgrades them`;
    return { name: 'episodes to rewrite', ok: true, detail };
  }

  return {
    ...rewriter,
    async *watch(id, signal) {
      // Subscribed before the first look, so that no change falls in between.
      const news = changes.watch(id, signal);
      let job = rewriter.get(id);
      yield job;
      while (!ENDED.has(job.state)) {
        const change = await news.next();
        if (change.done) return;
        job = change.value;
        yield job;
      }
      await news.return(undefined);
    },
    async check() {
      // As it stands: reading some GB of a model through is for when it is about to write.
      const writer = writerOf(await deps.store.locate('writer'), deps.writing, deps.care);
      const { episodes } = await memory.count();
      const rewritten = rewriter.list().reduce((sum, job) => sum + job.rewritten, 0);
      const key = [writer.name, writer.version, episodes, rewritten].join(' ');
      if (counted?.key !== key) counted = { key, check: await count(writer) };
      return counted.check;
    },
  };
}
