import type { FoundEpisode } from '../../core/contract/reading.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Slice } from './state.ts';

/** The reader's own limit: more would not be in memory's best. */
const SEARCH_SHOWN = 32;

export type SearchSlice = {
  /** What the results belong to; null before the first search. */
  found: { query: string; episodes: FoundEpisode[] } | null;
  searching: boolean;
  searchProblem: Problem | null;
  /** Searches; a later search makes an earlier one's results void. */
  search: (query: string) => Promise<void>;
};

export const searchSlice: Slice<SearchSlice> = (set, _get, { host }) => {
  let running: AbortController | null = null;
  return {
    found: null,
    searching: false,
    searchProblem: null,
    search: async (query) => {
      running?.abort(new Error('replaced'));
      const words = query.trim();
      if (words === '') {
        running = null;
        set({ found: null, searching: false, searchProblem: null });
        return;
      }
      const mine = new AbortController();
      running = mine;
      set({ searching: true });
      try {
        const episodes = await host.client.memory.search(
          { query: words, topK: SEARCH_SHOWN },
          { signal: mine.signal },
        );
        if (running === mine)
          set({ found: { query: words, episodes }, searching: false, searchProblem: null });
      } catch (error) {
        if (running === mine) set({ searching: false, searchProblem: toProblem(error) });
      }
    },
  };
};
