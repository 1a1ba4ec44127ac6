/** Asks every system every question of a set and works out the measures. */
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import { FootnoteError } from '../contract/index.ts';

import { hasEvidence, type RankedItem, type Scores, scoresOf } from './metrics/question-scores.ts';
import { merged } from './metrics/retrieval.ts';
import { mcNemarOf, pairedBootstrap } from './metrics/significance.ts';
import { type AskedQuestion, asked, type EvalEpisode, type EvalQuestion, type EvalSet } from './set.ts';
import { chooseOptions, optionSupport } from './systems/options.ts';
import { HANDED_OVER, type Indexed, type Retrieved, type System } from './systems/system.ts';

/** Longest ranking that is judged: 600 s of the shortest usual episodes, and MemLife's fetch budget. */
const RANKED_MAX = 64;
/** Measures whose differences are tested. */
export const PAIRED = ['any@5', 'all@32', 'R@5', 'C@300', 'accuracy'] as const;

/** One question as one system answered it. */
export interface Outcome {
  question: EvalQuestion;
  ranked: RankedItem[];
  chosen: number[] | null;
  scores: Scores;
  seconds: number;
  tokens: number;
}

export interface SystemResult {
  name: string;
  about: string;
  outcomes: Outcome[];
  /** 10⁶ bytes of what is kept, an hour of the episodes' time; null when the episodes take no time. */
  megabytesPerHour: number | null;
  indexSeconds: number;
}

/** What the command prints of a system. */
export interface SystemFigures {
  name: string;
  metrics: Record<string, number>;
  secondsPerQuestion: number;
  tokensPerQuestion: number;
}

export interface Pair {
  a: string;
  b: string;
  metric: string;
  /** a's mean less b's. */
  difference: number;
  ci95: [number, number];
  p: number;
}

export interface RunOptions {
  systems: readonly System[];
  /** For the option scorer that systems share. */
  embedder: TextEmbedder;
  onProgress?: (line: string) => void;
}

function refuseLater(
  ranked: readonly RankedItem[],
  nowMs: number,
  system: string,
  episodes: Map<string, EvalEpisode>,
) {
  for (const { episodeId } of ranked) {
    const episode = episodes.get(episodeId);
    if (!episode || episode.endMs > nowMs)
      throw new FootnoteError(
        'INTERNAL',
        `The system ${system} returned an episode that ${episode ? 'had not ended when the question was asked' : 'its stream does not have'}.`,
      );
  }
}

async function choose(
  index: Indexed,
  question: AskedQuestion,
  retrieved: Retrieved,
  episodes: ReadonlyMap<string, EvalEpisode>,
  embedder: TextEmbedder,
): Promise<number[] | null> {
  if (question.choices.length === 0) return null;
  if (index.answer) return index.answer(question, retrieved);
  const evidence = retrieved.ranked
    .slice(0, HANDED_OVER)
    .map(({ episodeId }) => episodes.get(episodeId)!.text);
  return chooseOptions(await optionSupport(question, evidence, embedder), question.multiple);
}

/**
 * Runs systems over a set. A system gets streams and `asked(question)`, never more; what it ranks must have ended by the question.
 * @throws FootnoteError INTERNAL when a system breaks that rule
 */
export async function runSystems(set: EvalSet, options: RunOptions): Promise<SystemResult[]> {
  const results: SystemResult[] = [];
  const hours =
    merged(
      set.streams.flatMap(({ id, episodes }) =>
        episodes.map(({ video, startMs, endMs }) => ({ video: `${id}/${video ?? ''}`, startMs, endMs })),
      ),
    ).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 3_600_000;
  for (const system of options.systems) {
    const outcomes = new Map<string, Outcome>();
    let indexSeconds = 0;
    let bytes = 0;
    for (const stream of set.streams) {
      const questions = set.questions.filter((question) => question.stream === stream.id);
      if (questions.length === 0) continue;
      const episodes = new Map(stream.episodes.map((episode) => [episode.id, episode]));
      const begun = performance.now();
      const index = await system.index(stream);
      indexSeconds += (performance.now() - begun) / 1000;
      try {
        for (const question of questions) {
          const seen = asked(question);
          const started = performance.now();
          const retrieved = await index.retrieve(seen);
          refuseLater(retrieved.ranked, seen.nowMs, system.name, episodes);
          const chosen = await choose(index, seen, retrieved, episodes, options.embedder);
          const seconds = (performance.now() - started) / 1000;
          const ranked = retrieved.ranked.slice(0, RANKED_MAX);
          const scores = scoresOf(question, ranked, chosen, episodes);
          outcomes.set(question.id, { question, ranked, chosen, scores, seconds, tokens: retrieved.tokens });
        }
        bytes += await index.storedBytes();
      } finally {
        await index.close?.();
      }
    }
    // Questions about streams that are not there are missed by every system.
    for (const question of set.questions)
      if (!outcomes.has(question.id))
        outcomes.set(question.id, {
          question,
          ranked: [],
          chosen: null,
          scores: scoresOf(question, [], null, new Map()),
          seconds: 0,
          tokens: 0,
        });
    const result: SystemResult = {
      name: system.name,
      about: system.about,
      outcomes: set.questions.map(({ id }) => outcomes.get(id)!),
      megabytesPerHour: hours > 0 ? bytes / 1e6 / hours : null,
      indexSeconds,
    };
    results.push(result);
    options.onProgress?.(progressOf(result));
  }
  return results;
}

function progressOf(result: SystemResult): string {
  const { metrics, secondsPerQuestion } = figuresOf(result);
  const told = ['any@5', 'C@300', 'accuracy']
    .filter((name) => metrics[name] !== undefined)
    .map((name) => `${name} ${(100 * metrics[name]!).toFixed(1)}`);
  return `${result.name}: ${[...told, `${(1000 * secondsPerQuestion).toFixed(1)} ms a question`].join(', ')}`;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Means over the questions each measure applies to. */
export function meansOf(outcomes: readonly Outcome[]): Record<string, number> {
  const names = [...new Set(outcomes.flatMap(({ scores }) => Object.keys(scores)))];
  return Object.fromEntries(
    names.map((name) => [
      name,
      mean(outcomes.flatMap(({ scores }) => (scores[name] === undefined ? [] : [scores[name]]))),
    ]),
  );
}

/** A system's figures as the command prints them. */
export function figuresOf(result: SystemResult): SystemFigures {
  const storage = result.megabytesPerHour === null ? {} : { 'MB/h': result.megabytesPerHour };
  return {
    name: result.name,
    metrics: { ...meansOf(result.outcomes), ...storage },
    secondsPerQuestion: mean(result.outcomes.map(({ seconds }) => seconds)),
    tokensPerQuestion: mean(result.outcomes.map(({ tokens }) => tokens)),
  };
}

/** Every two systems on every measure of PAIRED that both have, each question paired with itself; a is the earlier of the two. */
export function pairsOf(results: readonly SystemResult[], seed: number): Pair[] {
  const pairs: Pair[] = [];
  for (const [n, a] of results.entries())
    for (const b of results.slice(n + 1))
      for (const metric of PAIRED) {
        const both = a.outcomes.flatMap(({ scores }, i) => {
          const [x, y] = [scores[metric], b.outcomes[i]!.scores[metric]];
          return x === undefined || y === undefined ? [] : [[x, y] as const];
        });
        if (both.length === 0) continue;
        const [x, y] = [both.map(([one]) => one), both.map(([, other]) => other)];
        pairs.push({
          a: a.name,
          b: b.name,
          metric,
          ...pairedBootstrap(x, y, { seed }),
          p: mcNemarOf(x, y),
        });
      }
  return pairs;
}

/** How many questions are judged by retrieval and by accuracy. */
export function countsOf(set: EvalSet): { asked: number; withEvidence: number; withOptions: number } {
  return {
    asked: set.questions.length,
    withEvidence: set.questions.filter(hasEvidence).length,
    withOptions: set.questions.filter(({ correct }) => correct !== null).length,
  };
}
