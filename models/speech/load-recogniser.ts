import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import {
  AutoProcessor,
  AutoTokenizer,
  env,
  MoonshineForConditionalGeneration,
  type PreTrainedModel,
  WhisperForConditionalGeneration,
} from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { MoonshineRecogniser } from './moonshine-recogniser.ts';
import type { SpeechRecogniser } from './speech-recogniser.ts';
import { WhisperRecogniser } from './whisper-recogniser.ts';

export interface SpeechRecogniserOptions {
  /** Name and version to keep with what it hears. */
  name: string;
  version: string;
  /** Folder of the model's files, laid out as transformers.js expects. */
  folder: string;
  /** Precision of the weights ("q8"); left out, config.json's own. */
  dtype?: string;
}

/** Threads: two spinning threads on two cores were slower than one. */
function threads(): number {
  return availableParallelism() >= 4 ? 2 : 1;
}

/**
 * Loads a Whisper model (English-only or multilingual) or an English Moonshine model from a folder. Nothing is fetched.
 * @throws ModelError load-failed when files are missing or broken, or the folder holds another kind of model
 */
export async function loadSpeechRecogniser(options: SpeechRecogniserOptions): Promise<SpeechRecogniser> {
  const { name, folder, dtype } = options;
  try {
    // A name that is missing once stays missing for the library's whole process.
    await Promise.all(
      ['generation_config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json'].map(
        (file) => stat(`${folder}/${file}`),
      ),
    );
    const { model_type: kind } = JSON.parse(await readFile(`${folder}/config.json`, 'utf8'));
    env.localModelPath = dirname(folder);
    env.allowRemoteModels = false;
    const id = basename(folder);
    const local = { local_files_only: true };
    const load = async <Model extends PreTrainedModel>(type: {
      from_pretrained(id: string, options: object): Promise<PreTrainedModel>;
    }) =>
      (await type.from_pretrained(id, {
        ...local,
        ...(dtype ? { dtype } : {}),
        session_options: {
          intraOpNumThreads: threads(),
          interOpNumThreads: 1,
          executionMode: 'sequential',
          logSeverityLevel: 3,
        },
      })) as Model;
    if (kind === 'whisper') {
      const processor = await AutoProcessor.from_pretrained(id, local);
      return new WhisperRecogniser(options, await load(WhisperForConditionalGeneration), processor);
    }
    if (kind === 'moonshine') {
      const tokenizer = await AutoTokenizer.from_pretrained(id, local);
      return new MoonshineRecogniser(options, await load(MoonshineForConditionalGeneration), tokenizer);
    }
    throw new Error(`it is a ${kind} model`);
  } catch (cause) {
    throw new ModelError('load-failed', `The speech model ${name} cannot be loaded.`, { cause });
  }
}
