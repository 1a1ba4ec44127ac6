import type { ModelClient } from '../../models/client.ts';
import { ModelError } from '../../models/errors.ts';
import { examineLanguageFolder } from '../../models/language/language-folder.ts';
import type { Location } from '../../models/store/index.ts';
import { sessionThreads } from '../../models/threads.ts';
import { FootnoteError } from '../contract/errors.ts';
import type { ChatBackend } from '../reading/agent/chat.ts';
import type { Entails } from '../reading/agent/verify.ts';
import type { ModelCare } from './model-care.ts';

/** Time for one reply, ms: 512 tokens at 4 a second, the slowest machine worth waiting for. */
const REPLY_DEADLINE_MS = 120_000;
/** Longer conversations take minutes to read on a processor alone, tokens. */
const CONTEXT_MAX = 8192;
const CONTEXT_UNKNOWN = 2048;

/** How a model of the catalogue is named to the process that runs it; null when it is not of that kind. */
function sourceOf({ model }: Location) {
  const loading = model?.entry.loading;
  if (!model || loading?.by !== 'transformers') return null;
  return { id: model.id, folder: model.folder, dtype: loading.dtype, threads: sessionThreads() };
}

/**
 * The language model of this machine as the agent's backend: the writer's model, which reads as well as it writes; null where
 * there is none.
 * @param client whoever holds the model; used for nothing a search waits for
 */
export async function languageBackendOf(
  location: Location,
  client: Pick<ModelClient, 'generate'>,
  care: Pick<ModelCare, 'failed' | 'unloadable'>,
): Promise<ChatBackend | null> {
  const source = sourceOf(location);
  if (!source || care.unloadable(source.id) !== null) return null;
  const { id, ...model } = source;
  let contextTokens: number;
  let looks: boolean;
  try {
    const found = await examineLanguageFolder(model.folder, model.dtype);
    contextTokens = Math.min(found.contextTokens ?? CONTEXT_UNKNOWN, CONTEXT_MAX);
    looks = found.family !== null;
  } catch {
    // Told where models are looked at; a question is answered without it.
    return null;
  }
  return {
    name: id,
    looks,
    contextTokens,
    async chat(messages, { maxTokens, signal, onText }) {
      try {
        const reply = await client.generate(
          { model, messages, maxNewTokens: maxTokens, deadlineMs: REPLY_DEADLINE_MS },
          { ...(signal && { signal }), ...(onText && { onText }) },
        );
        return { text: reply.text, promptTokens: reply.promptTokens, replyTokens: reply.tokens };
      } catch (error) {
        if (signal?.aborted)
          throw new FootnoteError('CANCELLED', 'The question was cancelled.', {}, { cause: error });
        if (error instanceof ModelError && error.code === 'load-failed') await care.failed(id);
        throw new FootnoteError(
          'MODEL_FAILED',
          `The model ${id} gave no reply.`,
          { model: id },
          { cause: error },
        );
      }
    },
  };
}

/** Judges whether evidence bears a sentence out, by the entailment model of this machine; null where there is none. */
export function entailsOf(location: Location, client: Pick<ModelClient, 'entail'>): Entails | null {
  const source = sourceOf(location);
  if (!source) return null;
  const { id: _, ...model } = source;
  return async (pairs) => {
    const judged = await client.entail({ kind: 'entailment', model }, pairs);
    return judged.map(({ entailment }) => entailment);
  };
}
