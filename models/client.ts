import { STATIC_EMBEDDER } from './embedding/static-identity.ts';
import type { TextEmbedder } from './embedding/text-embedder.ts';
import { ModelError } from './errors.ts';
import type { FromModelProcess, ModelTasks, TaskName, ToModelProcess } from './messages.ts';
import type { ProcessPort, SpawnProcess } from './port.ts';
import type { Description } from './writer/vision-writer.ts';
import type { DescribeRequest } from './writer/writer-host.ts';

/** Passages of one request: a question asked during an import waits for one of these at most. */
const PASSAGES_A_REQUEST = 64;

/**
 * Beyond its own deadline a description may take this long, ms: loading some GB from a slow disk, and the first look at the
 * frames, in which the runtime hears nothing.
 */
const DESCRIBE_GRACE_MS = 120_000;

/** A request is sent to this many processes before it is given up. */
const ATTEMPTS = 2;

export interface ModelClientOptions {
  /** Ends the process after this long without a request, ms; it starts again when needed. Default: never. */
  idleMs?: number;
  /** Time a description may take beyond its own deadline, ms. */
  describeGraceMs?: number;
}

/** The engine's side of the model process. */
export interface ModelClient {
  /** The built-in embedding, running in the model process. */
  textEmbedder(): TextEmbedder;
  /**
   * Frames and text to text with a vision-language model. Whoever also asks for other things keeps a second client for this:
   * a request waits for the one before it.
   * @throws ModelError load-failed, run-failed, process-died, timed-out, closed; the signal's reason when aborted
   */
  describe(request: DescribeRequest, signal?: AbortSignal): Promise<Description>;
  /** Ends the process; open requests fail with ModelError `closed`. */
  close(): void;
}

interface Pending {
  message: Extract<ToModelProcess, { type: 'request' }>;
  attempts: number;
  /** Time an answer may take once the request is sent, ms; null for as long as it takes. */
  timeoutMs: number | null;
  timer: NodeJS.Timeout | null;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Talks to the model process, which is started at the first request. If it dies, requests in flight are sent once more to a fresh
 * one, then fail with ModelError `process-died`; the next request starts a process again.
 */
export function createModelClient(spawn: SpawnProcess, options: ModelClientOptions = {}): ModelClient {
  const pending = new Map<number, Pending>();
  let port: ProcessPort | null = null;
  let nextId = 1;
  let closed = false;
  let idle: NodeJS.Timeout | null = null;

  function stop(): void {
    const running = port;
    port = null;
    running?.kill();
  }

  function settled(id: number): Pending | undefined {
    const request = pending.get(id);
    pending.delete(id);
    if (request?.timer) clearTimeout(request.timer);
    if (pending.size === 0 && options.idleMs !== undefined) {
      idle = setTimeout(stop, options.idleMs);
      idle.unref();
    }
    return request;
  }

  function start(): ProcessPort {
    const started = spawn('models');
    started.onMessage((raw) => {
      const message = raw as FromModelProcess;
      const request = settled(message.id);
      if (message.type === 'result') request?.resolve(message.value);
      else request?.reject(new ModelError(message.code, message.message));
    });
    started.onExit((code, signal) => {
      if (port !== started) return;
      port = null;
      const how = signal ? `signal ${signal}` : `code ${code ?? 'unknown'}`;
      for (const [id, request] of [...pending]) {
        if (request.attempts < ATTEMPTS) send(request);
        else settled(id)?.reject(new ModelError('process-died', `The model process ended twice (${how}).`));
      }
    });
    return started;
  }

  function send(request: Pending): void {
    request.attempts += 1;
    port ??= start();
    port.post(request.message);
    const { timeoutMs, message } = request;
    if (timeoutMs === null) return;
    if (request.timer) clearTimeout(request.timer);
    request.timer = setTimeout(() => {
      settled(message.id)?.reject(new ModelError('timed-out', 'The model gave no answer in time.'));
      // It hears nothing while the runtime is at work. Its end sends what else is waiting to a fresh process.
      port?.kill();
    }, timeoutMs);
  }

  function request<T extends TaskName>(
    task: T,
    input: ModelTasks[T]['input'],
    signal?: AbortSignal,
    timeoutMs: number | null = null,
  ): Promise<ModelTasks[T]['output']> {
    if (closed) return Promise.reject(new ModelError('closed', 'The models were shut down.'));
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (idle) clearTimeout(idle);
    const id = nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        settled(id);
        port?.post({ type: 'abort', id } satisfies ToModelProcess);
        reject(signal?.reason as Error);
      };
      const done = () => signal?.removeEventListener('abort', onAbort);
      signal?.addEventListener('abort', onAbort, { once: true });
      const entry: Pending = {
        message: { type: 'request', id, task, input } as Pending['message'],
        attempts: 0,
        timeoutMs,
        timer: null,
        resolve: (value) => {
          done();
          resolve(value as ModelTasks[T]['output']);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      };
      pending.set(id, entry);
      send(entry);
    });
  }

  return {
    textEmbedder: () => ({
      ...STATIC_EMBEDDER,
      async embed(texts, kind, signal) {
        const vectors: Float32Array[] = [];
        for (let at = 0; at < texts.length; at += PASSAGES_A_REQUEST) {
          const part = texts.slice(at, at + PASSAGES_A_REQUEST);
          vectors.push(...(await request('embed', { texts: part, kind }, signal)));
        }
        return vectors;
      },
    }),
    describe: (input, signal) =>
      request('describe', input, signal, input.deadlineMs + (options.describeGraceMs ?? DESCRIBE_GRACE_MS)),
    close() {
      closed = true;
      if (idle) clearTimeout(idle);
      for (const id of [...pending.keys()]) {
        settled(id)?.reject(new ModelError('closed', 'The models were shut down.'));
      }
      if (idle) clearTimeout(idle);
      stop();
    },
  };
}
