import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ProcessPort, SpawnProcess } from '../../models/port.ts';

const ENTRIES = {
  models: fileURLToPath(new URL('../../models/process.ts', import.meta.url)),
  perception: fileURLToPath(new URL('../perception/process.ts', import.meta.url)),
} as const;

/**
 * Starts process entries as Node children (command line, server, tests). The desktop shell has its own spawner, since a
 * packaged app starts utility processes only.
 */
export const spawnNodeProcess: SpawnProcess = (entry): ProcessPort => {
  const child = fork(ENTRIES[entry], [], {
    // The loader is resolved from here, so that it is found whatever folder the person stands in.
    execArgv: ['--import', import.meta.resolve('tsx')],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', process.env.FOOTNOTE_DEBUG ? 'inherit' : 'ignore', 'ipc'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  // A write to a child that has just died reports here; its exit is what callers act on.
  child.on('error', () => {});
  return {
    post: (message) => {
      if (child.connected) child.send(message as import('node:child_process').Serializable, () => {});
    },
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.once('exit', listener),
    kill: end,
  };
};
