import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from 'apache-arrow';

/** Table of recordings; the table of episodes is named by the memory's manifest. */
export const RECORDINGS_TABLE = 'recordings';
export const FIRST_EPISODES_TABLE = 'episodes';

/** The column that full-text search reads. */
export const TEXT_COLUMN = 'searchText';

/** Columns that filters use, each with a btree once there are rows. */
export const FILTER_COLUMNS = ['id', 'recordingId', 'day', 'startMs', 'endMs'] as const;

/** Whose an episode is: a few values, so a bitmap. Tables of older libraries lack it until they are opened to be written. */
export const WEARER_COLUMN = 'wearer';

/** Whole rows as JSON are most of the bytes; the library's own block compression halves them. */
const COMPRESSED = new Map([['lance-encoding:compression', 'zstd']]);

/**
 * Arrow schema of the episodes. Times are Float64 epoch ms (exact to 2^53), because Int64 would come back as BigInt.
 * A null vector is a row that waits for its embedding: text search finds it, vector search leaves it out.
 * @param dims length of the embedder's vectors
 */
export function episodesSchema(dims: number): Schema {
  return new Schema([
    new Field('id', new Utf8(), false),
    new Field('recordingId', new Utf8(), false),
    new Field('day', new Utf8(), false),
    new Field('startMs', new Float64(), false),
    new Field('endMs', new Float64(), false),
    new Field(WEARER_COLUMN, new Utf8(), true),
    new Field(TEXT_COLUMN, new Utf8(), false, COMPRESSED),
    new Field('body', new Utf8(), false, COMPRESSED),
    new Field('vector', new FixedSizeList(dims, new Field('item', new Float32(), true)), true),
  ]);
}

/** Arrow schema of the recordings: few rows, read whole. */
export function recordingsSchema(): Schema {
  return new Schema([
    new Field('id', new Utf8(), false),
    new Field('startMs', new Float64(), false),
    new Field('body', new Utf8(), false, COMPRESSED),
  ]);
}
