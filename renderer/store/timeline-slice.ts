import type { Episode } from '../../core/contract/episode.ts';
import type { DaySummary } from '../../core/contract/router.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Slice } from './state.ts';

/** Episodes of one day as far as they were read, in time order. */
export type DayPage = { episodes: Episode[]; next: string | null; loading: boolean };

export type TimelineSlice = {
  /** Newest day first; null before they were read. */
  days: DaySummary[] | null;
  /** By day. */
  dayPages: Record<string, DayPage>;
  /** Episodes asked for singly, by id. */
  episodes: Record<string, Episode>;
  timelineProblem: Problem | null;
  /** Reads the list of days, and again whatever day is open. */
  loadDays: () => Promise<void>;
  /** Reads a day from its start. */
  loadDay: (day: string) => Promise<void>;
  /** Reads on where the day's page ended. */
  loadMore: (day: string) => Promise<void>;
  loadEpisode: (id: string) => Promise<void>;
};

const PAGE_SIZE = 200;

export const timelineSlice: Slice<TimelineSlice> = (set, get, { host }) => {
  const putDay = (day: string, page: DayPage) => set((s) => ({ dayPages: { ...s.dayPages, [day]: page } }));

  const readDay = async (day: string, after: string | null, before: Episode[]) => {
    const known = get().dayPages[day];
    putDay(day, { episodes: known?.episodes ?? [], next: known?.next ?? null, loading: true });
    try {
      const page = await host.client.timeline.day({ day, after, limit: PAGE_SIZE });
      putDay(day, { episodes: [...before, ...page.episodes], next: page.next, loading: false });
      set({ timelineProblem: null });
    } catch (error) {
      putDay(day, { episodes: before, next: known?.next ?? null, loading: false });
      set({ timelineProblem: toProblem(error) });
    }
  };

  return {
    days: null,
    dayPages: {},
    episodes: {},
    timelineProblem: null,

    loadDays: async () => {
      try {
        const days = [...(await host.client.timeline.days())].sort((a, b) => b.day.localeCompare(a.day));
        set({ days, timelineProblem: null });
      } catch (error) {
        set({ timelineProblem: toProblem(error) });
        return;
      }
      const { route } = get();
      if (route.page === 'days' && route.day) await readDay(route.day, null, []);
    },

    loadDay: (day) => readDay(day, null, []),

    loadMore: async (day) => {
      const page = get().dayPages[day];
      if (page?.next && !page.loading) await readDay(day, page.next, page.episodes);
    },

    loadEpisode: async (id) => {
      if (get().episodes[id]) return;
      try {
        const episode = await host.client.episodes.get({ id });
        set((s) => ({ episodes: { ...s.episodes, [id]: episode } }));
      } catch (error) {
        set({ timelineProblem: toProblem(error) });
      }
    },
  };
};
