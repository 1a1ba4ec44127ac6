import { describe, expect, it } from 'vitest';
import { createMeasuredWriter } from './measured-writer.ts';
import { searchText } from './search-text.ts';
import { observed, said, shown } from './testing/observed.ts';

const write = (parts: Parameters<typeof observed>[0]) =>
  createMeasuredWriter().write(observed(parts), {
    name: 'GX010042',
    camera: null,
    family: 'gopro',
    notes: [],
  });

describe('the text that is searched', () => {
  it('binds paragraph, labels and the words of the day', async () => {
    const episode = await write({
      speech: [said('I put the keys into the green bowl.')],
      visibleText: [shown('PLATFORM 4')],
    });
    const text = searchText(episode);
    expect(text.startsWith(episode.text)).toBe(true);
    expect(text).toContain('Actions: put the keys.');
    expect(text).toContain('Objects: keys, green bowl.');
    expect(text).toContain('Scenes: station or airport.');
    expect(text).toContain('Entities: PLATFORM 4, PLATFORM.');
    expect(text).toMatch(/Friday, 14 March 2025, 08:15 in the morning\.$/);
  });

  it('holds every word of a transcript that the paragraph had to cut, and says nothing twice', async () => {
    const speech = Array.from({ length: 120 }, (_, i) =>
      said(`Remark ${i} is about the garden, its trees and its gate.`, i / 5),
    );
    const text = searchText(await write({ speech }));
    for (const line of speech) expect(text.split(line.text)).toHaveLength(2);
  });

  it('holds what was too doubtful for the paragraph', async () => {
    const text = searchText(
      await write({ visibleText: [shown('EXIT\nB7', 0.4)], speech: [said('Left?', 3, 'Anna', 0.2)] }),
    );
    expect(text).toContain('\nEXIT\nB7\n');
    expect(text).toContain('\nAnna: Left?\n');
  });
});
