import { implement, ORPCError, type RouterClient } from '@orpc/server';
import { FootnoteError, toFootnoteError } from '../contract/errors.ts';
import { contract, type ImportJob, ImportOptions } from '../contract/index.ts';
import { forget } from '../privacy/forget.ts';
import { makeSampleDay } from '../sample/make-sample-day.ts';
import { askStream } from './ask-stream.ts';
import { correctClock } from './correct-clock.ts';
import type { EngineParts } from './engine.ts';
import { listSpeakers, nameSpeaker } from './speakers.ts';
import { status } from './status.ts';

const ENDED = new Set<ImportJob['state']>(['done', 'cancelled', 'failed']);

/** A coded error keeps its code and data over every transport; anything else stays an internal error. */
function coded(error: unknown): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  const known = toFootnoteError(error);
  return new ORPCError(known.code, { message: known.message, data: known.data, cause: error });
}

function writable(parts: EngineParts): NonNullable<EngineParts['imports']> {
  return writing(parts).imports;
}

/** What writes to the library. */
function writing({ imports, rewriting }: EngineParts) {
  if (!imports || !rewriting) {
    throw new FootnoteError(
      'LIBRARY_BUSY',
      'The library is open for reading only: another Footnote is writing to it.',
    );
  }
  return { imports, rewriting };
}

/** Implements the contract over the engine's parts. */
export function createRouter(parts: EngineParts) {
  const os = implement(contract).use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw coded(error);
    }
  });
  const { memory, models } = parts;
  const nowOr = (ms: number | undefined) => Math.min(ms ?? parts.now(), parts.now());

  return os.router({
    status: os.status.handler(() => status(parts)),
    imports: {
      start: os.imports.start.handler(({ input }) =>
        writable(parts).start(input.paths, ImportOptions.parse(input.options)),
      ),
      list: os.imports.list.handler(() => parts.imports?.list() ?? []),
      get: os.imports.get.handler(({ input }) => writable(parts).get(input.id)),
      watch: os.imports.watch.handler(async function* ({ input, signal }) {
        const imports = writable(parts);
        // Subscribed before the first look, so that no change falls in between.
        const changes = parts.changes.watch(input.id, signal);
        let job = imports.get(input.id);
        yield job;
        while (!ENDED.has(job.state)) {
          const change = await changes.next();
          if (change.done) return;
          job = change.value;
          yield job;
        }
        await changes.return(undefined);
      }),
      pause: os.imports.pause.handler(({ input }) => writable(parts).pause(input.id)),
      resume: os.imports.resume.handler(({ input }) => writable(parts).resume(input.id)),
      cancel: os.imports.cancel.handler(({ input }) => writable(parts).cancel(input.id)),
      retry: os.imports.retry.handler(({ input }) => writable(parts).retry(input.id)),
    },
    sample: {
      start: os.sample.start.handler(async ({ signal }) => {
        const imports = writable(parts);
        await makeSampleDay(parts.library.sampleDir, signal ? { signal } : {});
        return imports.start([parts.library.sampleDir], ImportOptions.parse({}));
      }),
    },
    recordings: {
      list: os.recordings.list.handler(() => memory.listRecordings()),
      get: os.recordings.get.handler(async ({ input }) => {
        const recording = await memory.getRecording(input.id);
        if (!recording) throw new FootnoteError('NOT_FOUND', 'There is no such recording.', { id: input.id });
        return recording;
      }),
      correctClock: os.recordings.correctClock.handler(({ input }) =>
        writing(parts).rewriting.exclusive(() => correctClock(memory, input)),
      ),
      speakers: os.recordings.speakers.handler(({ input }) => listSpeakers(memory, input.id)),
      nameSpeaker: os.recordings.nameSpeaker.handler(({ input }) => {
        // What is still to be heard would not know of the name.
        if (writable(parts).busyRecordings().has(input.id)) {
          throw new FootnoteError(
            'LIBRARY_BUSY',
            'An import is writing to this recording. Let it end, then name its voices.',
          );
        }
        return writing(parts).rewriting.exclusive(() => nameSpeaker(memory, input));
      }),
    },
    timeline: {
      days: os.timeline.days.handler(() => memory.days()),
      day: os.timeline.day.handler(({ input }) => memory.episodesOfDay(input.day, input.after, input.limit)),
    },
    episodes: {
      get: os.episodes.get.handler(async ({ input }) => {
        const episode = await memory.getEpisode(input.id);
        if (!episode) throw new FootnoteError('NOT_FOUND', 'There is no such episode.', { id: input.id });
        return episode;
      }),
    },
    rewrite: {
      plan: os.rewrite.plan.handler(({ input }) => writing(parts).rewriting.plan(input)),
      start: os.rewrite.start.handler(({ input }) => writing(parts).rewriting.start(input)),
      list: os.rewrite.list.handler(() => parts.rewriting?.list() ?? []),
      watch: os.rewrite.watch.handler(({ input, signal }) =>
        writing(parts).rewriting.watch(input.id, signal),
      ),
      cancel: os.rewrite.cancel.handler(({ input }) => writing(parts).rewriting.cancel(input.id)),
      undo: os.rewrite.undo.handler(({ input }) => writing(parts).rewriting.undo(input.scope)),
    },
    memory: {
      search: os.memory.search.handler(({ input }) => memory.search({ ...input, nowMs: nowOr(input.nowMs) })),
      fetch: os.memory.fetch.handler(({ input }) => memory.fetch({ ...input, nowMs: nowOr(input.nowMs) })),
    },
    ask: os.ask.handler(async function* ({ input, signal }) {
      const reader = input.withoutModel ? parts.planner : await parts.readers.reader();
      yield* askStream(reader, input.question, {
        nowMs: input.atMs ?? parts.now(),
        zone: input.zone ?? parts.zone,
        ...(input.thread && { thread: input.thread }),
        ...(signal ? { signal } : {}),
      });
    }),
    readers: {
      list: os.readers.list.handler(() => parts.readers.list()),
      use: os.readers.use.handler(({ input }) => parts.readers.use(input)),
    },
    privacy: {
      forget: os.privacy.forget.handler(async ({ input }) => {
        const { imports, rewriting } = writing(parts);
        const busy = imports.busyRecordings();
        if (busy.size > 0 && (input.what !== 'recording' || busy.has(input.recordingId))) {
          throw new FootnoteError(
            'LIBRARY_BUSY',
            'An import is writing to this. Let it end or cancel it, then forget.',
          );
        }
        const { recordingIds, ...result } = await rewriting.exclusive(() =>
          forget(memory, parts.library, input),
        );
        await imports.forgetRecordings(new Set(recordingIds));
        if (input.what === 'everything') await imports.forgetAll();
        return result;
      }),
    },
    models: {
      list: os.models.list.handler(() => models.list()),
      plan: os.models.plan.handler(({ input }) => models.plan(input.id, input.from)),
      get: os.models.get.handler(({ input, signal }) => models.get(input, signal)),
      watch: os.models.watch.handler(({ signal }) => models.watch(signal)),
      cancel: os.models.cancel.handler(({ input }) => models.cancel(input.id)),
      verify: os.models.verify.handler(({ input, signal }) => models.verify(input.id, signal)),
      remove: os.models.remove.handler(({ input }) => models.remove(input.id)),
      use: os.models.use.handler(({ input }) => models.use(input.task, input.id)),
    },
  });
}

export type EngineClient = RouterClient<ReturnType<typeof createRouter>>;
