import { describe, expect, it } from 'vitest';
import type { AskEvent } from '../../core/contract/reading.ts';
import { ConnectionLost } from '../connection/reconnecting-link.ts';
import { makeWorld } from '../testing/fake-host.ts';
import { makeAnswer, STEPS } from '../testing/make-answer.ts';
import { makeDay } from '../testing/make-day.ts';
import { makeStore, settle } from '../testing/make-store.ts';

const DAY = makeDay({ seed: 3 });
const answer = makeAnswer('Where?', 'There [1].', [DAY.episodes[0]!], 0);

async function* wellAnswered(): AsyncGenerator<AskEvent, void, void> {
  for (const step of STEPS) yield { type: 'step', step };
  yield { type: 'answer', answer };
}

describe('asking', () => {
  it('gathers the steps as they come and ends with the answer', async () => {
    const { store } = makeStore(makeWorld({ days: [DAY], ask: wellAnswered }));
    const seen: number[] = [];
    store.subscribe((state) => seen.push(state.turns[0]?.steps.length ?? 0));
    await store.getState().ask('  Where? ');
    expect(seen).toContain(1);
    expect(store.getState().turns).toMatchObject([{ question: 'Where?', state: 'answered', answer }]);
    expect(store.getState().turns[0]?.steps).toEqual(STEPS);
    expect(store.getState().announcement.text).toBe('The answer is ready, with 1 footnote.');
  });

  it('takes no empty question and no second one meanwhile', async () => {
    const world = makeWorld({
      ask: async function* () {
        await new Promise(() => {});
      },
    });
    const { store } = makeStore(world);
    await store.getState().ask('   ');
    void store.getState().ask('First?');
    await store.getState().ask('Second?');
    expect(store.getState().turns.map((turn) => turn.question)).toEqual(['First?']);
  });

  it('is free again at once when it is stopped, whatever the engine still sends', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const world = makeWorld({
      ask: async function* () {
        await held;
        yield { type: 'answer', answer };
      },
    });
    const { store } = makeStore(world);
    void store.getState().ask('First?');
    await settle();
    store.getState().stopAsking();
    expect(store.getState().turns[0]?.state).toBe('stopped');
    release();
    await settle();
    expect(store.getState().turns[0]).toMatchObject({ state: 'stopped', answer: null });
  });

  it('tells a lost connection from an answer that found nothing', async () => {
    const world = makeWorld();
    const { store } = makeStore(world);
    await store.getState().ask('Ended without a word?');
    world.ask = async function* () {
      yield* [];
      throw new ConnectionLost();
    };
    await store.getState().ask('Cut off?');
    expect(store.getState().turns.map((turn) => [turn.state, turn.problem?.code])).toEqual([
      ['failed', 'CONNECTION_LOST'],
      ['failed', 'CONNECTION_LOST'],
    ]);
  });
});

describe('forgetting', () => {
  it('takes the answers that quote what is gone with it, and no others', async () => {
    const world = makeWorld({ days: [DAY], ask: wellAnswered });
    const { store } = makeStore(world);
    await store.getState().ask('Where?');
    const nothing = makeAnswer('What?', 'Nothing.', [], 0);
    world.ask = async function* () {
      yield { type: 'answer', answer: nothing };
    };
    await store.getState().ask('What?');
    store.getState().askToForget({ what: 'recording', recordingId: DAY.episodes[0]!.recordingId });
    expect(await store.getState().forget()).toBe(true);
    expect(store.getState().turns.map((turn) => turn.question)).toEqual(['What?']);
    expect(store.getState()).toMatchObject({ forgetting: null, dayPages: {}, episodes: {} });
    expect(store.getState().forgotten).toMatch(/^Forgotten: 18 episodes, 36 files, 1.2\sMB\.$/);
  });
});
