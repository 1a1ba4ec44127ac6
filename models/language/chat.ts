/** One turn of a conversation. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  /** Whatever it holds, the tokenizer's own marks in it are taken for text. */
  text: string;
  /** JPEGs in time order, put before the text; only for a model that looks. */
  frames?: readonly Uint8Array[];
}

/** How tokens are drawn. Same seed, same model, same prompt: same text, on the same machine with the same number of threads. */
export interface Sampling {
  /** A whole number, 0 or more. */
  seed: number;
  /** Over 0; 1 leaves the model's distribution as it is. */
  temperature: number;
  /** 0 < topP <= 1: only the likeliest tokens that hold this much probability are drawn from (Holtzman et al. 2020, nucleus sampling). */
  topP: number;
}

export interface GenerateOptions {
  /** 1 or more. */
  maxNewTokens: number;
  /** Null: always the likeliest token. */
  sampling?: Sampling | null;
  /** The text ends before the first of these that appears. */
  stop?: readonly string[];
  /** Over 1 makes tokens that already stand in prompt or answer less likely (Keskar et al. 2019); 1 changes nothing. */
  repetitionPenalty?: number;
  /** Ends the answer after this long, ms; looked at after each token. */
  deadlineMs?: number;
  /** Most tokens of the prompt; the model's own limit holds as well. */
  maxPromptTokens?: number;
}

export interface Generated {
  /** Without white space at its ends; the pieces that were streamed, put together. */
  text: string;
  /** Tokens that were generated, and tokens of the prompt. */
  tokens: number;
  promptTokens: number;
  /** Wall time, loading not counted, s. */
  seconds: number;
  /** The model came to its end, a stop string, the number of tokens, or the deadline. */
  ended: 'complete' | 'stop' | 'length' | 'deadline';
}

/** How likely a model finds a text it is given, token by token; all lists are of one length. Logarithms are natural. */
export interface TokenScores {
  /** The text in tokens. */
  ids: number[];
  pieces: string[];
  /** log p(token | prompt and tokens before it). */
  logProbabilities: number[];
  /** The same of the likeliest token there: 0 or more above the one before. */
  bestLogProbabilities: number[];
  /** Entropy of the whole distribution there, nats. */
  entropies: number[];
  promptTokens: number;
}

/** Which of some answers a model would begin with. */
export interface Choice {
  /** In the order of the answers; sums to 1. */
  probabilities: number[];
  /** Probability of all of them together, 0..1: near 0 the model would say something else. */
  mass: number;
}
