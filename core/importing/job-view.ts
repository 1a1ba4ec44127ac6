import type { ImportFile, ImportJob } from '../contract/index.ts';
import type { FileVerdict, ImportPlan } from '../footage/plan.ts';
import type { JobRecord } from './job-store.ts';
import type { Progress } from './progress.ts';

/** One row for every file that was dropped; what is footage waits to be read. */
export function filesOfPlan(plan: ImportPlan): ImportFile[] {
  const seconds = new Map<string, number>();
  for (const recording of plan.recordings) {
    for (const chapter of recording.chapters) seconds.set(chapter.path, chapter.durationMs / 1000);
  }
  return plan.files.map((verdict: FileVerdict) => ({
    path: verdict.path,
    name: verdict.name,
    bytes: verdict.bytes,
    outcome: verdict.outcome,
    stage: verdict.outcome === 'pending' ? 'waiting' : verdict.outcome === 'unreadable' ? 'failed' : 'done',
    reason: verdict.reason,
    code: verdict.code,
    recordingId: null,
    footageSeconds: seconds.get(verdict.path) ?? 0,
    doneSeconds: 0,
    episodes: 0,
    notes: verdict.notes,
  }));
}

/** The job as people and programs see it: state, files, progress and counts by outcome. */
export function viewOfJob(job: JobRecord, progress: Progress, currentFile: string | null): ImportJob {
  const counts = {
    imported: 0,
    sidecar: 0,
    duplicate: 0,
    skipped: 0,
    unreadable: 0,
    cancelled: 0,
    pending: 0,
  };
  let episodes = 0;
  for (const file of job.files) {
    counts[file.outcome] += 1;
    episodes += file.episodes;
  }
  return {
    id: job.id,
    state: job.state,
    paths: job.paths,
    options: job.options,
    createdAtMs: job.createdAtMs,
    files: structuredClone(job.files),
    progress: { ...progress, currentFile },
    counts,
    episodes,
    error: job.error as ImportJob['error'],
  };
}
