import type { ImageTextHost } from './embedding/image-text/image-text-host.ts';
import { TextHost } from './embedding/text-host.ts';
import type { EntailmentHost } from './entailment/entailment-host.ts';
import { ModelError } from './errors.ts';
import { giveWay } from './give-way.ts';
import type { LanguageHost } from './language/language-host.ts';
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

const textHost = new TextHost();
/** Its library takes seconds to load, which a search must not wait for. */
const writerHost = lazy<WriterHost>(async () => {
  giveWay();
  return new (await import('./writer/writer-host.ts')).WriterHost();
});
const imageTextHost = lazy<ImageTextHost>(
  async () => new (await import('./embedding/image-text/image-text-host.ts')).ImageTextHost(),
);

const languageHost = lazy<LanguageHost>(
  async () => new (await import('./language/language-host.ts')).LanguageHost(),
);
const entailmentHost = lazy<EntailmentHost>(
  async () => new (await import('./entailment/entailment-host.ts')).EntailmentHost(languageHost),
);

const handlers: {
  [T in TaskName]: (
    input: ModelTasks[T]['input'],
    signal: AbortSignal,
    onText: (piece: string) => void,
  ) => Promise<ModelTasks[T]['output']>;
} = {
  embed: ({ model, texts, kind }, signal) => textHost.embed(model, texts, kind, signal),
  embedImages: async ({ model, jpegs }, signal) => (await imageTextHost()).embedImages(model, jpegs, signal),
  embedTexts: async ({ model, texts }, signal) => (await imageTextHost()).embedTexts(model, texts, signal),
  describe: async (request, signal) => (await writerHost()).describe(request, signal),
  generate: async (request, signal, onText) => (await languageHost()).generate(request, signal, onText),
  score: async ({ model, items }, signal) => (await languageHost()).score(model, items, signal),
  choose: async ({ model, items }, signal) => (await languageHost()).choose(model, items, signal),
  entail: async ({ judge, pairs }, signal) => (await entailmentHost()).entail(judge, pairs, signal),
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
      onText: (piece: string) => void,
    ) => Promise<ModelTasks[TaskName]['output']>;
    const value = await handle(request.input, abort.signal, (text) => {
      if (!abort.signal.aborted) reply({ type: 'piece', id: request.id, text });
    });
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
