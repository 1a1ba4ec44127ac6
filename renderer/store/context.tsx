import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { AppState, AppStore, Deps } from './state.ts';

export type World = { store: AppStore; deps: Deps };

/** The store and what it was made of; given once at the root. */
export const WorldContext = createContext<World | null>(null);

function useWorld(): World {
  const world = useContext(WorldContext);
  if (!world) throw new Error('Components need a WorldContext around them.');
  return world;
}

/** Picks from the store; the component is drawn again when what it picks changes. */
export function useApp<T>(pick: (state: AppState) => T): T {
  return useStore(useWorld().store, pick);
}

/** The host: media URLs, and whether this is a browser tab or the desktop window. */
export function useHost(): Deps['host'] {
  return useWorld().deps.host;
}

/** Locale and zone of this computer, for the format functions. */
export function usePlace(): { locale: string; zone: string } {
  return useWorld().deps;
}
