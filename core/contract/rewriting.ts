import { z } from 'zod';
import { WriterName } from './episode.ts';
import { ERROR_CODES } from './errors.ts';
import { EpochMs, Id } from './recording.ts';

/** Which episodes are meant. */
export const RewriteScope = z.discriminatedUnion('what', [
  z.object({ what: z.literal('all') }),
  z.object({ what: z.literal('recording'), recordingId: Id }),
  z.object({ what: z.literal('day'), day: z.iso.date() }),
]);
export type RewriteScope = z.infer<typeof RewriteScope>;

export const RewriteRequest = z.object({
  scope: RewriteScope,
  /** Catalogue id of the model that is to write, or "measured" for the writer without a model; null for the one in use. */
  writer: z.string().min(1).max(80).nullable().default(null),
});
export type RewriteRequest = z.infer<typeof RewriteRequest>;

/** What a rewrite would do. */
export const RewritePlan = z.object({
  writer: WriterName,
  /** Episodes that would be written anew, and by whom they are written now. */
  episodes: z.number().int(),
  by: z.array(WriterName.extend({ episodes: z.number().int() })),
  /** Episodes that are by this writer already, or by a better one. */
  already: z.number().int(),
  /** Episodes that cannot be: no picture of them is kept for a writer that looks, or what was measured is not. */
  cannot: z.number().int(),
});
export type RewritePlan = z.infer<typeof RewritePlan>;

export const RewriteJob = z.object({
  id: Id,
  /** `waiting`: an import goes first. */
  state: z.enum(['running', 'waiting', 'done', 'cancelled', 'failed']),
  scope: RewriteScope,
  writer: WriterName,
  startedAtMs: EpochMs,
  /** Episodes to be written, and those dealt with so far. */
  total: z.number().int(),
  done: z.number().int(),
  /** Of these: written anew and stored; left as they were, for the writer failed, no picture could be read, or they changed meanwhile. */
  rewritten: z.number().int(),
  left: z.number().int(),
  /** Seconds left at the pace so far; null before it is known. */
  secondsLeft: z.number().nullable(),
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }).nullable(),
});
export type RewriteJob = z.infer<typeof RewriteJob>;
