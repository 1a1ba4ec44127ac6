import type { Slice } from './state.ts';

/** The footnote whose clip is open, and what had the focus before. */
export type Playing = { turnId: string; number: number; returnTo: string };

export type PlayerSlice = {
  player: Playing | null;
  /** Opens a footnote's clip. `returnTo` is the id of the element that gets the focus back at the end. */
  playFootnote: (turnId: string, number: number, returnTo: string) => void;
  /** Moves to another footnote of the same answer; the focus still returns to where it began. */
  playOther: (number: number) => void;
  closePlayer: () => void;
};

export const playerSlice: Slice<PlayerSlice> = (set) => ({
  player: null,
  playFootnote: (turnId, number, returnTo) => set({ player: { turnId, number, returnTo } }),
  playOther: (number) => set((s) => (s.player ? { player: { ...s.player, number } } : {})),
  closePlayer: () => set({ player: null }),
});
