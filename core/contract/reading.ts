import { z } from 'zod';
import { Episode, TimeSpan } from './episode.ts';
import { EpochMs, Id, Wearer, Zone } from './recording.ts';

/** MemLife reader budgets (method: paper section on the reader; 32 results a search, 64 entries a fetch). */
export const SEARCH_MAX = 32;
export const FETCH_MAX = 64;

export const SearchQuery = z.object({
  query: z.string().min(1).max(2000),
  /** Only episodes that overlap this span; null searches everything up to `nowMs`. */
  timeAnchor: TimeSpan.nullable().default(null),
  topK: z.number().int().min(1).max(SEARCH_MAX).default(SEARCH_MAX),
  /** The question's instant: nothing that ends after it is returned. */
  nowMs: EpochMs,
  /** Only what this person's camera saw; left out, everybody's. */
  wearer: Wearer.optional(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const FetchQuery = z.object({
  timeAnchor: TimeSpan,
  limit: z.number().int().min(1).max(FETCH_MAX).default(FETCH_MAX),
  nowMs: EpochMs,
  /** Only what this person's camera saw; left out, everybody's. */
  wearer: Wearer.optional(),
});
export type FetchQuery = z.infer<typeof FetchQuery>;

/**
 * An episode found by search; results come in time order whatever their score. Nearest rows always exist, so whether
 * something was found is told by `textScore` and `cosine`, not by `score`.
 */
export const FoundEpisode = z.object({
  episode: Episode,
  /** (0, 1], higher is better; compares results of one search only. */
  score: z.number(),
  /** Full-text relevance (BM25, from 0); null when no word of the query occurs in the episode. */
  textScore: z.number().nullable().optional(),
  /** Nearness of meaning, -1..1; null when it was not measured. Comparable between searches with the same embedder. */
  cosine: z.number().nullable().optional(),
  /**
   * How clearly a stored picture looks like what is asked for: 0 is what texts about nothing in the library reach at best, and each 1
   * more is once the spread of that. Comparable between searches, libraries and image models. Null when no picture was measured.
   */
  pictureScore: z.number().nullable().optional(),
  /** Instant of that picture, epoch ms; null with `pictureScore`. */
  pictureAtMs: EpochMs.nullable().optional(),
});
export type FoundEpisode = z.infer<typeof FoundEpisode>;

/** A citation of one episode in an answer. */
export const Footnote = z.object({
  /** From 1, in time order; the answer refers to it as [1]. */
  number: z.number().int().min(1),
  episodeId: Id,
  recordingId: Id,
  startMs: EpochMs,
  endMs: EpochMs,
  /** ISO 8601 with the recording's offset. */
  start: z.string(),
  end: z.string(),
  zone: z.string(),
  /** The words of the episode that the answer rests on. */
  text: z.string(),
  /** The instant the footnote points at, epoch ms, inside the episode. */
  atMs: EpochMs,
  /** Media id of the keyframe nearest to that instant; null when no pixels are stored. */
  keyframe: z.string().nullable(),
  /** Media id of the redacted clip; null when no pixels are stored. */
  clip: z.string().nullable(),
  /** Seconds into the clip at which the instant lies. */
  clipOffset: z.number().min(0),
});
export type Footnote = z.infer<typeof Footnote>;

export const ReaderStep = z.object({
  tool: z.enum(['search_memory', 'fetch_memory', 'fetch_video']),
  args: z.record(z.string(), z.unknown()),
  /** How many episodes came back. */
  returned: z.number().int(),
  /** What is being done, in words: "looking at Tuesday afternoon". */
  words: z.string(),
});
export type ReaderStep = z.infer<typeof ReaderStep>;

export const Answer = z.object({
  question: z.string(),
  /** The whole question a follow-up was read as; absent when it stood alone. */
  readAs: z.string().optional(),
  askedAtMs: EpochMs,
  /** Plain text; footnotes are marked [1], [2] … */
  answer: z.string(),
  /** False when nothing in the library supports an answer. */
  found: z.boolean(),
  footnotes: z.array(Footnote),
  steps: z.array(ReaderStep),
  /** Names and versions of whatever wrote the cited episodes. */
  writer: z.string(),
  /** Name and version of whatever read them and composed the answer. */
  reader: z.string(),
  seconds: z.number(),
});
export type Answer = z.infer<typeof Answer>;

/** Earlier turns that may be sent along with a question. */
export const THREAD_MAX = 10;

/** An earlier turn of a thread, which a follow-up question is read with. */
export const ThreadTurn = z.object({
  question: z.string().max(2000),
  answer: z.string().max(20_000),
  /** From its first footnote to its last, with their zone; null when nothing was found. "The day before" counts from here. */
  evidence: TimeSpan.extend({ zone: Zone }).nullish(),
});
export type ThreadTurn = z.infer<typeof ThreadTurn>;

/** What `ask` streams: each step as it is taken, sentences as they stand, then the whole answer. */
export const AskEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step'), step: ReaderStep }),
  /** One more sentence of the answer, with its marks; only what its evidence bears out is ever sent. */
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('answer'), answer: Answer }),
]);
export type AskEvent = z.infer<typeof AskEvent>;
