import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from 'apache-arrow';
import { type Episode, wearerOf } from '../../contract/index.ts';
import { checkedVector, localDay } from '../rows.ts';
import { WEARER_COLUMN } from '../schema.ts';

/** Columns that filters use, each with a btree. */
export const PICTURE_FILTER_COLUMNS = ['id', 'episodeId', 'startMs', 'endMs'] as const;

/** One keyframe as the table holds it; the episode's own columns stand in each row, so that it is filtered before it is ranked. */
export interface PictureRow extends Record<string, unknown> {
  /** Episode id, "-", number of the keyframe. */
  id: string;
  episodeId: string;
  recordingId: string;
  wearer: string;
  day: string;
  startMs: number;
  endMs: number;
  /** Instant of the keyframe, epoch ms. */
  atMs: number;
  /** Number of the keyframe in its episode, from 0. */
  n: number;
  /** Null for one that could not be read, and in the single row of an episode without keyframes: looked at, nothing to find. */
  vector: number[] | null;
}

/**
 * Arrow schema of the pictures.
 * @param dims length of the image model's vectors
 */
export function picturesSchema(dims: number): Schema {
  return new Schema([
    new Field('id', new Utf8(), false),
    new Field('episodeId', new Utf8(), false),
    new Field('recordingId', new Utf8(), false),
    new Field(WEARER_COLUMN, new Utf8(), true),
    new Field('day', new Utf8(), false),
    new Field('startMs', new Float64(), false),
    new Field('endMs', new Float64(), false),
    new Field('atMs', new Float64(), false),
    new Field('n', new Float64(), false),
    new Field('vector', new FixedSizeList(dims, new Field('item', new Float32(), true)), true),
  ]);
}

/** Instants of an episode's rows: its keyframes', or its start where it has none. */
export function instantsOf(episode: Episode): number[] {
  return episode.keyframes.length > 0 ? episode.keyframes.map(({ atMs }) => atMs) : [episode.startMs];
}

/**
 * An episode's rows.
 * @param vectors one for each keyframe, null where there is none; empty for an episode without keyframes
 * @throws FootnoteError MODEL_FAILED for a vector that cannot be stored
 */
export function pictureRows(
  episode: Episode,
  vectors: readonly (Float32Array | null)[],
  dims: number,
): PictureRow[] {
  return instantsOf(episode).map((atMs, n) => {
    const vector = vectors[n] ?? null;
    return {
      id: `${episode.id}-${n}`,
      episodeId: episode.id,
      recordingId: episode.recordingId,
      wearer: wearerOf(episode),
      day: localDay(episode.startMs, episode.zone),
      startMs: episode.startMs,
      endMs: episode.endMs,
      atMs,
      n,
      vector: vector === null ? null : checkedVector(vector, dims, 'image'),
    };
  });
}

/** Which episode and keyframe a row's id stands for. */
export function pictureOfId(id: string): { episodeId: string; n: number } {
  const at = id.lastIndexOf('-');
  return { episodeId: id.slice(0, at), n: Number(id.slice(at + 1)) };
}
