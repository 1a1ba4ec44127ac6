/** The reader's two tools with their budgets: every call is a step that is told as it is taken (MemLife's search and fetch). */
import {
  type Episode,
  FETCH_MAX,
  FootnoteError,
  type ReaderStep,
  SEARCH_MAX,
  type TimeSpan,
} from '../contract/index.ts';
import type { MemoryReader } from '../memory/memory.ts';
import type { AskOptions } from './reader.ts';
import { askedWords, type Reranked, type RerankParts, rerank } from './rerank.ts';
import { saySpan } from './say-time.ts';

/** MemLife: at most 10 rounds a question. */
export const ROUNDS_MAX = 10;

export interface Look {
  readonly steps: readonly ReaderStep[];
  /** Ids of every episode that came back. */
  readonly seen: ReadonlySet<string>;
  roundsLeft(): number;
  /**
   * In time order, with the scores of rerank.ts.
   * @param topK at most this many, up to SEARCH_MAX
   * @param asked words in the order in which they are asked for; those of the query when left out
   */
  search(
    query: string,
    span: TimeSpan | null,
    part?: string | null,
    topK?: number,
    asked?: readonly string[],
  ): Promise<Reranked[]>;
  /** The earliest episodes of a span; `more` counts those left out. */
  fetch(
    span: TimeSpan,
    limit?: number,
    part?: string | null,
    tool?: 'fetch_memory' | 'fetch_video',
  ): Promise<{ episodes: Episode[]; more: number }>;
}

/** The best of what was found, in time order still. */
function bestOf(found: readonly Reranked[], topK: number): Reranked[] {
  if (found.length <= topK) return [...found];
  const best = new Set([...found].sort((a, b) => b.score - a.score).slice(0, topK));
  return found.filter((one) => best.has(one));
}

/**
 * Binds the tools to one question: its instant, its budget, its steps. Past the budget they return nothing.
 * @param parts of the reranking, to measure what each brings
 */
export function lookFor(memory: MemoryReader, options: AskOptions, parts?: RerankParts): Look {
  const steps: ReaderStep[] = [];
  const seen = new Set<string>();
  const alive = (): void => {
    if (options.signal?.aborted) throw new FootnoteError('CANCELLED', 'The question was cancelled.');
  };
  const took = (step: ReaderStep): void => {
    alive();
    steps.push(step);
    options.onStep?.(step);
  };
  const clip = (span: TimeSpan): TimeSpan => ({
    startMs: Math.round(span.startMs),
    endMs: Math.round(Math.min(span.endMs, options.nowMs)),
  });
  return {
    steps,
    seen,
    roundsLeft: () => ROUNDS_MAX - steps.length,
    async search(query, span, part = null, topK = SEARCH_MAX, asked = askedWords(query)) {
      alive();
      if (steps.length >= ROUNDS_MAX) return [];
      const timeAnchor = span && clip(span);
      if (timeAnchor && timeAnchor.startMs >= timeAnchor.endMs) return [];
      const args = { query: query.slice(0, 2000), timeAnchor, topK };
      const all = await memory.search({ ...args, topK: SEARCH_MAX, nowMs: options.nowMs });
      const found = bestOf(rerank(asked, all, parts), topK);
      for (const { episode } of found) seen.add(episode.id);
      took({
        tool: 'search_memory',
        args,
        returned: found.length,
        words: `searching ${timeAnchor ? saySpan(timeAnchor, options, part) : 'everything so far'} for “${query}”`,
      });
      return found;
    },
    async fetch(span, limit = FETCH_MAX, part = null, tool = 'fetch_memory') {
      alive();
      const timeAnchor = clip(span);
      if (steps.length >= ROUNDS_MAX || timeAnchor.startMs >= timeAnchor.endMs)
        return { episodes: [], more: 0 };
      const args = { timeAnchor, limit };
      const result = await memory.fetch({ ...args, nowMs: options.nowMs });
      for (const episode of result.episodes) seen.add(episode.id);
      took({
        tool,
        args,
        returned: result.episodes.length,
        words: `${tool === 'fetch_video' ? 'watching' : 'looking at'} ${saySpan(timeAnchor, options, part)}`,
      });
      return result;
    },
  };
}
