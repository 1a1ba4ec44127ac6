import { describe, expect, it } from 'vitest';
import { hashOf, type Route, routeOf } from './route-slice.ts';

describe('an address', () => {
  it('is the same route there and back', () => {
    const routes: Route[] = [
      { page: 'ask' },
      { page: 'add' },
      { page: 'library' },
      { page: 'days', day: null, episodeId: null },
      { page: 'days', day: '2025-03-14', episodeId: null },
      { page: 'days', day: '2025-03-14', episodeId: 'f12ab-0003' },
      { page: 'find', query: '' },
      { page: 'find', query: 'keys / “mug”?#%' },
    ];
    for (const route of routes) expect(routeOf(hashOf(route))).toEqual(route);
  });

  it('that means nothing leads to the first page', () => {
    for (const wrong of ['', '#', '#/', '#/nowhere', '#page'])
      expect(routeOf(wrong)).toEqual({ page: 'ask' });
  });

  it('never passes on what is no day and no id', () => {
    expect(routeOf('#/days/yesterday/x')).toEqual({ page: 'days', day: null, episodeId: null });
    expect(routeOf("#/days/2025-03-14/'; drop")).toEqual({
      page: 'days',
      day: '2025-03-14',
      episodeId: null,
    });
    expect(routeOf('#/find/%E0%A4%A')).toEqual({ page: 'find', query: '%E0%A4%A' });
  });
});
