/** Every measure of one question, and what each of them means in words. */
import type { EvalEpisode, EvalQuestion } from '../set.ts';
import { allAt, anyAt, coverageAt, exactSet, overlapRecall, recallAt, type VideoSpan } from './retrieval.ts';

export const ANY_AT = [1, 5, 10, 32];
export const ALL_AT = [5, 32];
export const RECALL_AT = [5, 10];
export const BUDGETS_S = [150, 300, 600];
/** Results of one MemLife search; what a system without an agent counts as having returned. */
const RETURNED = 32;

/** A ranked item; times may be narrower than its episode's. Epoch ms. */
export interface RankedItem {
  episodeId: string;
  startMs: number;
  endMs: number;
}

/** Scores by measure; a measure that does not apply to the question is left out. */
export type Scores = Record<string, number>;

/** True when a ranking can be judged: the question has an answer and evidence for it. */
export const hasEvidence = (question: EvalQuestion): boolean =>
  !question.unanswerable && question.evidence.length > 0 && question.intervals.length > 0;

/**
 * Scores of one question.
 * @param ranked best first; an episode named again is passed over
 * @param chosen options, or null when none was chosen
 */
export function scoresOf(
  question: EvalQuestion,
  ranked: readonly RankedItem[],
  chosen: readonly number[] | null,
  episodes: ReadonlyMap<string, EvalEpisode>,
): Scores {
  const scores: Scores = {};
  if (hasEvidence(question)) {
    const seen = new Set<string>();
    const once = ranked.filter(({ episodeId }) => {
      const first = !seen.has(episodeId);
      seen.add(episodeId);
      return first;
    });
    const ids = once.map(({ episodeId }) => episodeId);
    const spans = once.map(
      ({ episodeId, startMs, endMs }): VideoSpan => ({
        video: episodes.get(episodeId)?.video ?? null,
        startMs,
        endMs,
      }),
    );
    for (const k of ANY_AT) scores[`any@${k}`] = anyAt(ids, question.evidence, k);
    for (const k of ALL_AT) scores[`all@${k}`] = allAt(ids, question.evidence, k);
    for (const k of RECALL_AT) scores[`R@${k}`] = recallAt(spans, question.intervals, k);
    for (const s of BUDGETS_S) scores[`C@${s}`] = coverageAt(spans, question.intervals, s);
    scores.recall = overlapRecall(spans.slice(0, RETURNED), question.intervals);
  }
  if (question.correct !== null) scores.accuracy = exactSet(chosen ?? [], question.correct);
  return scores;
}

/** What the report says of each measure. */
export const DEFINITIONS: readonly [string, string][] = [
  [
    'any@k',
    'share of questions with at least one evidence episode among the first k; with one annotated record this is EM²Mem’s strict event recall.',
  ],
  ['all@k', 'share of questions whose evidence episodes are all among the first k.'],
  [
    'R@k',
    'mean share of the evidence time that the first k episodes cover, all targets of a question together.',
  ],
  [
    'C@B',
    'mean share of the evidence time covered by the ranking within B seconds of video; the episode that crosses the budget keeps its beginning. Macro mean over questions.',
  ],
  [
    'recall',
    `MemLife’s recall: share of questions for which any of the first ${RETURNED} returned intervals overlaps an evidence interval of the same video.`,
  ],
  ['accuracy', 'share of multiple-choice questions for which exactly the right set of options was chosen.'],
  ['MB/h', 'size of what the system stores, in 10⁶ bytes an hour of the episodes’ time.'],
  ['s/question', 'wall time of retrieval and answer, loading and indexing left out.'],
  [
    'tokens/question',
    'tokens of all text a system reads or hands over for one question, estimated as a quarter of its characters.',
  ],
];
