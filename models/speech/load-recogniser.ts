import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import {
  AutoProcessor,
  AutoTokenizer,
  env,
  MoonshineForConditionalGeneration,
  WhisperForConditionalGeneration,
} from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { withFastestDevice } from '../runtime.ts';
import { MoonshineRecogniser } from './moonshine-recogniser.ts';
import { SPEECH_RATE, type SpeechRecogniser } from './speech-recogniser.ts';
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

/** Two spinning threads on two cores were slower than one. */
const MOST_THREADS = 2;
const LOCAL = { local_files_only: true } as const;

/** All of a recogniser but its sessions, which are opened with the options given. */
async function opener(
  kind: string,
  options: SpeechRecogniserOptions,
  id: string,
): Promise<(sessions: object) => Promise<SpeechRecogniser>> {
  if (kind === 'whisper') {
    const processor = await AutoProcessor.from_pretrained(id, LOCAL);
    return async (sessions) => {
      const model = await WhisperForConditionalGeneration.from_pretrained(id, sessions);
      return new WhisperRecogniser(options, model as WhisperForConditionalGeneration, processor);
    };
  }
  if (kind === 'moonshine') {
    const tokenizer = await AutoTokenizer.from_pretrained(id, LOCAL);
    return async (sessions) => {
      const model = await MoonshineForConditionalGeneration.from_pretrained(id, sessions);
      return new MoonshineRecogniser(options, model as MoonshineForConditionalGeneration, tokenizer);
    };
  }
  throw new Error(`it is a ${kind} model`);
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
    const open = await opener(kind, options, id);
    return await withFastestDevice(folder, {
      load: ({ device, session_options }) =>
        open({
          ...LOCAL,
          ...(dtype ? { dtype } : {}),
          device,
          session_options: {
            ...session_options,
            intraOpNumThreads: Math.min(MOST_THREADS, session_options.intraOpNumThreads),
            executionMode: 'sequential',
          },
        }),
      run: (recogniser) => recogniser.recognise(new Float32Array(SPEECH_RATE)),
      dispose: (recogniser) => recogniser.dispose(),
    });
  } catch (cause) {
    throw new ModelError('load-failed', `The speech model ${name} cannot be loaded.`, { cause });
  }
}
