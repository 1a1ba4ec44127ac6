import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelError } from '../errors.ts';

/** Weights' precision as a file name tells it: one for all sessions, or one a session. */
export type Dtype = string | Readonly<Record<string, string>>;

/** How a model takes pictures: as fixed squares with a fixed number of tokens, or as patches in the picture's own shape. */
export type Family = 'squares' | 'patches';

export interface ModelFolder {
  family: Family;
  /** Tokens of prompt and answer together; null when the configuration does not say. */
  contextTokens: number | null;
}

const FAMILIES: Readonly<Record<string, Family>> = {
  idefics3: 'squares',
  smolvlm: 'squares',
  qwen2_vl: 'patches',
  qwen2_5_vl: 'patches',
  qwen3_vl: 'patches',
  qwen3_vl_moe: 'patches',
  qwen3_5: 'patches',
  qwen3_5_moe: 'patches',
};

const SESSIONS = ['embed_tokens', 'decoder_model_merged', 'vision_encoder'] as const;

/** Ends of weights' file names, as transformers.js 4 has them. */
const SUFFIXES: Readonly<Record<string, string>> = {
  fp32: '',
  fp16: '_fp16',
  int8: '_int8',
  uint8: '_uint8',
  q8: '_quantized',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

export interface Config {
  model_type?: string;
  max_position_embeddings?: number;
  text_config?: { max_position_embeddings?: number };
  'transformers.js_config'?: {
    use_external_data_format?: number | boolean | Record<string, number | boolean>;
  };
}

/** The error for a folder that cannot be used, and why. */
export function unusable(what: string, cause?: unknown): ModelError {
  return new ModelError('load-failed', `The model cannot be loaded: ${what}.`, { cause });
}

/** Whether models of this type (`model_type` of their configuration) can look and write. */
export function isWriterType(type: string): boolean {
  return Object.hasOwn(FAMILIES, type);
}

/** Names of the weights of one session, data that lies outside the graph included. */
export function weightsOf(session: string, dtype: Dtype, config: Config): string[] {
  const chosen = typeof dtype === 'string' ? dtype : (dtype[session] ?? 'fp32');
  const suffix = SUFFIXES[chosen];
  if (suffix === undefined) throw unusable(`“${chosen}” is no precision of weights`);
  const graph = `${session}${suffix}.onnx`;
  const external = config['transformers.js_config']?.use_external_data_format ?? 0;
  const chunks = Number(
    typeof external === 'object' ? (external[graph] ?? external[session] ?? 0) : external,
  );
  return [graph, ...Array.from({ length: chunks }, (_, n) => `${graph}_data${n === 0 ? '' : `_${n}`}`)].map(
    (name) => `onnx/${name}`,
  );
}

/** @throws ModelError load-failed when config.json is missing or damaged */
export async function readConfig(folder: string): Promise<Config> {
  try {
    return JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')) as Config;
  } catch (error) {
    throw unusable('config.json is missing or damaged', error);
  }
}

/** @throws ModelError load-failed, naming the first file that is missing or empty */
export async function requireFiles(folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const bytes = await stat(join(folder, file)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    );
    if (bytes === 0) throw unusable(`${file} is missing or empty`);
  }
}

/** How a model takes pictures; null for one that is no vision-language model known here. */
export function familyOf(config: Config): Family | null {
  return FAMILIES[config.model_type ?? ''] ?? null;
}

/** Tokens of prompt and answer together; null when the configuration does not say. */
export function contextOf(config: Config): number | null {
  return config.text_config?.max_position_embeddings ?? config.max_position_embeddings ?? null;
}

/**
 * Looks whether everything a model needs is in its folder. transformers.js remembers for the rest of the process that a file
 * was missing, so nothing is loaded before all of it is here.
 * @throws ModelError load-failed, naming the first file that is missing or empty, or the kind of model that is not known
 */
export async function examineFolder(folder: string, dtype: Dtype): Promise<ModelFolder> {
  const config = await readConfig(folder);
  const family = familyOf(config);
  if (!family) throw unusable('it is of a kind that is not known');
  const settings = ['tokenizer.json', 'tokenizer_config.json', 'preprocessor_config.json'];
  if (family === 'squares') settings.push('processor_config.json');
  await requireFiles(folder, [
    ...settings,
    ...SESSIONS.flatMap((session) => weightsOf(session, dtype, config)),
  ]);
  return { family, contextTokens: contextOf(config) };
}
