import { describe, expect, it } from 'vitest';
import { phrasesOf } from './phrases.ts';

describe('phrases of a spoken line', () => {
  it.each([
    ['I am leaving my keys next to the red mug.', 'am leaving my keys'],
    ["I'm going to fix the login bug tomorrow.", 'going to fix the login bug'],
    ['I must not forget the yellow umbrella at the office.', 'must not forget the yellow umbrella'],
    ['I am Eileen.', null],
    ['Nice to meet you, I am Eileen.', null],
    ['You should read this, it is the best book I read this year.', null],
    ['She put the keys into the bowl.', null],
    ['I said that Anna took the car.', null],
  ])('%j tells of doing: %j', (line, action) => {
    expect(phrasesOf(line)[0]?.action ?? null).toBe(action);
  });

  it('names things with their adjectives, a set for each sentence', () => {
    expect(
      phrasesOf('The green bowl is by the front door. I need vitamin D.').map(({ things }) => things),
    ).toEqual([['green bowl', 'front door'], ['vitamin D']]);
  });

  it('names people and places', () => {
    expect(phrasesOf('Anna Kowalska lives on Mill Street.')[0]!.names).toEqual([
      'Anna Kowalska',
      'Mill Street',
    ]);
  });

  it('makes nothing of nothing', () => {
    expect(phrasesOf('').flatMap(({ things, names }) => [...things, ...names])).toEqual([]);
    expect(phrasesOf('… !?').flatMap(({ things, names }) => [...things, ...names])).toEqual([]);
  });
});
