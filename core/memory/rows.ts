import { DateTime } from 'luxon';
import { Episode, FootnoteError, type Recording, wearerOf } from '../contract/index.ts';

/** How far from 1 the length of a stored vector may be. */
const UNIT_TOLERANCE = 1e-3;

/** One episode as the table holds it. */
export interface EpisodeRow extends Record<string, unknown> {
  id: string;
  recordingId: string;
  day: string;
  startMs: number;
  endMs: number;
  wearer: string;
  searchText: string;
  body: string;
  vector: number[] | null;
}

/** YYYY-MM-DD of an instant in a zone; the instant's UTC day when the zone is not one. */
export function localDay(ms: number, zone: string): string {
  const local = DateTime.fromMillis(ms, { zone });
  return (local.isValid ? local : DateTime.fromMillis(ms, { zone: 'UTC' })).toFormat('yyyy-MM-dd');
}

/**
 * An episode as a row.
 * @param vector the embedding of `searchText`, or null to have it embedded later
 */
export function episodeRow(episode: Episode, searchText: string, vector: number[] | null): EpisodeRow {
  return {
    id: episode.id,
    recordingId: episode.recordingId,
    day: localDay(episode.startMs, episode.zone),
    startMs: episode.startMs,
    endMs: episode.endMs,
    wearer: wearerOf(episode),
    searchText,
    body: JSON.stringify(episode),
    vector,
  };
}

/** The episode of a row's body. */
export function episodeOfBody(body: unknown): Episode {
  return JSON.parse(String(body)) as Episode;
}

/** The recording of a row's body. */
export function recordingOfBody(body: unknown): Recording {
  return JSON.parse(String(body)) as Recording;
}

/** Refuses an episode that the store could not find again (bad id, times that are no times). */
export function checkEpisode(episode: Episode): void {
  const parsed = Episode.safeParse(episode);
  const problem = parsed.success ? null : parsed.error.issues[0];
  if (problem) {
    throw new FootnoteError('BAD_REQUEST', `An episode cannot be stored: ${problem.message}.`, {
      field: problem.path.join('.'),
    });
  }
  if (episode.endMs < episode.startMs) {
    throw new FootnoteError('BAD_REQUEST', 'An episode cannot be stored: it ends before it starts.', {
      id: episode.id,
    });
  }
}

/**
 * A vector as the table takes it. The store itself accepts a vector of the wrong length (cut or padded) and an empty
 * one (after which every vector search fails), so nothing is written unchecked.
 * @throws FootnoteError MODEL_FAILED when the length is not `dims`, a number is not finite, or it is not of unit length
 */
export function checkedVector(
  vector: Float32Array | undefined,
  dims: number,
  model: 'text' | 'image' = 'text',
): number[] {
  if (vector?.length !== dims) {
    throw new FootnoteError('MODEL_FAILED', `The ${model} model gave a vector of the wrong length.`, {
      length: vector?.length ?? 0,
      dims,
    });
  }
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) {
    throw new FootnoteError('MODEL_FAILED', `The ${model} model gave a vector that is not of unit length.`, {
      length: String(length),
    });
  }
  return Array.from(vector);
}

/** Time order, ids breaking ties so that pages and answers never depend on the store's own order. */
export function byTime(
  a: { startMs: number; endMs: number; id: string },
  b: { startMs: number; endMs: number; id: string },
): number {
  return a.startMs - b.startMs || a.endMs - b.endMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
