import type { ErrorCode } from '../contract/index.ts';
import type { Observation } from './observation.ts';
import type { PerceiveTask } from './task.ts';

/** Engine → perception process. One task at a time; `id` ties messages to it. */
export type ToPerception =
  | { type: 'perceive'; id: number; task: PerceiveTask }
  /** The observation is safe on disk: the next segment may come. */
  | { type: 'kept'; id: number; episodeId: string }
  | { type: 'pause' | 'resume' | 'cancel'; id: number };

/** Perception process → engine. */
export type FromPerception =
  /** `frames` are redacted JPEGs, and are never written to disk. */
  | { type: 'segment'; id: number; observation: Observation; frames: Uint8Array[] }
  | { type: 'progress'; id: number; doneMs: number }
  /** `unloaded`: names of models that could not be loaded. */
  | { type: 'done'; id: number; decodedMs: number; notes: string[]; unloaded: string[] }
  | { type: 'failed'; id: number; code: ErrorCode; message: string };
