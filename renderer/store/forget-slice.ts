import { bytes } from '../format/amount.ts';
import { strings } from '../strings.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Slice } from './state.ts';
import type { Turn } from './thread-slice.ts';

/** What a person is being asked about before it goes. */
export type Forgetting =
  | { what: 'recording'; recordingId: string }
  | { what: 'episode'; episodeId: string }
  | { what: 'everything' };

export type ForgetSlice = {
  forgetting: Forgetting | null;
  forgetBusy: boolean;
  forgetProblem: Problem | null;
  /** What was forgotten last, in words; shown until the next page. */
  forgotten: string | null;
  askToForget: (what: Forgetting) => void;
  keep: () => void;
  /** Carries out what was asked. @returns true when it is gone */
  forget: () => Promise<boolean>;
  dismissForgotten: () => void;
};

function restsOn(turn: Turn, what: Forgetting): boolean {
  if (what.what === 'everything') return true;
  return (turn.answer?.footnotes ?? []).some((footnote) =>
    what.what === 'recording'
      ? footnote.recordingId === what.recordingId
      : footnote.episodeId === what.episodeId,
  );
}

export const forgetSlice: Slice<ForgetSlice> = (set, get, { host, locale }) => ({
  forgetting: null,
  forgetBusy: false,
  forgetProblem: null,
  forgotten: null,
  askToForget: (forgetting) => set({ forgetting, forgetProblem: null, forgotten: null }),
  keep: () => set({ forgetting: null, forgetProblem: null }),
  dismissForgotten: () => set({ forgotten: null }),
  forget: async () => {
    const { forgetting, forgetBusy } = get();
    if (!forgetting || forgetBusy) return false;
    set({ forgetBusy: true, forgetProblem: null });
    try {
      const result = await host.client.privacy.forget(
        forgetting.what === 'episode' ? { what: 'episodes', episodeIds: [forgetting.episodeId] } : forgetting,
      );
      const said = strings.forget.done(
        strings.episodes(result.episodes),
        strings.files(result.files),
        bytes(result.bytes, locale),
      );
      // Nothing that was forgotten may stay readable here: not the day's page, not search results, not answers quoting it.
      set((s) => ({
        forgetting: null,
        forgotten: said,
        dayPages: {},
        episodes: {},
        found: null,
        turns: s.turns.filter((turn) => !restsOn(turn, forgetting)),
        player: null,
      }));
      get().announce(said);
      await Promise.all([get().loadLibrary(), get().loadDays()]);
      return true;
    } catch (error) {
      set({ forgetProblem: toProblem(error) });
      return false;
    } finally {
      set({ forgetBusy: false });
    }
  },
});
