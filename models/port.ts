/**
 * A message port to another process, the same shape for a Node child, an Electron utility process and a test.
 * Messages are structured-cloned: typed arrays pass, functions do not.
 */
export interface ProcessPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once when the other side is gone; `code` is null when a signal ended it. */
  onExit(listener: (code: number | null, signal: string | null) => void): void;
  kill(): void;
}

/** Starts one of the project's process entries; the host decides how (child process or Electron utility process). */
export type SpawnProcess = (entry: 'models' | 'perception') => ProcessPort;
