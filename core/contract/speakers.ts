import { z } from 'zod';
import { Voice } from './episode.ts';
import { EpochMs, Id } from './recording.ts';

/** One voice of a recording that was told apart by its sound. */
export const Speaker = z.object({
  voice: Voice,
  /** As the person named it; null before. */
  name: z.string().nullable(),
  lines: z.number().int(),
  /** How long its lines are together. */
  seconds: z.number(),
  firstMs: EpochMs,
  /** Its longest line, to know it by. */
  example: z.string(),
});
export type Speaker = z.infer<typeof Speaker>;

/** Names a voice of a recording; null takes the name off. "me" is whoever wore the camera. */
export const NameSpeaker = z.object({
  id: Id,
  voice: Voice,
  name: z.string().trim().min(1).max(40).nullable(),
});
export type NameSpeaker = z.infer<typeof NameSpeaker>;
