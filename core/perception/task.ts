import type { VoiceFeatures } from '../../models/speakers/voice-embedder.ts';
import type { PlannedChapter } from '../footage/plan.ts';
import type { Observation } from './observation.ts';

/** The model that hears speech: a folder of a Whisper or Moonshine model in the layout of transformers.js. */
export interface SpeechModel {
  name: string;
  /** Kept with what it hears. */
  version: string;
  folder: string;
  /** Precision of its weights; null leaves it to the model's own settings. */
  dtype: string | null;
}

/** The model that tells voices apart. */
export interface VoiceModel {
  name: string;
  file: string;
  features: VoiceFeatures;
  /** Cosine from which two stretches of speech are taken for one voice. */
  sameVoice: number;
}

/** A fetched model that looks for faces. */
export interface FaceModel {
  name: string;
  file: string;
}

/** One chapter's pass: everything perception needs to know, plain JSON. */
export interface PerceiveTask {
  recordingId: string;
  zone: string;
  chapter: PlannedChapter;
  /** Segment indexes still to be done, ascending; reading starts at the first. */
  segments: number[];
  keepSound: boolean;
  /** Hears speech that no subtitle tells; null leaves it unheard. */
  speech: SpeechModel | null;
  /** Tells voices apart where speech is heard; null leaves lines without a speaker. `used`: letters given in this recording before. */
  voices: { model: VoiceModel; used: string[] } | null;
  /** Looks for faces; null for the built-in detector. */
  faces: FaceModel | null;
  /** The writer looks at frames: each segment's come with its observation. */
  keepFrames: boolean;
  /** Folders for this recording's finished files, and one for unfinished ones on the same disk. */
  clipsDir: string;
  keyframesDir: string;
  /** What was heard is kept here too, until the import has ended. */
  workDir: string;
}

export interface PerceiveEvents {
  /**
   * A segment is finished: its files are in place. Awaited before the next segment is emitted.
   * @param frames redacted, as JPEGs in time order; none unless the task keeps them
   */
  onSegment(observation: Observation, frames: Uint8Array[]): Promise<void>;
  /** Footage read so far within the chapter, ms; called a few times a second. */
  onProgress(doneMs: number): void;
}

export interface PerceiveControl {
  signal: AbortSignal;
  /** Resolves at once while running, and only after resume while paused. */
  untilResumed(): Promise<void>;
}
