import { z } from 'zod';
import { ERROR_CODES } from './errors.ts';
import { EpochMs, Id, Wearer, Zone } from './recording.ts';

export const ImportOptions = z.object({
  /** Added to every start time of this import, ms; corrects a camera whose clock is off. */
  shiftMs: z.number().int().default(0),
  /** Zone of the camera; null derives it from GPS, else the computer's own. */
  zone: Zone.nullable().default(null),
  /** Keep the sound in the stored clips. Off unless the person says so. */
  keepSound: z.boolean().default(false),
  /** Who wore the camera; the library's own person when left out. */
  wearer: Wearer.optional(),
});
export type ImportOptions = z.infer<typeof ImportOptions>;

/** Every dropped file ends as exactly one of these. */
export const FileOutcome = z.enum([
  'imported',
  'sidecar',
  'duplicate',
  'skipped',
  'unreadable',
  'cancelled',
  'pending',
]);
export type FileOutcome = z.infer<typeof FileOutcome>;

export const FileStage = z.enum(['waiting', 'reading', 'writing', 'done', 'failed']);
export type FileStage = z.infer<typeof FileStage>;

export const ImportFile = z.object({
  path: z.string(),
  name: z.string(),
  bytes: z.number().int().min(0),
  outcome: FileOutcome,
  stage: FileStage,
  /** Why it was not imported, or what it is a sidecar or duplicate of, in plain words; null when imported. */
  reason: z.string().nullable(),
  code: z.enum(ERROR_CODES).nullable(),
  recordingId: Id.nullable(),
  /** Seconds of footage in it, and of these read so far; 0 for sidecars and the like. */
  footageSeconds: z.number().min(0),
  doneSeconds: z.number().min(0),
  episodes: z.number().int().min(0),
  /** Things a person should know about this file ("read from the camera's low-resolution copy"). */
  notes: z.array(z.string()),
});
export type ImportFile = z.infer<typeof ImportFile>;

export const ImportState = z.enum(['scanning', 'running', 'paused', 'done', 'cancelled', 'failed']);
export type ImportState = z.infer<typeof ImportState>;

export const ImportJob = z.object({
  id: Id,
  state: ImportState,
  paths: z.array(z.string()),
  options: ImportOptions,
  createdAtMs: EpochMs,
  files: z.array(ImportFile),
  progress: z.object({
    /** Footage seconds done of all. */
    doneSeconds: z.number(),
    totalSeconds: z.number(),
    /** Footage seconds read per second of wall time over the last minute; null before it is known. */
    speed: z.number().nullable(),
    /** Seconds left at that speed; null before it is known. */
    secondsLeft: z.number().nullable(),
    currentFile: z.string().nullable(),
  }),
  counts: z.object({
    imported: z.number().int(),
    sidecar: z.number().int(),
    duplicate: z.number().int(),
    skipped: z.number().int(),
    unreadable: z.number().int(),
    cancelled: z.number().int(),
    pending: z.number().int(),
  }),
  episodes: z.number().int(),
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }).nullable(),
});
export type ImportJob = z.infer<typeof ImportJob>;
