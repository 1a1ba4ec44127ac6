import type { ProcessPort, SpawnProcess } from '../models/port.ts';
import type { FromEngine, ToEngine } from './messages.ts';

/**
 * The engine's side of its children. Only the shell's main process may start processes, so the engine asks it to, and
 * what they say to each other passes through main under a number.
 */
export function relaySpawn(send: (message: FromEngine) => void): {
  spawn: SpawnProcess;
  /** Takes what main passes on; anything else is ignored. */
  receive(message: ToEngine): void;
} {
  interface Child {
    listeners: ((message: unknown) => void)[];
    ends: ((code: number | null, signal: string | null) => void)[];
  }
  const children = new Map<number, Child>();
  let last = 0;
  return {
    spawn(entry): ProcessPort {
      const child = ++last;
      const state: Child = { listeners: [], ends: [] };
      children.set(child, state);
      send({ type: 'start-child', child, entry });
      return {
        post: (message) => {
          if (children.has(child)) send({ type: 'tell-child', child, message });
        },
        onMessage: (listener) => {
          state.listeners.push(listener);
        },
        onExit: (listener) => {
          state.ends.push(listener);
        },
        kill: () => send({ type: 'end-child', child }),
      };
    },
    receive(message) {
      if (message.type === 'child-says') {
        for (const listener of children.get(message.child)?.listeners ?? []) listener(message.message);
      } else if (message.type === 'child-ended') {
        const ended = children.get(message.child);
        children.delete(message.child);
        for (const end of ended?.ends ?? []) end(message.code, null);
      }
    },
  };
}
