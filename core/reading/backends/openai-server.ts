/**
 * A language server on this computer that speaks the common chat protocol (Ollama, LM Studio, llama.cpp's server, vLLM). No key
 * is sent, no redirect is followed, and nothing leaves the computer unless the person allowed the host.
 */
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { FootnoteError } from '../../contract/index.ts';
import {
  type ChatBackend,
  type ChatMessage,
  type ChatOptions,
  type ChatReply,
  tokensOf,
} from '../agent/chat.ts';
import { serverAddress } from './loopback.ts';

/** A server that loads some GB first may take this long to its first word, ms. */
const FIRST_WORD_MS = 180_000;
const CONTEXT_TOKENS = 8192;
/** A reply longer than this is not one: the server has run away, characters. */
const REPLY_MAX_CHARS = 200_000;

const Chunk = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })).optional(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
  error: z.unknown().optional(),
});

export interface ServerOptions {
  /** Address up to and with the version: "http://127.0.0.1:11434/v1". */
  address: string;
  /** Model as the server names it. */
  model: string;
  /** Hosts the person allowed; this computer needs no leave. */
  allowedHosts?: readonly string[];
  /** Context of the model, tokens; servers do not tell. */
  contextTokens?: number;
  /** True when the model takes pictures. */
  looks?: boolean;
}

/**
 * @throws FootnoteError BAD_REQUEST for an address that is not allowed
 */
export function createServerBackend(options: ServerOptions): ChatBackend {
  const base = serverAddress(options.address, options.allowedHosts);
  const url = new URL(`${base.pathname.replace(/\/+$/, '')}/chat/completions`, base);
  const { model, looks = false, contextTokens = CONTEXT_TOKENS } = options;

  async function open(
    messages: readonly ChatMessage[],
    maxTokens: number,
    signal: AbortSignal,
  ): Promise<Response> {
    try {
      return await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        redirect: 'error',
        signal,
        body: JSON.stringify({
          model,
          messages: messages.map((message) => wire(message, looks)),
          max_tokens: maxTokens,
          temperature: 0,
          stream: true,
          stream_options: { include_usage: true },
        }),
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw new FootnoteError(
        'MODEL_MISSING',
        `No language server answers at ${base.host}. Start it, or choose another reader.`,
        { host: base.host },
        { cause: error },
      );
    }
  }

  async function chat(messages: readonly ChatMessage[], asked: ChatOptions): Promise<ChatReply> {
    const late = AbortSignal.timeout(FIRST_WORD_MS);
    const patience = new AbortController();
    const giveUp = () => patience.abort(late.reason);
    late.addEventListener('abort', giveUp, { once: true });
    const signal = AbortSignal.any([patience.signal, ...(asked.signal ? [asked.signal] : [])]);
    const reply: ChatReply = { text: '', promptTokens: 0, replyTokens: 0 };
    try {
      const response = await open(messages, asked.maxTokens, signal);
      if (!response.ok || !response.body) throw await refusal(response, base.host, model);
      let failed = false;
      const parser = createParser({
        onEvent({ data }) {
          if (data === '[DONE]') return;
          const chunk = Chunk.safeParse(parsedJson(data));
          if (!chunk.success || chunk.data.error !== undefined) {
            failed = true;
            return;
          }
          late.removeEventListener('abort', giveUp);
          const piece = chunk.data.choices?.[0]?.delta?.content ?? '';
          if (piece !== '') {
            reply.text += piece;
            asked.onText?.(piece);
          }
          if (chunk.data.usage) {
            reply.promptTokens = chunk.data.usage.prompt_tokens;
            reply.replyTokens = chunk.data.usage.completion_tokens;
          }
        },
      });
      const decoder = new TextDecoder();
      for await (const bytes of response.body) {
        parser.feed(decoder.decode(bytes, { stream: true }));
        if (failed || reply.text.length > REPLY_MAX_CHARS) break;
      }
      if (failed || reply.text.length > REPLY_MAX_CHARS)
        throw new FootnoteError('MODEL_FAILED', `The language server at ${base.host} sent no usable reply.`);
    } catch (error) {
      if (error instanceof FootnoteError) throw error;
      if (asked.signal?.aborted)
        throw new FootnoteError('CANCELLED', 'The question was cancelled.', {}, { cause: error });
      throw new FootnoteError(
        'MODEL_FAILED',
        late.aborted
          ? `The language server at ${base.host} said nothing for three minutes.`
          : `The language server at ${base.host} broke off its reply.`,
        {},
        { cause: error },
      );
    } finally {
      late.removeEventListener('abort', giveUp);
    }
    // Some servers do not count.
    if (reply.promptTokens === 0)
      reply.promptTokens = messages.reduce((sum, { text }) => sum + tokensOf(text), 0);
    if (reply.replyTokens === 0) reply.replyTokens = tokensOf(reply.text);
    return reply;
  }

  return { name: `${model} at ${base.host}`, looks, contextTokens, chat };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function wire({ role, text, frames }: ChatMessage, looks: boolean): unknown {
  if (!looks || !frames || frames.length === 0) return { role, content: text };
  const pictures = frames.map((frame) => ({
    type: 'image_url',
    image_url: { url: `data:image/jpeg;base64,${Buffer.from(frame).toString('base64')}` },
  }));
  return { role, content: [...pictures, { type: 'text', text }] };
}

async function refusal(response: Response, host: string, model: string): Promise<FootnoteError> {
  await response.body?.cancel();
  return response.status === 404
    ? new FootnoteError(
        'MODEL_MISSING',
        `The language server at ${host} does not have ${model}. Fetch it there first.`,
        {
          host,
        },
      )
    : new FootnoteError('MODEL_FAILED', `The language server at ${host} refused (${response.status}).`, {
        host,
      });
}

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * Models a server offers, by name; empty when nothing answers there.
 * @throws FootnoteError BAD_REQUEST for an address that is not allowed
 */
export async function serverModels(
  address: string,
  allowedHosts: readonly string[] = [],
  timeoutMs = 1500,
): Promise<string[]> {
  const base = serverAddress(address, allowedHosts);
  try {
    const response = await fetch(new URL(`${base.pathname.replace(/\/+$/, '')}/models`, base), {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const parsed = ModelList.safeParse(await response.json());
    return parsed.success ? parsed.data.data.map(({ id }) => id) : [];
  } catch {
    // Not there, or no such server: there is nothing to offer.
    return [];
  }
}
