import { describe, expect, it } from 'vitest';
import { makeWorld } from '../testing/fake-host.ts';
import { makeStore } from '../testing/make-store.ts';

describe('who answers', () => {
  it('is asked for, chosen, and said', async () => {
    const world = makeWorld({});
    const { store } = makeStore(world);
    await store.getState().loadReaders();
    expect(store.getState().readers?.choice).toEqual({ kind: 'planner' });
    const server = store.getState().readers!.offers[2]!.choice;
    await store.getState().chooseReader(server);
    expect(store.getState().readers?.choice).toEqual(server);
    expect(world.calls).toContain('readers.use server');
  });

  it('stays who it was when the engine says no, with the reason', async () => {
    const world = makeWorld({});
    const { store } = makeStore(world);
    await store.getState().loadReaders();
    Object.defineProperty(world, 'readers', {
      set: () => {
        throw new Error('read-only');
      },
      get: () => null,
    });
    await store.getState().chooseReader({ kind: 'model' });
    expect(store.getState().readers?.choice).toEqual({ kind: 'planner' });
    expect(store.getState().readersProblem).not.toBeNull();
  });
});
