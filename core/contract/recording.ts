import { z } from 'zod';

/** Milliseconds since the Unix epoch, UTC. Fractions of a millisecond are dropped at the edge. */
export const EpochMs = z.number().int();

/** IANA zone name ("Europe/Warsaw") or a fixed offset in luxon's form ("UTC+2", "UTC-5:30", "UTC"). */
export const Zone = z.string().min(1).max(64);

/** Id alphabet that is safe in file names, SQL filters and URLs. */
export const Id = z.string().regex(/^[a-z0-9][a-z0-9_-]{3,80}$/);

/** Who wore the camera: a person's name folded to an id, as `wearerId` gives it. */
export const Wearer = z.string().regex(/^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{M}\p{N}'_-]{0,39}$/u);

/** The wearer of everything that names none: most libraries are one person's. */
export const ME = 'me';

/** Whose a recording or an episode is. */
export function wearerOf(of: { wearer?: string | undefined }): string {
  return of.wearer ?? ME;
}

/** A name as a wearer's id ("Anna Maria" is anna-maria), or null when nothing of it can be one. */
export function wearerId(name: string): string | null {
  const id = name.normalize('NFC').trim().toLowerCase().replaceAll(/\s+/g, '-');
  return Wearer.safeParse(id).success ? id : null;
}

export const CameraFamily = z.enum(['gopro', 'dji', 'insta360', 'ray-ban-meta', 'phone', 'other']);
export type CameraFamily = z.infer<typeof CameraFamily>;

/** Where a recording's start time comes from, strongest first. */
export const ClockBasis = z.enum(['corrected', 'gps', 'creation_time', 'file_name', 'file_date']);
export type ClockBasis = z.infer<typeof ClockBasis>;

export const Clock = z.object({
  startMs: EpochMs,
  zone: Zone,
  basis: ClockBasis,
  /** True when the basis is weak (file date) or the camera's clock looks never set. */
  uncertain: z.boolean(),
  /** One plain sentence: what was read and how it was understood ("creation_time holds local time labelled UTC"). */
  note: z.string(),
});
export type Clock = z.infer<typeof Clock>;

/** One file of a take. A take without chapters has exactly one. */
export const Chapter = z.object({
  /** Content fingerprint, "f" + 24 hex digits; see core/footage/fingerprint. */
  id: Id,
  /** The camera's own chapter number, from 1. */
  number: z.number().int().min(1),
  path: z.string(),
  /** The camera's low-resolution copy, read in place of `path` when present. */
  proxyPath: z.string().nullable(),
  bytes: z.number().int().min(0),
  startMs: EpochMs,
  durationMs: z.number().int().min(0),
  /** Footage known to be missing before this chapter, ms; 0 when it follows on. */
  gapBeforeMs: z.number().int().min(0),
});
export type Chapter = z.infer<typeof Chapter>;

export const Recording = z.object({
  /** "r" + 24 hex digits, from the fingerprint of the first chapter that was imported. */
  id: Id,
  /** What a person calls it: the take's first file name without its ending. */
  name: z.string(),
  /** Who wore the camera; left out for the library's own person. */
  wearer: Wearer.optional(),
  family: CameraFamily,
  /** Camera model as the file tells it ("GoPro Max"), or null. */
  camera: z.string().nullable(),
  /** Identity of the take among its camera's files, by which late chapters find their recording. */
  takeKey: z.string(),
  startMs: EpochMs,
  endMs: EpochMs,
  clock: Clock,
  chapters: z.array(Chapter).min(1),
  hasSound: z.boolean(),
  /** Things a person should know: "one chapter is missing", "360 camera, flat view". */
  notes: z.array(z.string()),
  importedAtMs: EpochMs,
});
export type Recording = z.infer<typeof Recording>;
