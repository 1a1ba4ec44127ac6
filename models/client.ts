import { inBatches } from './embedding/batches.ts';
import type { ImageTextModel } from './embedding/image-text/image-text-model.ts';
import type { TextEmbedder } from './embedding/text-embedder.ts';
import { BUILT_IN_TEXT_MODEL, type TextModel } from './embedding/text-model.ts';
import type { Entailment, Pair } from './entailment/entailment.ts';
import type { JudgeSource } from './entailment/entailment-host.ts';
import { ModelError } from './errors.ts';
import type { Choice, Generated, TokenScores } from './language/chat.ts';
import type { ChooseItem, GenerateRequest, LanguageSource, ScoreItem } from './language/language-host.ts';
import type { FromModelProcess, ModelTasks, TaskName, ToModelProcess } from './messages.ts';
import type { ProcessPort, SpawnProcess } from './port.ts';
import type { Description } from './writer/vision-writer.ts';
import type { DescribeRequest } from './writer/writer-host.ts';

/** Passages of one request: a question asked during an import waits for one of these at most. */
const PASSAGES_A_REQUEST = 64;
/** Of an encoder, which takes some 10 to 50 ms a passage. */
const ENCODED_A_REQUEST = 4;

/**
 * Beyond its own deadline a description may take this long, ms: loading some GB from a slow disk, and the first look at the
 * frames, in which the runtime hears nothing.
 */
const DESCRIBE_GRACE_MS = 120_000;

/** A question's text waits behind one of these at most. */
const PICTURES_A_REQUEST = 4;
/** Time that a few pictures or texts may take, loading some 100 MB from a slow disk included, ms. */
const PICTURES_DEADLINE_MS = 120_000;

/** Pairs of one request to a model made for judging; a language model gets them one by one. */
const PAIRS_A_REQUEST = 16;
/** Time that one run over a prompt may take, loading some GB from a slow disk included, ms. */
const SCORE_DEADLINE_MS = 180_000;

/** A request is sent to this many processes before it is given up. */
const ATTEMPTS = 2;

export interface ModelClientOptions {
  /** Ends the process after this long without a request, ms; it starts again when needed. Default: never. */
  idleMs?: number;
  /** Time a description may take beyond its own deadline, ms. */
  describeGraceMs?: number;
}

/** Asks for some things at a time, so that whoever else asks the process does not wait long; answers in order. */
async function inParts<In, Out>(
  all: readonly In[],
  size: number,
  ask: (part: In[]) => Promise<Out[]>,
): Promise<Out[]> {
  const answers: Out[] = [];
  for (let at = 0; at < all.length; at += size) answers.push(...(await ask(all.slice(at, at + size))));
  return answers;
}

/** The engine's side of the model process. */
export interface ModelClient {
  /** A text embedding running in the model process, which holds one at a time. Default: the built-in one. */
  textEmbedder(model?: TextModel): TextEmbedder;
  /**
   * Frames and text to text with a vision-language model. Whoever also asks for other things keeps a second client for this:
   * a request waits for the one before it.
   * @throws ModelError load-failed, run-failed, process-died, timed-out, closed; the signal's reason when aborted
   */
  describe(request: DescribeRequest, signal?: AbortSignal): Promise<Description>;
  /**
   * JPEGs to unit vectors, a few a request, so that whoever else asks this process does not wait long; null for bytes that are no picture.
   * @throws as `describe`
   */
  embedImages(
    model: ImageTextModel,
    jpegs: readonly Uint8Array[],
    signal?: AbortSignal,
  ): Promise<(Float32Array | null)[]>;
  /** Texts to unit vectors of the space that pictures are in. @throws as `describe` */
  embedTexts(model: ImageTextModel, texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /**
   * The next turn of a conversation, by a language model. `onText` is given each piece of it as it comes; a request that has told a piece
   * is not repeated when the process dies. As with `describe`, whoever generates keeps a client of its own.
   * @throws ModelError too-long, and as `describe`
   */
  generate(
    request: GenerateRequest,
    options?: { signal?: AbortSignal; onText?: (piece: string) => void },
  ): Promise<Generated>;
  /** How likely a language model finds given replies, token by token. @throws as `generate` */
  score(model: LanguageSource, items: readonly ScoreItem[], signal?: AbortSignal): Promise<TokenScores[]>;
  /** Which of some answers a language model would begin with. @throws as `generate` */
  choose(model: LanguageSource, items: readonly ChooseItem[], signal?: AbortSignal): Promise<Choice[]>;
  /** Whether sentences follow from texts. @throws as `generate` */
  entail(judge: JudgeSource, pairs: readonly Pair[], signal?: AbortSignal): Promise<Entailment[]>;
  /** Ends the process; open requests fail with ModelError `closed`. */
  close(): void;
}

interface Pending {
  message: Extract<ToModelProcess, { type: 'request' }>;
  attempts: number;
  /** Time an answer may take once the request is sent, ms; null for as long as it takes. */
  timeoutMs: number | null;
  timer: NodeJS.Timeout | null;
  onText: ((piece: string) => void) | null;
  /** A piece of the answer was passed on: repeating the request would tell it twice. */
  told: boolean;
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
      if (message.type === 'piece') {
        const waiting = pending.get(message.id);
        if (!waiting?.onText) return;
        waiting.told = true;
        waiting.onText(message.text);
        return;
      }
      const request = settled(message.id);
      if (message.type === 'result') request?.resolve(message.value);
      else request?.reject(new ModelError(message.code, message.message));
    });
    started.onExit((code, signal) => {
      if (port !== started) return;
      port = null;
      const how = signal ? `signal ${signal}` : `code ${code ?? 'unknown'}`;
      for (const [id, request] of [...pending]) {
        if (request.attempts < ATTEMPTS && !request.told) send(request);
        else
          settled(id)?.reject(
            new ModelError(
              'process-died',
              `The model process ended ${request.told ? 'during its answer' : 'twice'} (${how}).`,
            ),
          );
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
    onText: ((piece: string) => void) | null = null,
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
        onText,
        told: false,
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
    textEmbedder: (model = BUILT_IN_TEXT_MODEL) => ({
      name: model.name,
      dims: model.dims,
      embed: (texts, kind, signal) =>
        inBatches(texts, model.encoder ? ENCODED_A_REQUEST : PASSAGES_A_REQUEST, (part) =>
          request('embed', { model, texts: part, kind }, signal),
        ),
    }),
    describe: (input, signal) =>
      request('describe', input, signal, input.deadlineMs + (options.describeGraceMs ?? DESCRIBE_GRACE_MS)),
    async embedImages(model, jpegs, signal) {
      const vectors: (Float32Array | null)[] = [];
      for (let at = 0; at < jpegs.length; at += PICTURES_A_REQUEST) {
        const part = jpegs.slice(at, at + PICTURES_A_REQUEST);
        vectors.push(...(await request('embedImages', { model, jpegs: part }, signal, PICTURES_DEADLINE_MS)));
      }
      return vectors;
    },
    embedTexts: (model, texts, signal) =>
      request('embedTexts', { model, texts: [...texts] }, signal, PICTURES_DEADLINE_MS),
    generate: (input, { signal, onText } = {}) =>
      request('generate', input, signal, input.deadlineMs + SCORE_DEADLINE_MS, onText ?? null),
    score: (model, items, signal) =>
      inParts(items, 1, (part) => request('score', { model, items: part }, signal, SCORE_DEADLINE_MS)),
    choose: (model, items, signal) =>
      inParts(items, 1, (part) => request('choose', { model, items: part }, signal, SCORE_DEADLINE_MS)),
    entail: (judge, pairs, signal) =>
      inParts(pairs, judge.kind === 'language' ? 1 : PAIRS_A_REQUEST, (part) =>
        request('entail', { judge, pairs: part }, signal, SCORE_DEADLINE_MS),
      ),
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
