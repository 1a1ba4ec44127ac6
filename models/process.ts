import { createStaticEmbedder } from './embedding/static-embedder.ts';
import type { TextEmbedder } from './embedding/text-embedder.ts';
import { ModelError } from './errors.ts';
import type { FromModelProcess, ModelTasks, TaskName, ToModelProcess } from './messages.ts';
import { connectParent } from './parent-port.ts';
import type { WriterHost } from './writer/writer-host.ts';

/** Entry of the model process: loads a session when it is first asked for, and answers requests one after the other. */

/** A model loaded at first use; a failed load is tried again with the next request. */
function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
}

const staticEmbedder = lazy<TextEmbedder>(() => createStaticEmbedder());
/** Its library takes seconds to load, which a search must not wait for. */
const writerHost = lazy<WriterHost>(async () => new (await import('./writer/writer-host.ts')).WriterHost());

const handlers: {
  [T in TaskName]: (input: ModelTasks[T]['input'], signal: AbortSignal) => Promise<ModelTasks[T]['output']>;
} = {
  embed: async ({ texts, kind }, signal) => (await staticEmbedder()).embed(texts, kind, signal),
  describe: async (request, signal) => (await writerHost()).describe(request, signal),
};

const port = connectParent();
const aborts = new Map<number, AbortController>();
/** Sessions block the process while they run, so requests queue up here rather than inside the runtime. */
let tail: Promise<void> = Promise.resolve();

function reply(message: FromModelProcess): void {
  port.post(message);
}

async function answer(
  request: Extract<ToModelProcess, { type: 'request' }>,
  abort: AbortController,
): Promise<void> {
  if (abort.signal.aborted) return;
  try {
    // Each handler takes the input of its own task, which the compiler cannot follow through the table.
    const handle = handlers[request.task] as (
      input: unknown,
      signal: AbortSignal,
    ) => Promise<ModelTasks[TaskName]['output']>;
    const value = await handle(request.input, abort.signal);
    if (!abort.signal.aborted) reply({ type: 'result', id: request.id, value });
  } catch (error) {
    if (abort.signal.aborted) return;
    const known = error instanceof ModelError ? error : null;
    reply({
      type: 'failure',
      id: request.id,
      code: known?.code ?? 'run-failed',
      message: known?.message ?? 'The model could not process this.',
    });
  }
}

port.onMessage((raw) => {
  const message = raw as ToModelProcess;
  if (message.type === 'abort') {
    aborts.get(message.id)?.abort();
    return;
  }
  const abort = new AbortController();
  aborts.set(message.id, abort);
  tail = tail.then(() => answer(message, abort)).finally(() => aborts.delete(message.id));
});
