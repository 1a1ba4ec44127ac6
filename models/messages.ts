import type { ModelErrorCode } from './errors.ts';
import type { Description } from './writer/vision-writer.ts';
import type { DescribeRequest } from './writer/writer-host.ts';

/** What the model process can be asked to do; a new task is one more entry here and one more handler in `process.ts`. */
export interface ModelTasks {
  /** Texts to unit vectors with the static embedder. */
  embed: { input: { texts: string[]; kind: 'query' | 'passage' }; output: Float32Array[] };
  /** Frames and text to text with a vision-language model; blocks the process while it writes. */
  describe: { input: DescribeRequest; output: Description };
}

export type TaskName = keyof ModelTasks;

/** From the engine. Answers come in any order; ids never repeat within one process. */
export type ToModelProcess =
  | { [T in TaskName]: { type: 'request'; id: number; task: T; input: ModelTasks[T]['input'] } }[TaskName]
  | { type: 'abort'; id: number };

/** To the engine: exactly one for each request that was not aborted. */
export type FromModelProcess =
  | { type: 'result'; id: number; value: ModelTasks[TaskName]['output'] }
  | { type: 'failure'; id: number; code: ModelErrorCode; message: string };
