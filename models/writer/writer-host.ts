import { OneAtATime } from '../one-at-a-time.ts';
import { framesOfJpegs } from './jpeg-frames.ts';
import type { Dtype } from './model-folder.ts';
import type { RecordShape } from './record-shape.ts';
import { type Description, loadVisionWriter } from './vision-writer.ts';

/** Which model is to write. */
export interface WriterModel {
  /** Absolute path of its folder. */
  folder: string;
  dtype: Dtype;
  threads: number;
}

/** One description, as it crosses to the model process. */
export interface DescribeRequest {
  model: WriterModel;
  system: string | null;
  /** JPEGs in time order; none for plain text. */
  frames: Uint8Array[];
  text: string;
  /** Of the text; 0 for a record alone. */
  maxNewTokens: number;
  /** JSON to be written after the text, in the same visit. */
  record?: RecordShape | null;
  /** Time the answer may take, loading not counted, ms. */
  deadlineMs: number;
}

/** Holds one vision-language model at a time; asking for another frees the one before. */
export class WriterHost {
  readonly #models = new OneAtATime((model: WriterModel) => loadVisionWriter(model.folder, model));

  /** @throws ModelError load-failed, run-failed; the signal's reason when aborted */
  async describe(request: DescribeRequest, signal: AbortSignal): Promise<Description> {
    const frames = await framesOfJpegs(request.frames);
    const writer = await this.#models.get(request.model);
    const { system, text, maxNewTokens, record = null, deadlineMs } = request;
    return writer.describe({ system, frames, text }, { maxNewTokens, record, deadlineMs, signal });
  }
}
