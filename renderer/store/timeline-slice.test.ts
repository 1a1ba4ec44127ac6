import { describe, expect, it } from 'vitest';
import { makeWorld } from '../testing/fake-host.ts';
import { makeDay } from '../testing/make-day.ts';
import { makeStore, settle } from '../testing/make-store.ts';

const LONG = makeDay({ seed: 2, recordings: 1, length: 450 });

describe('the timeline', () => {
  it('lists days newest first, whatever the order they come in', async () => {
    const days = [makeDay({ seed: 1, day: '2025-03-11' }), makeDay({ seed: 2, day: '2025-03-14' })];
    const { store } = makeStore(makeWorld({ days }));
    await store.getState().loadDays();
    expect(store.getState().days?.map((day) => day.day)).toEqual(['2025-03-14', '2025-03-11']);
  });

  it('reads a long day page by page, each episode once', async () => {
    const { store } = makeStore(makeWorld({ days: [LONG] }));
    await store.getState().loadDay(LONG.day);
    expect(store.getState().dayPages[LONG.day]).toMatchObject({ loading: false });
    expect(store.getState().dayPages[LONG.day]?.episodes).toHaveLength(200);
    await store.getState().loadMore(LONG.day);
    await store.getState().loadMore(LONG.day);
    await store.getState().loadMore(LONG.day);
    const ids = store.getState().dayPages[LONG.day]?.episodes.map((episode) => episode.id) ?? [];
    expect(new Set(ids).size).toBe(450);
    expect(ids).toHaveLength(450);
    expect(store.getState().dayPages[LONG.day]?.next).toBeNull();
  });

  it('reads the open day again when the connection comes back', async () => {
    const world = makeWorld({ days: [LONG] });
    const { store } = makeStore(world);
    store.getState().openRoute({ page: 'days', day: LONG.day, episodeId: null });
    store.getState().connectionChanged('lost');
    store.getState().connectionChanged('open');
    await settle();
    expect(world.calls).toEqual(
      expect.arrayContaining(['status', 'imports.list', 'timeline.days', 'timeline.day']),
    );
    expect(store.getState().announcement.text).toBe('Connected again.');
  });

  it('keeps an episode asked for once, and tells when it is gone', async () => {
    const { store } = makeStore(makeWorld({ days: [LONG] }));
    await store.getState().loadEpisode(LONG.episodes[3]!.id);
    expect(store.getState().episodes[LONG.episodes[3]!.id]).toEqual(LONG.episodes[3]);
    await store.getState().loadEpisode('f000000-0000');
    expect(store.getState().timelineProblem).not.toBeNull();
  });
});

describe('searching', () => {
  it('shows what belongs to the words typed last', async () => {
    const { store } = makeStore(makeWorld({ days: [LONG] }));
    const slow = store.getState().search('key');
    await store.getState().search('tram');
    await slow;
    expect(store.getState().found?.query).toBe('tram');
    await store.getState().search('elephant');
    expect(store.getState().found).toEqual({ query: 'elephant', episodes: [] });
    await store.getState().search('  ');
    expect(store.getState().found).toBeNull();
  });
});
