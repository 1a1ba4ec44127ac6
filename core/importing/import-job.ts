import { access, rm } from 'node:fs/promises';
import { sep } from 'node:path';
import { FootnoteError, toFootnoteError } from '../contract/errors.ts';
import type { ImportFile, Recording } from '../contract/index.ts';
import type { PlannedRecording } from '../footage/plan.ts';
import { planImport } from '../footage/plan-import.ts';
import { moveEpisodes } from '../memory/move-episodes.ts';
import { cutSegments, episodeId } from '../segments/segments.ts';
import { type ChapterDeps, importChapter } from './chapter-import.ts';
import type { JobRecord } from './job-store.ts';
import { filesOfPlan } from './job-view.ts';
import { mergeRecording } from './merge-recording.ts';
import type { ProgressMeter } from './progress.ts';

export interface JobRun {
  job: JobRecord;
  meter: ProgressMeter;
  currentFile: string | null;
  signal: AbortSignal;
  untilResumed(): Promise<void>;
  onChange(): void;
}

export interface JobDeps extends ChapterDeps {
  computerZone: string;
}

/** Chapters whose every segment is stored: dropping them again adds nothing. */
async function completeChapters(
  deps: JobDeps,
  recordings: Recording[],
): Promise<Map<string, { recordingId: string; path: string }>> {
  const complete = new Map<string, { recordingId: string; path: string }>();
  for (const recording of recordings) {
    for (const chapter of recording.chapters) {
      const ids = cutSegments(chapter.durationMs).map((segment) => episodeId(chapter.id, segment.index));
      if ((await deps.memory.existing(ids)).size === ids.length) {
        complete.set(chapter.id, { recordingId: recording.id, path: chapter.path });
      }
    }
  }
  return complete;
}

async function scan(deps: JobDeps, run: JobRun): Promise<void> {
  const { job } = run;
  const knownRecordings = await deps.memory.listRecordings();
  const plan = await planImport(job.paths, {
    zone: job.options.zone,
    shiftMs: job.options.shiftMs,
    computerZone: deps.computerZone,
    knownChapters: await completeChapters(deps, knownRecordings),
    knownRecordings,
    signal: run.signal,
  });
  job.files = filesOfPlan(plan);
  job.plan = plan.recordings;
  // A pause that came during the scan holds.
  if (job.state === 'scanning') job.state = 'running';
  await deps.store.save(job);
}

function footageMs(job: JobRecord): { total: number; done: number } {
  let total = 0;
  let done = 0;
  for (const file of job.files) {
    if (file.footageSeconds === 0) continue;
    if (file.outcome === 'pending' || file.outcome === 'imported') {
      total += file.footageSeconds * 1000;
      done += file.doneSeconds * 1000;
    }
  }
  return { total, done };
}

function measure(deps: JobDeps, run: JobRun): void {
  const { total, done } = footageMs(run.job);
  run.meter.correctTotal(total);
  run.meter.update(deps.now(), done);
  run.onChange();
}

/** Stores the recording row before its first episode, and moves what a late chapter pushes along. */
async function putMerged(
  deps: JobDeps,
  planned: PlannedRecording,
  known: Recording | null,
  wearer: string | undefined,
): Promise<Recording> {
  const { recording, moved } = mergeRecording(planned, known, deps.now(), wearer);
  await deps.memory.putRecording(recording);
  for (const { chapterId, deltaMs } of moved) {
    await moveEpisodes(deps.memory, recording.id, { deltaMs, chapterId });
  }
  return recording;
}

async function shorten(
  deps: JobDeps,
  recording: Recording,
  chapterId: string,
  durationMs: number,
): Promise<void> {
  const chapters = recording.chapters.map((chapter) =>
    chapter.id === chapterId ? { ...chapter, durationMs } : chapter,
  );
  const last = chapters.at(-1)!;
  await deps.memory.putRecording({ ...recording, chapters, endMs: last.startMs + last.durationMs });
}

async function importOne(
  deps: JobDeps,
  run: JobRun,
  planned: PlannedRecording,
  chapter: PlannedRecording['chapters'][number],
  file: ImportFile,
  recordingId: string,
): Promise<void> {
  const { job } = run;
  const recording = await deps.memory.getRecording(recordingId);
  if (!recording) throw new FootnoteError('INTERNAL', 'The recording of this file is not in the library.');
  const placed = recording.chapters.find((other) => other.id === chapter.id) ?? chapter;
  file.stage = 'reading';
  file.recordingId = recordingId;
  run.currentFile = file.name;
  measure(deps, run);
  await access(chapter.path).catch(() => {
    throw new FootnoteError('FILE_MISSING', 'The file is no longer there. Put the card back in, then retry.');
  });
  const result = await importChapter(deps, {
    jobId: job.id,
    recording,
    chapter: { ...chapter, startMs: placed.startMs },
    keepSound: job.options.keepSound,
    file,
    signal: run.signal,
    onChange: () => measure(deps, run),
  });
  if (file.episodes === 0)
    throw new FootnoteError('FILE_UNREADABLE', 'No picture in this file could be read.');
  file.notes.push(...planned.notes.filter((note) => !file.notes.includes(note)), ...result.notes);
  if (result.decodedMs < chapter.durationMs - 1_000) {
    file.footageSeconds = result.decodedMs / 1000;
    await shorten(deps, recording, chapter.id, Math.round(result.decodedMs));
  }
  file.doneSeconds = file.footageSeconds;
  file.outcome = 'imported';
  file.stage = 'done';
}

async function dropIfEmpty(deps: JobDeps, recordingId: string): Promise<void> {
  const episodes = await deps.memory.episodesOfRecording(recordingId);
  if (episodes.length > 0) return;
  await deps.memory.deleteRecordings([recordingId]);
  for (const dir of [deps.library.clipsDir(recordingId), deps.library.keyframesDir(recordingId)]) {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Runs one import from wherever it is to its end. What one file holds never stops the next.
 * @throws FootnoteError DISK_FULL (the queue pauses the job) or CANCELLED; anything else is recorded with its file
 */
export async function runJob(deps: JobDeps, run: JobRun): Promise<void> {
  const { job } = run;
  await run.untilResumed();
  await deps.store.sweepMedia(job.id);
  if (job.plan === null) await scan(deps, run);
  measure(deps, run);
  for (const planned of job.plan ?? []) {
    const waiting = planned.chapters.filter((chapter) =>
      job.files.some((file) => file.path === chapter.path && file.outcome === 'pending'),
    );
    if (waiting.length === 0) continue;
    const known = await findKnown(deps, planned);
    const recording = await putMerged(deps, planned, known, job.options.wearer);
    for (const chapter of waiting) {
      const file = job.files.find((other) => other.path === chapter.path)!;
      await run.untilResumed();
      if (run.signal.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');
      try {
        await importOne(deps, run, planned, chapter, file, recording.id);
      } catch (error) {
        const known = toFootnoteError(error);
        if (known.code === 'CANCELLED' || known.code === 'DISK_FULL' || run.signal.aborted) throw known;
        // What was read before the fault stays and counts.
        file.outcome = file.episodes > 0 ? 'imported' : 'unreadable';
        file.stage = file.episodes > 0 ? 'done' : 'failed';
        file.code = known.code;
        file.reason = file.episodes > 0 ? `Only a part could be read: ${known.message}` : known.message;
        file.footageSeconds = file.episodes > 0 ? file.doneSeconds : 0;
      }
      await deps.store.save(job);
      measure(deps, run);
    }
    await deps.store.dropHeard(job.id, recording.id);
    await dropIfEmpty(deps, recording.id);
  }
  job.plan = null;
  job.state = 'done';
  run.currentFile = null;
  await endJob(deps, job);
  measure(deps, run);
}

async function findKnown(deps: JobDeps, planned: PlannedRecording): Promise<Recording | null> {
  if (planned.joins) {
    const joined = await deps.memory.getRecording(planned.joins);
    if (joined) return joined;
  }
  // After a kill the row may be there already, under the id of any of its chapters.
  const ids = new Set(planned.chapters.map((chapter) => chapter.id));
  const recordings = await deps.memory.listRecordings();
  return recordings.find((recording) => recording.chapters.some((chapter) => ids.has(chapter.id))) ?? null;
}

/** Clears what only an unfinished import needs, copies that a browser handed over included. */
export async function endJob(deps: JobDeps, job: JobRecord): Promise<void> {
  await deps.store.save(job);
  await deps.store.endWork(job.id);
  const inbox = deps.library.inboxDir + sep;
  for (const path of job.paths) {
    if (path.startsWith(inbox)) await rm(path, { recursive: true, force: true });
  }
  await deps.memory.maintain();
}
