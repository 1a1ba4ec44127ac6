import { createStore } from 'zustand/vanilla';
import { connectionSlice } from './connection-slice.ts';
import { forgetSlice } from './forget-slice.ts';
import { importsSlice } from './imports-slice.ts';
import { librarySlice } from './library-slice.ts';
import { modelsSlice } from './models-slice.ts';
import { playerSlice } from './player-slice.ts';
import { readersSlice } from './readers-slice.ts';
import { routeSlice } from './route-slice.ts';
import { searchSlice } from './search-slice.ts';
import type { AppState, AppStore, Deps } from './state.ts';
import { threadSlice } from './thread-slice.ts';
import { timelineSlice } from './timeline-slice.ts';

/** Makes the interface's store over a host. It calls nothing until an action does. */
export function createAppStore(deps: Deps): AppStore {
  return createStore<AppState>()((set, get) => ({
    ...connectionSlice(set, get, deps),
    ...forgetSlice(set, get, deps),
    ...importsSlice(set, get, deps),
    ...librarySlice(set, get, deps),
    ...modelsSlice(set, get, deps),
    ...playerSlice(set, get, deps),
    ...readersSlice(set, get, deps),
    ...routeSlice(set, get, deps),
    ...searchSlice(set, get, deps),
    ...threadSlice(set, get, deps),
    ...timelineSlice(set, get, deps),
  }));
}
