import type { Slice } from './state.ts';

/** Which page is open. */
export type Route =
  | { page: 'ask' }
  | { page: 'days'; day: string | null; episodeId: string | null }
  | { page: 'add' }
  | { page: 'find'; query: string }
  | { page: 'models' }
  | { page: 'library' };

export type RouteSlice = {
  route: Route;
  /** How often a page was opened; the first is the visit itself. */
  visits: number;
  /** Takes over where the page's address points. */
  openRoute: (route: Route) => void;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ID = /^[a-z0-9][a-z0-9_-]{3,80}$/;

/** "#/days/2025-03-14/f12-0003" for a route. */
export function hashOf(route: Route): string {
  switch (route.page) {
    case 'days':
      return ['#/days', route.day, route.day && route.episodeId].filter(Boolean).join('/');
    case 'find':
      return route.query === '' ? '#/find' : `#/find/${encodeURIComponent(route.query)}`;
    default:
      return `#/${route.page}`;
  }
}

/** The route an address stands for; the first page for anything unknown. */
export function routeOf(hash: string): Route {
  const [page, first = '', second = ''] = hash.replace(/^#\/?/, '').split('/');
  switch (page) {
    case 'days': {
      const day = DAY.test(first) ? first : null;
      return { page, day, episodeId: day && ID.test(second) ? second : null };
    }
    case 'find':
      return { page, query: decoded(first) };
    case 'add':
    case 'models':
    case 'library':
      return { page };
    default:
      return { page: 'ask' };
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const routeSlice: Slice<RouteSlice> = (set) => ({
  route: { page: 'ask' },
  visits: 0,
  openRoute: (route) => set((s) => ({ route, visits: s.visits + 1 })),
});
