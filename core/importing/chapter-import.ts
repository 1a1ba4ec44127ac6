import { mkdir, statfs } from 'node:fs/promises';
import { FootnoteError, toFootnoteError } from '../contract/errors.ts';
import type { Episode, ImportFile, Recording } from '../contract/index.ts';
import type { PlannedChapter } from '../footage/plan.ts';
import type { Library } from '../library/library.ts';
import type { Memory } from '../memory/memory.ts';
import type { Observation } from '../perception/observation.ts';
import type { FaceModel, SpeechModel, VoiceModel } from '../perception/task.ts';
import { cutSegments, episodeId } from '../segments/segments.ts';
import type { EpisodeWriter } from '../writing/episode-writer.ts';
import type { JobStore } from './job-store.ts';
import { keyframesOf } from './keyframes-of.ts';
import type { PassResult, PerceptionClient } from './perception-client.ts';
import type { PictureIndexer } from './picture-indexer.ts';

/** Episodes are stored in batches: every write to the store makes a version of it. */
const BATCH_SEGMENTS = 10;
const BATCH_MS = 15_000;
/** What a stored hour may take (clips 60 MB, keyframes and memory 20 MB), and what must stay free beyond it. */
const BYTES_PER_HOUR = 80e6;
const KEEP_FREE_BYTES = 200e6;
const HOUR_MS = 3_600_000;

export interface ChapterDeps {
  library: Library;
  store: JobStore;
  memory: Memory;
  /** The writer to use from now on; asked for once a chapter. */
  writer(): Promise<EpisodeWriter>;
  perception: PerceptionClient;
  /** The model that hears speech now; null when there is none. */
  speechModel(): Promise<{
    model: SpeechModel | null;
    /** Why it is not there though it should be; null when nothing is wrong. */
    problem: string | null;
  }>;
  /** The model that tells voices apart now; null when there is none. */
  voiceModel(): Promise<VoiceModel | null>;
  /** The fetched model that looks for faces now; null for the built-in one. */
  faceModel(): Promise<FaceModel | null>;
  /** Has keyframes looked at, where there is an image model. */
  pictures: Pick<PictureIndexer, 'add' | 'takeUp' | 'tend'>;
  /** A model could not be loaded: its files are looked at, and the next chapter is given what is whole. */
  modelFailed(name: string): Promise<void>;
  now(): number;
}

export interface ChapterImport {
  jobId: string;
  recording: Recording;
  chapter: PlannedChapter;
  keepSound: boolean;
  file: ImportFile;
  signal: AbortSignal;
  /** Called whenever `file` has changed. */
  onChange(): void;
}

/** A segment that was observed and has no episode yet. */
interface Unwritten {
  observation: Observation;
  /** Redacted JPEGs for a writer that looks; in memory only. */
  frames: Uint8Array[];
}

async function requireSpace(library: Library, durationMs: number): Promise<void> {
  const { bavail, bsize } = await statfs(library.root);
  const needed = (durationMs / HOUR_MS) * BYTES_PER_HOUR + KEEP_FREE_BYTES;
  if (bavail * bsize >= needed) return;
  throw new FootnoteError(
    'DISK_FULL',
    `The library's disk has too little room for the next file (about ${Math.ceil(needed / 1e6)} MB). Free some space, then resume. Do not erase the card yet.`,
    { neededBytes: Math.ceil(needed) },
  );
}

/** Letters of voices that stand in these episodes. */
function lettersOf(episodes: readonly Episode[]): string[] {
  const lines = episodes.flatMap(({ record }) => record.transcript);
  return [...new Set(lines.flatMap(({ voice }) => voice ?? []))];
}

/**
 * Reads one chapter and stores its episodes. Segments that are stored are not read again; segments that were observed
 * before a kill are only written.
 * @returns what could be decoded
 * @throws FootnoteError with the reason this chapter could not be read on
 */
export async function importChapter(deps: ChapterDeps, task: ChapterImport): Promise<PassResult> {
  const { library, store, memory, perception } = deps;
  const { recording, chapter, file, jobId } = task;
  const segments = cutSegments(chapter.durationMs);
  const ids = segments.map((segment) => episodeId(chapter.id, segment.index));
  const stored = await memory.existing(ids);
  file.episodes = stored.size;

  const writer = await deps.writer();
  await deps.pictures.takeUp();
  const looked: Promise<void>[] = [];
  let batch: Unwritten[] = [];
  let batchSince = deps.now();
  let flushed: Promise<void> = Promise.resolve();
  // A writer that looks takes longer over a segment than the store over a batch.
  const batchSize = writer.looks ? 1 : BATCH_SEGMENTS;
  /** One batch after the other: whoever waits for a flush waits for those before it. */
  function flush(): Promise<void> {
    flushed = flushed.catch(() => undefined).then(writeBatch);
    return flushed;
  }
  async function writeBatch(): Promise<void> {
    if (batch.length === 0) return;
    const unwritten = batch;
    batch = [];
    batchSince = deps.now();
    const episodes = await Promise.all(
      unwritten.map(({ observation, frames }) =>
        writer.write(observation, recording, { frames, hurry: task.signal }),
      ),
    );
    await memory.putEpisodes(
      recording.wearer === undefined
        ? episodes
        : episodes.map((episode) => ({ ...episode, wearer: recording.wearer })),
    );
    await store.dropObservations(
      jobId,
      unwritten.map(({ observation }) => observation.episodeId),
    );
    // Beside the import, which goes on reading; never its failure.
    looked.push(deps.pictures.add(episodes));
    for (const episode of episodes) stored.add(episode.id);
    file.episodes = stored.size;
    task.onChange();
  }

  const kept = (await store.keptObservations(jobId)).filter(
    (o) => o.chapterId === chapter.id && !stored.has(o.episodeId),
  );
  const keyframesDir = library.keyframesDir(recording.id);
  for (const observation of kept) {
    batch.push({ observation, frames: writer.looks ? await keyframesOf(observation, keyframesDir) : [] });
  }
  await flush();

  let decoded: PassResult = { decodedMs: chapter.durationMs, notes: [], unloaded: [] };
  const pending = () => segments.filter((_, i) => !stored.has(ids[i]!)).map((segment) => segment.index);
  const notes: string[] = [];
  const hearing = await deps.speechModel();
  let speech = hearing.model;
  if (!speech && hearing.problem) notes.push(`Speech is not recognised: ${hearing.problem}`);
  const voiceModel = speech && (await deps.voiceModel());
  const faces = await deps.faceModel();
  /** A process that died is given the same segment once more; then without speech; again means the footage is at fault. */
  let diedAt: number | null = null;
  while (pending().length > 0) {
    const todo = pending();
    file.doneSeconds = Math.max(file.doneSeconds, segments[todo[0]!]!.offsetMs / 1000);
    await requireSpace(library, chapter.durationMs);
    const clipsDir = library.clipsDir(recording.id);
    const workDir = library.workDir(jobId);
    for (const dir of [clipsDir, keyframesDir, workDir]) await mkdir(dir, { recursive: true, mode: 0o700 });
    try {
      decoded = await perception.perceive(
        {
          recordingId: recording.id,
          zone: recording.clock.zone,
          chapter,
          segments: todo,
          keepSound: task.keepSound,
          keepFrames: writer.looks,
          faces,
          speech,
          voices: voiceModel && {
            model: voiceModel,
            used: lettersOf(await memory.episodesOfRecording(recording.id)),
          },
          clipsDir,
          keyframesDir,
          workDir,
        },
        {
          async onSegment(observation, frames) {
            await store.keepObservation(jobId, observation);
            batch.push({ observation, frames });
            if (batch.length >= batchSize || deps.now() - batchSince >= BATCH_MS) await flush();
          },
          onProgress(doneMs) {
            file.doneSeconds = Math.max(file.doneSeconds, Math.min(doneMs, chapter.durationMs) / 1000);
            task.onChange();
          },
        },
        task.signal,
      );
      for (const model of decoded.unloaded) await deps.modelFailed(model);
      break;
    } catch (error) {
      const known = toFootnoteError(error);
      await flush();
      const next = pending()[0];
      if (known.code !== 'PERCEPTION_FAILED' || next === undefined) throw known;
      if (next === diedAt) {
        if (!speech) throw known;
        speech = null;
        notes.push(
          `From ${segments[next]!.offsetMs / 1000} s on speech was not recognised: it could not be heard twice.`,
        );
      }
      diedAt = next;
    }
  }
  await flush();
  // A file is done when its pictures can be found; whoever quits does not wait, the next start goes on with them.
  if (looked.length > 0) {
    const quit = new Promise<void>((resolve) => {
      if (task.signal.aborted) resolve();
      task.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([Promise.all(looked).then(() => deps.pictures.tend()), quit]);
  }
  return { ...decoded, notes: [...decoded.notes, ...notes] };
}
