import type { Answer, ReaderStep, ThreadTurn } from '../contract/index.ts';

export interface AskOptions {
  /** The question's instant, epoch ms: nothing after it is read. */
  nowMs: number;
  /** The asker's zone, for the time words of the question. */
  zone: string;
  signal?: AbortSignal;
  /** Called with each step as it is taken. */
  onStep?: (step: ReaderStep) => void;
  /** Called with each sentence of the answer that stands. */
  onText?: (sentence: string) => void;
  /** Earlier turns of the same thread, oldest first. */
  thread?: readonly ThreadTurn[];
}

/** Whatever answers questions from the memory: the planner that needs no model, and later an agent with one. */
export interface Reader {
  /** Name and version, as answers give it. */
  readonly name: string;
  /** Loads what the first question would wait for (tables, the embedding). Never fails; for the background, once. */
  warm(): Promise<void>;
  /**
   * Answers a question.
   * @throws FootnoteError BAD_REQUEST for an empty question or an invalid instant or zone, CANCELLED when aborted
   */
  ask(question: string, options: AskOptions): Promise<Answer>;
}
