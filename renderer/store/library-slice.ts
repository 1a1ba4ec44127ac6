import type { Recording } from '../../core/contract/recording.ts';
import type { Status } from '../../core/contract/router.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Slice } from './state.ts';

export type LibrarySlice = {
  status: Status | null;
  statusProblem: Problem | null;
  /** By id. */
  recordings: Record<string, Recording>;
  /** Reads the status and the recordings again. */
  loadLibrary: () => Promise<void>;
};

export const librarySlice: Slice<LibrarySlice> = (set, _get, { host }) => ({
  status: null,
  statusProblem: null,
  recordings: {},
  loadLibrary: async () => {
    try {
      const [status, recordings] = await Promise.all([host.client.status(), host.client.recordings.list()]);
      set({
        status,
        statusProblem: null,
        recordings: Object.fromEntries(recordings.map((recording) => [recording.id, recording])),
      });
    } catch (error) {
      set({ statusProblem: toProblem(error) });
    }
  },
});
