import type { CameraFamily, Clock, ErrorCode, FileOutcome } from '../contract/index.ts';

/** What probing one file found; times in ms, sizes in px. */
export interface MediaInfo {
  path: string;
  durationMs: number;
  container: string;
  /** The picture to read, upright: `width` and `height` are as it is shown, with square pixels and after rotation. */
  video: {
    /** Stream index in the file, for ffmpeg's -map 0:INDEX. */
    index: number;
    codec: string;
    width: number;
    height: number;
    /** Degrees clockwise needed to show it upright: 0, 90, 180 or 270. */
    rotation: number;
    /** Average frames a second; 0 when unknown. */
    fps: number;
    pixelFormat: string;
    /** True for PQ or HLG transfer: needs tone mapping. */
    hdr: boolean;
  } | null;
  /** The sound to hear; null when there is none. */
  audio: { index: number; codec: string; sampleRate: number; channels: number } | null;
  /** Text subtitle streams. */
  subtitles: { index: number; codec: string; language: string | null }[];
  /** GoPro metadata stream (gpmd), by index; null when absent. */
  gpmdIndex: number | null;
  /** Container tags, lower-case keys. */
  tags: Record<string, string>;
}

export interface PlannedChapter {
  /** Content fingerprint of the original file. */
  id: string;
  number: number;
  path: string;
  proxyPath: string | null;
  bytes: number;
  startMs: number;
  durationMs: number;
  gapBeforeMs: number;
  /** Probe of the original: sound, subtitles, telemetry come from it. */
  media: MediaInfo;
  /** Probe of the file the picture is read from (the proxy when there is one). */
  picture: MediaInfo;
  /** Subtitle files beside it that hold speech. */
  subtitlePaths: string[];
}

export interface PlannedRecording {
  /** Id of an already imported recording that these chapters join; null for a new one. */
  joins: string | null;
  takeKey: string;
  name: string;
  family: CameraFamily;
  camera: string | null;
  clock: Clock;
  chapters: PlannedChapter[];
  hasSound: boolean;
  notes: string[];
}

/** What became of one dropped file at planning: 'pending' means it will be read. */
export interface FileVerdict {
  path: string;
  name: string;
  bytes: number;
  outcome: Extract<FileOutcome, 'pending' | 'sidecar' | 'duplicate' | 'skipped' | 'unreadable'>;
  reason: string | null;
  code: ErrorCode | null;
  notes: string[];
}

export interface ImportPlan {
  recordings: PlannedRecording[];
  /**
   * One entry for every file found under the dropped paths, in path order; also for one beside them that is read in a dropped
   * file's place or that there is something to say about.
   */
  files: FileVerdict[];
}
