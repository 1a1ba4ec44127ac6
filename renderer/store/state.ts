import type { StoreApi } from 'zustand/vanilla';
import type { Host } from '../host.ts';
import type { ConnectionSlice } from './connection-slice.ts';
import type { ForgetSlice } from './forget-slice.ts';
import type { ImportsSlice } from './imports-slice.ts';
import type { LibrarySlice } from './library-slice.ts';
import type { ModelsSlice } from './models-slice.ts';
import type { PlayerSlice } from './player-slice.ts';
import type { ReadersSlice } from './readers-slice.ts';
import type { Route, RouteSlice } from './route-slice.ts';
import type { SearchSlice } from './search-slice.ts';
import type { ThreadSlice } from './thread-slice.ts';
import type { TimelineSlice } from './timeline-slice.ts';

/** All the interface knows, one slice a concern. */
export type AppState = ConnectionSlice &
  ForgetSlice &
  ImportsSlice &
  LibrarySlice &
  ModelsSlice &
  PlayerSlice &
  ReadersSlice &
  RouteSlice &
  SearchSlice &
  ThreadSlice &
  TimelineSlice;

export type AppStore = StoreApi<AppState>;

/** What the store is given from outside, so that it holds no clock, no port and no page of its own. */
export type Deps = {
  host: Host;
  /** Epoch ms. */
  now: () => number;
  /** Opens a page by its address, as a link would. */
  goTo: (route: Route) => void;
  /** BCP 47 tag for times and numbers. */
  locale: string;
  /** Zone of this computer. */
  zone: string;
};

/** Builds one slice from the store's own set and get. */
export type Slice<T> = (set: AppStore['setState'], get: AppStore['getState'], deps: Deps) => T;
