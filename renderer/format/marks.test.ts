import { describe, expect, it } from 'vitest';
import { blocks, bound, pieces } from './marks.ts';

const known = new Set([1, 2]);

describe('an answer', () => {
  it('is text with marks, the space before a mark taken away', () => {
    expect(pieces('At 9:15 [1], then home [2].', known)).toEqual([
      { kind: 'text', text: 'At 9:15' },
      { kind: 'mark', number: 1 },
      { kind: 'text', text: ', then home' },
      { kind: 'mark', number: 2 },
      { kind: 'text', text: '.' },
    ]);
  });

  it('takes several numbers in one mark', () => {
    expect(pieces('Twice [1, 2]', known).slice(1)).toEqual([
      { kind: 'mark', number: 1 },
      { kind: 'mark', number: 2 },
    ]);
  });

  it('leaves a number that cites nothing as it stands', () => {
    expect(pieces('The sign read [7].', known)).toEqual([{ kind: 'text', text: 'The sign read [7].' }]);
  });

  it('never turns text into markup', () => {
    expect(pieces('<b>x</b>', known)).toEqual([{ kind: 'text', text: '<b>x</b>' }]);
  });

  it('gathers lines into paragraphs and lists', () => {
    const made = blocks('You went out.\n\n- the pharmacy [1]\n- the library [2]\nThen home.', known);
    expect(made.map((b) => b.kind)).toEqual(['paragraph', 'list', 'paragraph']);
    expect(made[1]).toMatchObject({
      items: [{ pieces: [{ text: 'the pharmacy' }, { number: 1 }] }, { pieces: [{}, {}] }],
    });
  });

  it('keeps each mark on the line of the word before it', () => {
    expect(bound(pieces('open until 20 [1][2], said [2]', known))).toEqual([
      'open until ',
      { word: '20', marks: [1, 2] },
      ', ',
      { word: 'said', marks: [2] },
    ]);
    expect(bound(pieces('[1] first', known))).toEqual([{ word: '', marks: [1] }, ' first']);
  });

  it('may be empty', () => expect(blocks('', known)).toEqual([]));
});
