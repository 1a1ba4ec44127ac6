import { createAppStore } from '../store/app-store.ts';
import { hashOf } from '../store/route-slice.ts';
import type { AppStore, Deps } from '../store/state.ts';
import { type FakeWorld, fakeHost } from './fake-host.ts';

/** A store over a made-up world, and the addresses it opened. */
export function makeStore(world: FakeWorld, deps: Partial<Deps> = {}): { store: AppStore; opened: string[] } {
  const opened: string[] = [];
  const store = createAppStore({
    host: fakeHost(world),
    now: () => Date.parse('2025-03-14T20:00:00Z'),
    goTo: (route) => opened.push(hashOf(route)),
    locale: 'en-GB',
    zone: 'Europe/Warsaw',
    ...deps,
  });
  return { store, opened };
}

/** Lets everything that is due happen. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
