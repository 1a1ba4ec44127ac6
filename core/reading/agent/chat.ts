/** What the agent needs of a language model, whichever serves it. */

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  text: string;
  /** JPEGs in time order, redacted; only for a backend that looks. */
  frames?: readonly Uint8Array[];
}

export interface ChatOptions {
  /** Longest reply, tokens. */
  maxTokens: number;
  signal?: AbortSignal;
  /** Called with each piece of text as it is written. */
  onText?: (piece: string) => void;
}

export interface ChatReply {
  text: string;
  promptTokens: number;
  replyTokens: number;
}

/** A model that continues a conversation: one inside the model process, or a server on this computer. */
export interface ChatBackend {
  /** As answers name it. */
  readonly name: string;
  /** Whether it takes pictures. */
  readonly looks: boolean;
  /** Prompt and reply together, tokens. */
  readonly contextTokens: number;
  /**
   * @throws FootnoteError MODEL_MISSING when the model or its server is not there, MODEL_FAILED when it fails, CANCELLED
   */
  chat(messages: readonly ChatMessage[], options: ChatOptions): Promise<ChatReply>;
}

/** Characters of English a token stands for, on the safe side; backends count exactly only afterwards. */
const CHARS_A_TOKEN = 3.5;

/** Tokens a text may take, estimated high. */
export const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_A_TOKEN);
