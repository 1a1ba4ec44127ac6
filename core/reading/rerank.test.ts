import { describe, expect, it } from 'vitest';
import type { Episode, FoundEpisode } from '../contract/index.ts';
import { askedWords, rerank } from './rerank.ts';

const START = Date.parse('2026-03-02T09:00:00Z');

/** An episode of 30 s, `n` half minutes into the morning. */
function found(n: number, text: string, score: number, said?: string): FoundEpisode {
  const startMs = START + n * 30_000;
  const line = { startMs, endMs: startMs + 5_000, speaker: null, source: 'speech-sidecar', confidence: 1 };
  const episode = {
    id: `e${n}`,
    recordingId: 'r',
    chapterId: 'c',
    index: n,
    startMs,
    endMs: startMs + 30_000,
    zone: 'UTC',
    text,
    record: { transcript: said ? [{ ...line, text: said }] : [], visibleText: [], claims: [] },
  } as unknown as Episode;
  return { episode, score };
}

const bestOf = (question: string, all: FoundEpisode[], nextTo = false): string =>
  rerank(askedWords(question, nextTo), all).reduce((a, b) => (b.score > a.score ? b : a)).episode.id;

describe('askedWords', () => {
  it.each([
    ['When did I open the bin?', ['open', 'the', 'bin']],
    ['When did I do this: closing the bins?', ['close', 'the', 'bin']],
    ['What is it?', ['what', 'be', 'it']],
    ['', []],
  ])('%s', (question, words) => {
    expect(askedWords(question)).toEqual(words);
  });

  it('takes the act that something was after, but not where nothing is asked to be next to it', () => {
    expect(askedWords('What did I do right after I took the cup?', true)).toEqual(['take', 'the', 'cup']);
    expect(askedWords('Which film did Anna see after work?')[0]).toBe('film');
  });
});

describe('rerank', () => {
  it('prefers the act as it was asked for to the same words about another act', () => {
    const other = found(0, 'I take the plate out. I put the cup into the sink.', 1);
    const asked = found(1, 'I put the plate into the sink.', 0.8);
    expect(bestOf('When did I put the plate into the sink?', [other, asked])).toBe('e1');
  });

  it('leaves the order of the search where no word asked for occurs', () => {
    const all = [found(0, 'Rain on the roof.', 0.4), found(1, 'A long walk.', 0.9)];
    expect(bestOf('Where is my passport?', all)).toBe('e1');
  });

  it('lends an answer some of its question’s score, in conversation only', () => {
    const question = 'What did you do with the passport?';
    const talk = [
      found(0, 'x', 0.2, 'Good morning.'),
      found(3, 'x', 1, question),
      found(4, 'x', 0.2, 'It is in the blue drawer.'),
    ];
    const scores = rerank(askedWords('What about the passport?'), talk).map(({ score }) => score);
    expect(scores[2]).toBeGreaterThan(scores[0]!);
    const seen = [found(0, 'Rain.', 0.2), found(3, question, 1), found(4, 'A blue drawer.', 0.2)];
    const silent = rerank(askedWords('What about the passport?'), seen).map(({ score }) => score);
    expect(silent[2]).toBe(silent[0]);
  });

  it('keeps time order and scores in (0, 1], and tells whether the act opens or closes its episode', () => {
    const all = [
      found(0, 'I open the bin. I wash the cup.', 1),
      found(1, 'I wash the cup. I open the bin.', 0.5),
    ];
    const ranked = rerank(askedWords('What did I do after I open the bin?', true), all);
    expect(ranked.map(({ episode }) => episode.id)).toEqual(['e0', 'e1']);
    for (const { score } of ranked) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(ranked.map(({ wording }) => [wording.opens, wording.closes])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('takes nothing, and no words, as they are', () => {
    expect(rerank(['bin'], [])).toEqual([]);
    expect(rerank([], [found(0, 'I open the bin.', 0.5)])[0]?.score).toBeGreaterThan(0);
  });
});
