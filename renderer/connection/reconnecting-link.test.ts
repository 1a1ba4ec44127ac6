import { describe, expect, it } from 'vitest';
import {
  backOff,
  ConnectionLost,
  type ConnectionState,
  ReconnectingLink,
  type Session,
} from './reconnecting-link.ts';

/** A line that can be cut: each session answers with its own number until `cut`. */
function line() {
  const cuts: Array<() => void> = [];
  let opened = 0;
  let refuse = 0;
  const waits: number[] = [];
  const link = new ReconnectingLink({
    connect: async (): Promise<Session> => {
      if (refuse > 0) {
        refuse -= 1;
        throw new Error('nobody there');
      }
      opened += 1;
      const number = opened;
      const closed = new Promise<void>((resolve) => cuts.push(resolve));
      return {
        link: {
          call: (path) =>
            path[0] === 'never' ? new Promise(() => {}) : Promise.resolve(`${path[0]} ${number}`),
        },
        closed,
      };
    },
    wait: async (ms) => {
      waits.push(ms);
    },
  });
  return {
    link,
    waits,
    cut: () => cuts.at(-1)?.(),
    refuse: (times: number) => {
      refuse = times;
    },
  };
}

const options = { context: {} };
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the link to the engine', () => {
  it('keeps a call waiting until there is a session', async () => {
    const { link } = line();
    const reply = link.call(['status'], undefined, options);
    void link.run();
    expect(await reply).toBe('status 1');
    link.stop();
  });

  it('fails calls in flight when the session ends, then carries new ones over the next', async () => {
    const { link, cut } = line();
    void link.run();
    const lost = link.call(['never'], undefined, options);
    const refused = expect(lost).rejects.toBeInstanceOf(ConnectionLost);
    await turn();
    cut();
    await refused;
    expect(await link.call(['status'], undefined, options)).toBe('status 2');
    link.stop();
  });

  it('waits longer after each failure and says what it is doing', async () => {
    const { link, cut, refuse, waits } = line();
    const seen: ConnectionState[] = [];
    link.onState((state) => seen.push(state));
    void link.run();
    await turn();
    refuse(3);
    cut();
    await turn();
    expect(await link.call(['status'], undefined, options)).toBe('status 2');
    expect(waits).toEqual([250, 250, 500, 1000]);
    expect(seen).toEqual(['waiting', 'open', 'lost', 'open']);
    link.stop();
  });

  it('lets a waiting call be given up', async () => {
    const { link } = line();
    const stop = new AbortController();
    const reply = link.call(['status'], undefined, { ...options, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(reply).rejects.toThrow('enough');
  });

  it('never waits more than five seconds', () => expect(backOff(40)).toBe(5000));
});
