import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { Episode, TimeSpan } from './episode.ts';
import { ImportJob, ImportOptions } from './importing.ts';
import {
  GetModel,
  ModelId,
  ModelJob,
  ModelPlan,
  ModelsNews,
  ModelsOverview,
  ModelTask,
  ModelVerdict,
  PlanModel,
} from './models.ts';
import { ReaderChoice, Readers } from './readers.ts';
import {
  Answer,
  AskEvent,
  FETCH_MAX,
  FetchQuery,
  FoundEpisode,
  SearchQuery,
  THREAD_MAX,
  ThreadTurn,
} from './reading.ts';
import { EpochMs, Id, Recording, Zone } from './recording.ts';
import { RewriteJob, RewritePlan, RewriteRequest, RewriteScope } from './rewriting.ts';
import { NameSpeaker, Speaker } from './speakers.ts';

/** What works and what does not, for the doctor, the first screen and error help. */
export const Status = z.object({
  version: z.string(),
  library: z.string(),
  readOnly: z.boolean(),
  recordings: z.number().int(),
  episodes: z.number().int(),
  /** Bytes on disk. */
  memoryBytes: z.number().int(),
  clipBytes: z.number().int(),
  keyframeBytes: z.number().int(),
  zone: Zone,
  checks: z.array(
    z.object({
      name: z.string(),
      ok: z.boolean(),
      /** What was found, or what is missing, what that costs and what to do. */
      detail: z.string(),
    }),
  ),
});
export type Status = z.infer<typeof Status>;

export const DaySummary = z.object({
  /** YYYY-MM-DD in the recordings' own zones. */
  day: z.string(),
  episodes: z.number().int(),
  recordings: z.number().int(),
  startMs: EpochMs,
  endMs: EpochMs,
  seconds: z.number(),
});
export type DaySummary = z.infer<typeof DaySummary>;

export const ForgetResult = z.object({
  episodes: z.number().int(),
  recordings: z.number().int(),
  files: z.number().int(),
  bytes: z.number().int(),
});
export type ForgetResult = z.infer<typeof ForgetResult>;

/** The one list of calls: preload, engine, CLI, tests and interface are all derived from it. */
export const contract = {
  status: oc.output(Status),
  imports: {
    /** Starts an import; progress comes from `watch`. */
    start: oc
      .input(
        z.object({ paths: z.array(z.string().min(1)).min(1), options: ImportOptions.partial().default({}) }),
      )
      .output(ImportJob),
    list: oc.output(z.array(ImportJob)),
    get: oc.input(z.object({ id: Id })).output(ImportJob),
    /** The job now and at every change (at most 5 a second), until it ends. */
    watch: oc.input(z.object({ id: Id })).output(eventIterator(ImportJob)),
    pause: oc.input(z.object({ id: Id })).output(ImportJob),
    resume: oc.input(z.object({ id: Id })).output(ImportJob),
    cancel: oc.input(z.object({ id: Id })).output(ImportJob),
    /** Tries the unreadable files of a job again, as a new job. */
    retry: oc.input(z.object({ id: Id })).output(ImportJob),
  },
  sample: {
    /** Makes the sample day and imports it. */
    start: oc.output(ImportJob),
  },
  recordings: {
    list: oc.output(z.array(Recording)),
    get: oc.input(z.object({ id: Id })).output(Recording),
    /** Moves a recording in time (and its episodes): a camera's clock was off. */
    correctClock: oc
      .input(z.object({ id: Id, shiftMs: z.number().int().default(0), zone: Zone.nullable().default(null) }))
      .output(Recording),
    /** Voices of a recording that were told apart, by letter. */
    speakers: oc.input(z.object({ id: Id })).output(z.array(Speaker)),
    /** Says who a voice of a recording is; its lines, and what is written and searched of them, follow. */
    nameSpeaker: oc.input(NameSpeaker).output(z.array(Speaker)),
  },
  timeline: {
    days: oc.output(z.array(DaySummary)),
    day: oc
      .input(
        z.object({
          day: z.iso.date(),
          /** Page after this episode id; null for the first page. */
          after: Id.nullable().default(null),
          limit: z.number().int().min(1).max(500).default(200),
        }),
      )
      .output(z.object({ episodes: z.array(Episode), next: Id.nullable() })),
  },
  episodes: {
    get: oc.input(z.object({ id: Id })).output(Episode),
  },
  rewrite: {
    /** What `start` would do. */
    plan: oc.input(RewriteRequest).output(RewritePlan),
    /**
     * Has episodes written anew by another writer, from what the library keeps; only after the person's yes. Former words are remembered.
     * Progress comes from `watch`; what is by the writer already is passed over, so starting again goes on.
     */
    start: oc.input(RewriteRequest).output(RewriteJob),
    list: oc.output(z.array(RewriteJob)),
    /** The job now and at every change (at most 5 a second), until it ends. */
    watch: oc.input(z.object({ id: Id })).output(eventIterator(RewriteJob)),
    /** Ends it; what is written stays. */
    cancel: oc.input(z.object({ id: Id })).output(RewriteJob),
    /** Gives episodes the words back that they had before their last rewrite. */
    undo: oc.input(z.object({ scope: RewriteScope })).output(z.object({ episodes: z.number().int() })),
  },
  memory: {
    search: oc.input(SearchQuery.partial({ nowMs: true })).output(z.array(FoundEpisode)),
    fetch: oc
      .input(FetchQuery.partial({ nowMs: true }))
      .output(z.object({ episodes: z.array(Episode).max(FETCH_MAX), more: z.number().int() })),
  },
  /** Streams the reader's steps, then the answer. */
  ask: oc
    .input(
      z.object({
        question: z.string().min(1).max(2000),
        atMs: EpochMs.optional(),
        zone: Zone.optional(),
        /** Earlier turns of the thread, oldest first; a follow-up ("and the day before?") is read with them. */
        thread: z.array(ThreadTurn).max(THREAD_MAX).optional(),
        /** Answers without a model whatever reader is chosen. */
        withoutModel: z.boolean().default(false),
      }),
    )
    .output(eventIterator(AskEvent)),
  readers: {
    /** The reader in use and those that can be had; language servers are looked for on this computer alone. */
    list: oc.output(Readers),
    /** Chooses the reader for every question from now on. */
    use: oc.input(ReaderChoice).output(Readers),
  },
  privacy: {
    /** Removes episodes with their text, vectors, keyframes and clips from disk. Originals are never touched. */
    forget: oc
      .input(
        z.discriminatedUnion('what', [
          z.object({ what: z.literal('recording'), recordingId: Id }),
          z.object({ what: z.literal('episodes'), episodeIds: z.array(Id).min(1) }),
          z.object({ what: z.literal('span'), span: TimeSpan }),
          z.object({ what: z.literal('everything') }),
        ]),
      )
      .output(ForgetResult),
  },
  models: {
    /** Every task, what does it, what could, and the downloads. Asks nobody outside this computer. */
    list: oc.output(ModelsOverview),
    /** What `get` would do: hosts, size, licence, room. Asks nobody outside this computer. */
    plan: oc.input(PlanModel).output(ModelPlan),
    /**
     * Fetches a model, or joins the download of it that runs; the only call that reaches for a network, so it is made after the
     * person's yes. Streams the download until it has ended, well or not. It goes on when nobody listens any more.
     */
    get: oc.input(GetModel).output(eventIterator(ModelJob)),
    /** All downloads now and at every change, until the caller ends it. */
    watch: oc.output(eventIterator(ModelsNews)),
    /** Stops a download; what has arrived is kept. */
    cancel: oc.input(z.object({ id: ModelId })).output(ModelJob),
    /** Reads all files of a model through. */
    verify: oc.input(z.object({ id: ModelId })).output(ModelVerdict),
    /** Removes a model, and what an unfinished download left of it. */
    remove: oc.input(z.object({ id: ModelId })).output(z.object({ bytes: z.number() })),
    /** Chooses the model of a task; null leaves it to Footnote. */
    use: oc.input(z.object({ task: ModelTask, id: ModelId.nullable() })).output(ModelsOverview),
  },
};

export { Answer };
