import { describe, expect, it } from 'vitest';
import { letterOf, type SpokenPiece, VoiceTable, voiceOfLine } from './voices.ts';

/** Three voices at right angles to each other; `off` turns one towards the next. */
function piece(voice: 0 | 1 | 2, startMs: number, { ms = 2_000, off = 0 } = {}): SpokenPiece {
  const vector = [0, 0, 0];
  vector[voice] = Math.cos(off);
  vector[(voice + 1) % 3] = Math.sin(off);
  return { startMs, endMs: startMs + ms, vector };
}

describe('telling voices apart', () => {
  it('gives letters in the order in which voices first speak', () => {
    const { letters } = new VoiceTable(0.7).tell([
      piece(2, 0),
      piece(0, 3_000),
      piece(2, 6_000, { off: 0.2 }),
    ]);
    expect(letters).toEqual(['A', 'B', 'A']);
  });

  it('knows a voice again in a later segment, whoever speaks first there', () => {
    const table = new VoiceTable(0.7);
    table.tell([piece(0, 0), piece(1, 3_000)]);
    expect(table.tell([piece(1, 0, { off: 0.3 }), piece(2, 3_000), piece(0, 6_000)]).letters).toEqual([
      'B',
      'C',
      'A',
    ]);
  });

  it('goes on with the same letters from what another table learnt', () => {
    const first = new VoiceTable(0.7);
    const { heard } = first.tell([piece(0, 0), piece(1, 3_000, { off: 0.1 })]);
    const second = new VoiceTable(0.7);
    second.recall(JSON.parse(JSON.stringify(heard)));
    const next = [piece(2, 0), piece(1, 3_000), piece(0, 6_000)];
    expect(second.tell(next).letters).toEqual(first.tell(next).letters);
    expect(second.tell(next).letters).toEqual(['C', 'B', 'A']);
  });

  it('never gives a letter again whose voice it no longer knows', () => {
    const table = new VoiceTable(0.7, ['A', 'C']);
    expect(table.tell([piece(0, 0), piece(1, 3_000)]).letters).toEqual(['B', 'D']);
  });

  it('founds no voice on a word, and lets one join a voice it is like', () => {
    const short = { ms: 1_000 };
    const table = new VoiceTable(0.7);
    expect(table.tell([piece(0, 0), piece(1, 3_000, short)]).letters).toEqual(['A', null]);
    expect(table.tell([piece(0, 0, short)]).letters).toEqual(['A']);
    // Twice as much of it is enough.
    expect(table.tell([piece(1, 0, short), piece(1, 3_000, short)]).letters).toEqual(['B', 'B']);
  });

  it('keeps apart what is nearly alike', () => {
    // Cosine 0.69 of neighbours.
    const off = Math.acos(0.69);
    expect(new VoiceTable(0.7).tell([piece(0, 0), piece(0, 3_000, { off })]).letters).toEqual(['A', 'B']);
    expect(new VoiceTable(0.68).tell([piece(0, 0), piece(0, 3_000, { off })]).letters).toEqual(['A', 'A']);
  });

  it('tells nothing of no speech', () => {
    expect(new VoiceTable(0.7).tell([])).toEqual({ letters: [], heard: [] });
  });

  it('goes on after Z', () => {
    expect([0, 25, 26, 27, 51, 52, 701, 702].map(letterOf)).toEqual([
      'A',
      'Z',
      'AA',
      'AB',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
    ]);
  });
});

describe("a line's voice", () => {
  const line = { startMs: 1_000, endMs: 3_000 };
  it('is the one that speaks most of it', () => {
    const pieces = [
      { startMs: 0, endMs: 1_600, letter: 'A' },
      { startMs: 1_700, endMs: 4_000, letter: 'B' },
    ];
    expect(voiceOfLine(line, pieces)).toBe('B');
  });
  it('is nobody’s where nobody could be told', () => {
    expect(voiceOfLine(line, [{ startMs: 1_000, endMs: 3_000, letter: null }])).toBeNull();
    expect(voiceOfLine(line, [{ startMs: 3_000, endMs: 4_000, letter: 'A' }])).toBeNull();
    expect(voiceOfLine(line, [])).toBeNull();
  });
});
