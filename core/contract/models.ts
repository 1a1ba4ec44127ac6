import { z } from 'zod';
import { ERROR_CODES } from './errors.ts';

/** What a model is for. */
export const ModelTask = z.enum([
  'writer',
  'speech',
  'text-embedding',
  'image-embedding',
  'entailment',
  'text-reading',
  'faces',
  'voice-activity',
  'speaker-embedding',
]);
export type ModelTask = z.infer<typeof ModelTask>;

/** Name of a model in the catalogue; also that of its folder. */
export const ModelId = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,79}$/);

/** A folder on this computer that a person typed. */
const LocalFolder = z.string().min(1).max(4096);

/**
 * How a model stands on this computer. `outdated`: fetched by an older catalogue. `damaged`: files are missing or not what was fetched.
 * `partial`: an unfinished download left something.
 */
export const ModelState = z.enum(['built-in', 'installed', 'outdated', 'damaged', 'partial', 'absent']);
export type ModelState = z.infer<typeof ModelState>;

/** Where a model can come from, as far as this computer knows without asking anybody. */
export const ModelOrigin = z.enum([
  /** Some or all of it from hosts or package registries. */
  'network',
  /** All of it lies in a folder that Footnote was told of, or is written by Footnote itself. */
  'folder',
  /** Only a folder that Footnote was not told of may have it. */
  'unknown-folder',
]);
export type ModelOrigin = z.infer<typeof ModelOrigin>;

export const ModelStage = z.enum([
  /** Another process is fetching the same model. */
  'waiting',
  'downloading',
  'copying',
  'checking',
  'installing',
]);
export type ModelStage = z.infer<typeof ModelStage>;

/**
 * What went wrong with a model. `data.hosts` names who was asked, `data.neededBytes` and `data.freeBytes` what the disk lacks.
 */
export const ModelFailure = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type ModelFailure = z.infer<typeof ModelFailure>;

/** One download, whoever asked for it; there is one a model. */
export const ModelJob = z.object({
  id: ModelId,
  title: z.string(),
  /** `cancelled` and `failed` keep what has arrived; the same call goes on from there. */
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  stage: ModelStage,
  /** File in work, as the catalogue names it. */
  file: z.string().nullable(),
  /** Host the bytes come from; null while none do. */
  source: z.string().nullable(),
  doneBytes: z.number().min(0),
  /** Null while it is not known. */
  totalBytes: z.number().min(0).nullable(),
  bytesPerSecond: z.number().min(0).nullable(),
  secondsLeft: z.number().min(0).nullable(),
  /** What a person should know of it, in order: a source that failed, a wrong file that was deleted. */
  notes: z.array(z.string()),
  error: ModelFailure.nullable(),
});
export type ModelJob = z.infer<typeof ModelJob>;

/** What a download would do, told before it is allowed. Made without any network. */
export const ModelPlan = z.object({
  id: ModelId,
  title: z.string(),
  licence: z.string(),
  /** Bytes the model takes; an estimate unless `exact`. */
  bytes: z.number().min(0),
  exact: z.boolean(),
  /** Bytes of it that an earlier try left. */
  hereBytes: z.number().min(0),
  /** Bytes that must be free on the disk, some to spare among them. */
  neededBytes: z.number().min(0),
  freeBytes: z.number().min(0),
  /** Hosts and registries that may be contacted, the first first; none when everything is on this computer. */
  hosts: z.array(z.string()),
  /** Files the catalogue knows no hash of: what comes is taken, and later downloads are held against it. */
  trustOnFirstUse: z.array(z.string()),
  /** Files that nobody offers here. */
  nowhere: z.array(z.string()),
});
export type ModelPlan = z.infer<typeof ModelPlan>;

/** One model of the catalogue and how it stands here. */
export const Model = z.object({
  id: ModelId,
  task: ModelTask,
  title: z.string(),
  state: ModelState,
  /** What is wrong with a damaged or outdated one; else null. */
  problem: z.string().nullable(),
  /** This is what does the task now. */
  used: z.boolean(),
  /** Footnote can put it to work; false: it can be fetched and is only kept. */
  supported: z.boolean(),
  bytes: z.number().min(0),
  exact: z.boolean(),
  /** Bytes on this computer. */
  bytesHere: z.number().min(0),
  /** SPDX id. */
  licence: z.string(),
  /** Memory it takes while at work, MB. */
  memoryMb: z.number().min(0),
  /** Codes as in BCP 47; "mul" for many, none where language does not matter. */
  languages: z.array(z.string()),
  /** What the person gets by it, in a sentence. */
  adds: z.string(),
  origin: ModelOrigin,
});
export type Model = z.infer<typeof Model>;

/** One task: what does it, and what could. */
export const ModelTaskView = z.object({
  task: ModelTask,
  /** Id of the model that does it; null when none does. */
  uses: ModelId.nullable(),
  /** Id of the model the person chose; null when it is left to Footnote. */
  chosen: ModelId.nullable(),
  /** Why a model that should be used is not; null when nothing is wrong. */
  problem: z.string().nullable(),
  /** What works while no model, or a lesser one, does it. */
  without: z.string(),
  /** Id of the model worth fetching next; null when it is here. */
  offer: ModelId.nullable(),
  /** Other models than the built-in one are put to work in this task. */
  takenUp: z.boolean(),
  models: z.array(Model),
});
export type ModelTaskView = z.infer<typeof ModelTaskView>;

/** All that is known of models here. */
export const ModelsOverview = z.object({
  /** Folder they are kept in. */
  dir: z.string(),
  /** Memory of this computer, MB. */
  computerMemoryMb: z.number().min(0),
  /** Bytes free on the disk of `dir`. */
  freeBytes: z.number().min(0),
  tasks: z.array(ModelTaskView),
  /** Downloads since the engine started, one a model. */
  jobs: z.array(ModelJob),
});
export type ModelsOverview = z.infer<typeof ModelsOverview>;

/** Told to whoever watches: the downloads, and how often what is here has changed. */
export const ModelsNews = z.object({ revision: z.number().int(), jobs: z.array(ModelJob) });
export type ModelsNews = z.infer<typeof ModelsNews>;

export const ModelVerdict = z.object({
  id: ModelId,
  ok: z.boolean(),
  /** What is wrong, a file each. */
  problems: z.array(z.string()),
  /** Every file was held against a hash of the catalogue; false: some against that of their first download. */
  pinned: z.boolean(),
});
export type ModelVerdict = z.infer<typeof ModelVerdict>;

export const GetModel = z.object({
  id: ModelId,
  /** A folder to take the files from before anywhere else. */
  from: LocalFolder.optional(),
  /** The person allows fetching damaged files of this model again later without being asked. */
  repair: z.boolean().default(true),
});
export type GetModel = z.infer<typeof GetModel>;

export const PlanModel = z.object({ id: ModelId, from: LocalFolder.optional() });
