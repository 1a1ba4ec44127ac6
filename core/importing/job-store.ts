import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomic } from '../../models/durable-file.ts';
import { FileOutcome, ImportFile, ImportOptions, ImportState } from '../contract/index.ts';
import type { ImportPlan } from '../footage/plan.ts';
import { readJson } from '../library/files.ts';
import { KEPT_SPEECH, KeptSpeech } from '../perception/kept-speech.ts';
import type { Observation } from '../perception/observation.ts';

/** What is kept of an import on disk: enough to go on after a kill, and to show its summary later. */
export interface JobRecord {
  id: string;
  state: ImportState;
  paths: string[];
  options: ImportOptions;
  createdAtMs: number;
  /** The plan of recordings still to be read; null before scanning has ended and after the job has. */
  plan: ImportPlan['recordings'] | null;
  files: ImportFile[];
  error: { code: string; message: string } | null;
}

const StoredJob = z.looseObject({
  id: z.string(),
  state: ImportState,
  paths: z.array(z.string()),
  options: ImportOptions,
  createdAtMs: z.number(),
  plan: z.array(z.unknown()).nullable(),
  files: z.array(ImportFile.extend({ outcome: FileOutcome })),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export interface JobStore {
  save(job: JobRecord): Promise<void>;
  /** All jobs, oldest first; `damaged` names files that could not be read. */
  load(): Promise<{ jobs: JobRecord[]; damaged: string[] }>;
  remove(jobId: string): Promise<void>;
  /** Keeps an observation until its episode is stored. */
  keepObservation(jobId: string, observation: Observation): Promise<void>;
  keptObservations(jobId: string): Promise<Observation[]>;
  dropObservations(jobId: string, episodeIds: readonly string[]): Promise<void>;
  /** Removes temporary media files a kill left behind, keeping observations and what was heard. */
  sweepMedia(jobId: string): Promise<void>;
  /** Removes what was heard of a recording, the vectors of its voices included. */
  dropHeard(jobId: string, recordingId: string): Promise<void>;
  endWork(jobId: string): Promise<void>;
}

const OBSERVATION = '.observation.json';

/**
 * @param jobsDir folder of job records
 * @param workDir folder of a job's unfinished files
 */
export function createJobStore(jobsDir: string, workDir: (jobId: string) => string): JobStore {
  const jobPath = (id: string) => join(jobsDir, `${id}.json`);
  async function list(dir: string): Promise<string[]> {
    return readdir(dir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  }
  return {
    save: (job) => writeAtomic(jobPath(job.id), JSON.stringify(job)),
    async load() {
      const jobs: JobRecord[] = [];
      const damaged: string[] = [];
      for (const name of await list(jobsDir)) {
        if (!name.endsWith('.json')) continue;
        try {
          const parsed = StoredJob.parse(await readJson(join(jobsDir, name)));
          jobs.push(parsed as unknown as JobRecord);
        } catch {
          damaged.push(name);
        }
      }
      jobs.sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
      return { jobs, damaged };
    },
    remove: (jobId) => rm(jobPath(jobId), { force: true }),
    async keepObservation(jobId, observation) {
      await mkdir(workDir(jobId), { recursive: true, mode: 0o700 });
      await writeAtomic(
        join(workDir(jobId), observation.episodeId + OBSERVATION),
        JSON.stringify(observation),
      );
    },
    async keptObservations(jobId) {
      const kept: Observation[] = [];
      for (const name of (await list(workDir(jobId))).sort()) {
        if (!name.endsWith(OBSERVATION)) continue;
        // Written atomically: what is there is whole.
        kept.push(JSON.parse(await readFile(join(workDir(jobId), name), 'utf8')) as Observation);
      }
      return kept;
    },
    async dropObservations(jobId, episodeIds) {
      for (const id of episodeIds) await rm(join(workDir(jobId), id + OBSERVATION), { force: true });
    },
    async sweepMedia(jobId) {
      for (const name of await list(workDir(jobId))) {
        if (!name.endsWith(OBSERVATION) && !name.endsWith(KEPT_SPEECH))
          await rm(join(workDir(jobId), name), { recursive: true, force: true });
      }
    },
    dropHeard: (jobId, recordingId) => new KeptSpeech(workDir(jobId), recordingId).drop(),
    endWork: (jobId) => rm(workDir(jobId), { recursive: true, force: true }),
  };
}
