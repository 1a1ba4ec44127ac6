import { describe, expect, it } from 'vitest';
import { readRecord } from './seen-record.ts';

const PARAGRAPH = 'I pour coffee into a white mug while Anna opens the window and talks about the train.';

describe('a model’s record of a paragraph', () => {
  it('is read whatever stands around it', () => {
    const json = '{"actions": ["pour coffee"], "objects": ["white mug", "window"], "topics": ["train"]}';
    const record = { actions: ['pour coffee'], objects: ['white mug', 'window'], topics: ['train'] };
    expect(readRecord(json, PARAGRAPH)).toEqual(record);
    expect(readRecord(`Here it is:\n\`\`\`json\n${json}\n\`\`\` Done.`, PARAGRAPH)).toEqual(record);
  });

  it('is repaired when it was cut, has loose commas or wrong types', () => {
    expect(
      readRecord('{"actions": ["pour coffee",], "objects": ["white mug", "win', PARAGRAPH),
    ).toMatchObject({
      actions: ['pour coffee'],
      objects: ['white mug'],
    });
    expect(readRecord('{"actions": "pour", "objects": ["window", 5, null]}', PARAGRAPH)).toMatchObject({
      actions: [],
      objects: ['window'],
    });
  });

  it('keeps only labels that the paragraph bears out', () => {
    expect(
      readRecord('{"objects": ["mugs", "red bicycle", "window"], "actions": ["pouring coffee"]}', PARAGRAPH),
    ).toEqual({ objects: ['mugs', 'window'], actions: ['pouring coffee'], topics: [] });
  });

  it('is none when the answer holds none', () => {
    for (const answer of [
      '',
      'I see a red cup.',
      '{',
      '{"objects": []}',
      '{"objects": ["bicycle"]}',
      '[]',
      '{"a": {',
    ]) {
      expect(readRecord(answer, PARAGRAPH)).toBeNull();
    }
  });
});
