/** Electron's utility processes talk through this instead of Node's IPC; typed here so that models/ needs no Electron. */
interface UtilityParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

export interface ParentPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/**
 * The way back to whoever started this process: Node IPC or Electron's parentPort.
 * @throws Error when the process was started by hand, with no parent to talk to
 */
export function connectParent(): ParentPort {
  const utility = (process as NodeJS.Process & { parentPort?: UtilityParentPort }).parentPort;
  if (utility) {
    return {
      post: (message) => utility.postMessage(message),
      onMessage: (listener) => utility.on('message', (event) => listener(event.data)),
    };
  }
  if (!process.send) throw new Error('This is a process entry of Footnote; the engine starts it.');
  // A parent that is gone leaves nobody to work for.
  process.once('disconnect', () => process.exit(0));
  return {
    post: (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => process.on('message', listener),
  };
}
