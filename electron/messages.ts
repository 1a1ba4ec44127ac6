import type { ErrorCode } from '../core/contract/errors.ts';

/** What the shell's main process and the engine's process say to each other, beside the ports handed over. */

/** Process entries the engine may ask for. */
export type EntryName = 'models' | 'perception';

/** Comes with one end of a message channel; the other end is the window's. */
export const CONNECT = 'connect';

export type ToEngine =
  | { type: typeof CONNECT }
  | { type: 'media'; request: number; mediaId: string }
  /** What a process that the engine asked for says, and its end. */
  | { type: 'child-says'; child: number; message: unknown }
  | { type: 'child-ended'; child: number; code: number | null }
  | { type: 'quit' };

export type FromEngine =
  | { type: 'ready' }
  /** The engine cannot start, and starting it again would not help: the library is in use, for one. */
  | { type: 'refused'; code: ErrorCode; message: string }
  | { type: 'media'; request: number; file: { path: string; type: string } | null }
  | { type: 'start-child'; child: number; entry: EntryName }
  | { type: 'tell-child'; child: number; message: unknown }
  | { type: 'end-child'; child: number };
