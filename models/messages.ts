import type { ImageTextModel } from './embedding/image-text/image-text-model.ts';
import type { TextModel } from './embedding/text-model.ts';
import type { Entailment, Pair } from './entailment/entailment.ts';
import type { JudgeSource } from './entailment/entailment-host.ts';
import type { ModelErrorCode } from './errors.ts';
import type { Choice, Generated, TokenScores } from './language/chat.ts';
import type { ChooseItem, GenerateRequest, LanguageSource, ScoreItem } from './language/language-host.ts';
import type { Description } from './writer/vision-writer.ts';
import type { DescribeRequest } from './writer/writer-host.ts';

/** What the model process can be asked to do; a new task is one more entry here and one more handler in `process.ts`. */
export interface ModelTasks {
  /** Texts to unit vectors. */
  embed: { input: { model: TextModel; texts: string[]; kind: 'query' | 'passage' }; output: Float32Array[] };
  /** JPEGs to unit vectors; null for bytes that are no picture. */
  embedImages: { input: { model: ImageTextModel; jpegs: Uint8Array[] }; output: (Float32Array | null)[] };
  /** Texts to unit vectors of the space that pictures are in. */
  embedTexts: { input: { model: ImageTextModel; texts: string[] }; output: Float32Array[] };
  /** Frames and text to text with a vision-language model; blocks the process while it writes. */
  describe: { input: DescribeRequest; output: Description };
  /** A conversation to its next turn, told piece by piece. */
  generate: { input: GenerateRequest; output: Generated };
  /** How likely a language model finds given replies. */
  score: { input: { model: LanguageSource; items: ScoreItem[] }; output: TokenScores[] };
  /** Which of given answers a language model would begin with. */
  choose: { input: { model: LanguageSource; items: ChooseItem[] }; output: Choice[] };
  /** Whether sentences follow from texts. */
  entail: { input: { judge: JudgeSource; pairs: Pair[] }; output: Entailment[] };
}

export type TaskName = keyof ModelTasks;

/** From the engine. Answers come in any order; ids never repeat within one process. */
export type ToModelProcess =
  | { [T in TaskName]: { type: 'request'; id: number; task: T; input: ModelTasks[T]['input'] } }[TaskName]
  | { type: 'abort'; id: number };

/** To the engine: any number of pieces, then exactly one result or failure, for each request that was not aborted. */
export type FromModelProcess =
  | { type: 'piece'; id: number; text: string }
  | { type: 'result'; id: number; value: ModelTasks[TaskName]['output'] }
  | { type: 'failure'; id: number; code: ModelErrorCode; message: string };
