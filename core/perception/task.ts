import type { PlannedChapter } from '../footage/plan.ts';
import type { Observation } from './observation.ts';

/** One chapter's pass: everything perception needs to know, plain JSON. */
export interface PerceiveTask {
  recordingId: string;
  zone: string;
  chapter: PlannedChapter;
  /** Segment indexes still to be done, ascending; reading starts at the first. */
  segments: number[];
  keepSound: boolean;
  /** Folders for this recording's finished files, and one for unfinished ones on the same disk. */
  clipsDir: string;
  keyframesDir: string;
  workDir: string;
}

export interface PerceiveEvents {
  /** A segment is finished: its files are in place. Awaited before the next segment is emitted. */
  onSegment(observation: Observation): Promise<void>;
  /** Footage read so far within the chapter, ms; called a few times a second. */
  onProgress(doneMs: number): void;
}

export interface PerceiveControl {
  signal: AbortSignal;
  /** Resolves at once while running, and only after resume while paused. */
  untilResumed(): Promise<void>;
}
