import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from 'apache-arrow';
import { TEXT_COLUMN } from '../schema.ts';

const COMPRESSED = new Map([['lance-encoding:compression', 'zstd']]);

/** Arrow schema of the context views. @param dims length of the embedder's vectors */
export function viewsSchema(dims: number): Schema {
  return new Schema([
    new Field('id', new Utf8(), false),
    new Field('level', new Utf8(), false),
    new Field('wearer', new Utf8(), false),
    new Field('startMs', new Float64(), false),
    new Field('endMs', new Float64(), false),
    new Field(TEXT_COLUMN, new Utf8(), false, COMPRESSED),
    new Field('body', new Utf8(), false, COMPRESSED),
    new Field('vector', new FixedSizeList(dims, new Field('item', new Float32(), true)), true),
  ]);
}

/** Entities by the 3-minute windows in which they occur: the inverted index of the episodic graph. */
export function mentionsSchema(): Schema {
  return new Schema([
    new Field('key', new Utf8(), false),
    new Field('wearer', new Utf8(), false),
    new Field('windowMs', new Float64(), false),
    new Field('startMs', new Float64(), false),
    new Field('endMs', new Float64(), false),
    new Field('evidence', new Utf8(), false, COMPRESSED),
  ]);
}

/** Triplets by the 3-minute windows in which they were observed: what semantic facts are counted from. */
export function factsSchema(): Schema {
  return new Schema([
    new Field('subject', new Utf8(), false),
    new Field('verb', new Utf8(), false),
    new Field('object', new Utf8(), false),
    new Field('wearer', new Utf8(), false),
    new Field('day', new Utf8(), false),
    new Field('windowMs', new Float64(), false),
    new Field('startMs', new Float64(), false),
    new Field('endMs', new Float64(), false),
    new Field('evidence', new Utf8(), false, COMPRESSED),
  ]);
}

/** Columns with a btree, by table. */
export const CELL_INDEXES = {
  views: ['id', 'level', 'startMs', 'endMs'],
  mentions: ['key', 'windowMs'],
  facts: ['object', 'windowMs'],
} as const;
