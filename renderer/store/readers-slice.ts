import type { ReaderChoice, Readers } from '../../core/contract/readers.ts';
import { strings } from '../strings.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Slice } from './state.ts';

export type ReadersSlice = {
  /** Who answers and who could; null until it was asked for. */
  readers: Readers | null;
  readersProblem: Problem | null;
  loadReaders: () => Promise<void>;
  /** Who answers from now on. */
  chooseReader: (choice: ReaderChoice) => Promise<void>;
};

/** Two choices are the same reader. */
export const sameReader = (a: ReaderChoice, b: ReaderChoice): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export const readersSlice: Slice<ReadersSlice> = (set, get, { host }) => ({
  readers: null,
  readersProblem: null,
  loadReaders: async () => {
    try {
      set({ readers: await host.client.readers.list(), readersProblem: null });
    } catch (error) {
      set({ readersProblem: toProblem(error) });
    }
  },
  chooseReader: async (choice) => {
    const before = get().readers;
    // The mark moves at once, and back if the engine says no.
    if (before) set({ readers: { ...before, choice }, readersProblem: null });
    try {
      const readers = await host.client.readers.use(choice);
      set({ readers });
      const name = readers.offers.find((offer) => sameReader(offer.choice, readers.choice))?.name ?? '';
      get().announce(strings.readers.chosen(name));
    } catch (error) {
      set({ readers: before, readersProblem: toProblem(error) });
    }
  },
});
