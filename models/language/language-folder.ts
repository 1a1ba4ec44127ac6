import {
  contextOf,
  type Dtype,
  examineFolder,
  type Family,
  familyOf,
  readConfig,
  requireFiles,
  weightsOf,
} from '../writer/model-folder.ts';

/** What a language model's folder says of it. */
export interface LanguageFolder {
  /** How it takes pictures; null when it reads words only. */
  family: Family | null;
  /** Tokens of prompt and answer together; null when the configuration does not say. */
  contextTokens: number | null;
}

/**
 * Looks whether everything a language model needs is in its folder: a vision-language model's, or a causal language model's.
 * Loads nothing.
 * @throws ModelError load-failed, naming the first file that is missing or empty
 */
export async function examineLanguageFolder(folder: string, dtype: Dtype): Promise<LanguageFolder> {
  const config = await readConfig(folder);
  if (familyOf(config)) return examineFolder(folder, dtype);
  await requireFiles(folder, [
    'tokenizer.json',
    'tokenizer_config.json',
    ...weightsOf('model', dtype, config),
  ]);
  return { family: null, contextTokens: contextOf(config) };
}
