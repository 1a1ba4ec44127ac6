import type { ProcessPort, SpawnProcess } from '../../models/port.ts';
import { FootnoteError } from '../contract/errors.ts';
import type { FromPerception, ToPerception } from '../perception/messages.ts';
import type { Observation } from '../perception/observation.ts';
import type { PerceiveTask } from '../perception/task.ts';

export interface PassResult {
  /** How much of the chapter could be decoded, ms. */
  decodedMs: number;
  notes: string[];
  /** Names of models that could not be loaded. */
  unloaded: string[];
}

export interface PassEvents {
  /** Must keep the observation safe before it resolves. `frames` are redacted JPEGs in time order, for a writer that looks. */
  onSegment(observation: Observation, frames: Uint8Array[]): Promise<void>;
  onProgress(doneMs: number): void;
}

/** The engine's end of the perception process: one chapter at a time, started at the first, ended by `close`. */
export interface PerceptionClient {
  /**
   * @throws FootnoteError PERCEPTION_FAILED when the process dies (the next call starts a new one), CANCELLED, or the
   *   pass's own code (FILE_UNREADABLE, DISK_FULL …)
   */
  perceive(task: PerceiveTask, events: PassEvents, signal: AbortSignal): Promise<PassResult>;
  pause(): void;
  resume(): void;
  close(): void;
}

export function createPerceptionClient(spawn: SpawnProcess): PerceptionClient {
  let port: ProcessPort | null = null;
  let nextId = 1;
  let current: { id: number; onMessage(message: FromPerception): void; onExit(how: string): void } | null =
    null;
  let paused = false;

  function connected(): ProcessPort {
    if (port) return port;
    const started = spawn('perception');
    started.onMessage((message) => {
      const known = message as FromPerception;
      if (current && known.id === current.id) current.onMessage(known);
    });
    started.onExit((code, signal) => {
      if (port === started) port = null;
      current?.onExit(signal ?? `code ${code}`);
    });
    port = started;
    return started;
  }

  const post = (message: ToPerception) => port?.post(message);

  return {
    perceive(task, events, signal) {
      const id = nextId++;
      return new Promise<PassResult>((resolve, reject) => {
        let settled = false;
        const settle = (act: () => void) => {
          if (settled) return;
          settled = true;
          signal.removeEventListener('abort', onAbort);
          current = null;
          act();
        };
        const onAbort = () => {
          post({ type: 'cancel', id });
          // A process deep in a native call cannot hear: it is ended, and what it had finished stays.
          setTimeout(() => {
            if (settled) return;
            port?.kill();
            settle(() => reject(new FootnoteError('CANCELLED', 'Cancelled.')));
          }, 5_000).unref();
        };
        current = {
          id,
          onExit: (how) =>
            settle(() =>
              reject(
                new FootnoteError('PERCEPTION_FAILED', `Reading the footage stopped unexpectedly (${how}).`),
              ),
            ),
          onMessage: (message) => {
            if (message.type === 'progress') events.onProgress(message.doneMs);
            else if (message.type === 'segment') {
              events.onSegment(message.observation, message.frames).then(
                () => post({ type: 'kept', id, episodeId: message.observation.episodeId }),
                (error) => {
                  post({ type: 'cancel', id });
                  settle(() => reject(error));
                },
              );
            } else if (message.type === 'done') {
              settle(() =>
                resolve({ decodedMs: message.decodedMs, notes: message.notes, unloaded: message.unloaded }),
              );
            } else settle(() => reject(new FootnoteError(message.code, message.message)));
          },
        };
        if (signal.aborted) {
          settle(() => reject(new FootnoteError('CANCELLED', 'Cancelled.')));
          return;
        }
        signal.addEventListener('abort', onAbort, { once: true });
        connected().post({ type: 'perceive', id, task } satisfies ToPerception);
        if (paused) post({ type: 'pause', id });
      });
    },
    pause() {
      paused = true;
      if (current) post({ type: 'pause', id: current.id });
    },
    resume() {
      paused = false;
      if (current) post({ type: 'resume', id: current.id });
    },
    close() {
      port?.kill();
      port = null;
    },
  };
}
