import { createHash } from 'node:crypto';
import { ModelError } from '../errors.ts';
import { AT_HAND } from './at-hand.ts';
import type { ModelEntry, ModelTask } from './entry.ts';
import { LANGUAGE_AND_VOICE } from './language-and-voice.ts';
import { PICTURES } from './pictures.ts';
import { SMALL_WRITERS } from './small-writers.ts';
import { SPEECH } from './speech.ts';
import { TEXT_EMBEDDINGS } from './text-embeddings.ts';
import { WRITERS } from './writers.ts';

export * from './entry.ts';

/** Every model Footnote knows, each pinned. CHECKED.md says how far each was checked. */
export const CATALOGUE: readonly ModelEntry[] = [
  ...WRITERS,
  ...SMALL_WRITERS,
  ...SPEECH,
  ...TEXT_EMBEDDINGS,
  ...PICTURES,
  ...LANGUAGE_AND_VOICE,
  ...AT_HAND,
];

/** The model a task is best begun with: what is offered while there is none, and how a task gets on without it. */
export const TASKS: Readonly<Record<ModelTask, { readonly recommended: string; readonly without: string }>> =
  {
    writer: {
      recommended: 'qwen3.5-0.8b',
      without:
        'Text is put together from what was measured: speech, visible text, people, motion, place and time.',
    },
    speech: {
      recommended: 'whisper-base',
      without: 'Speech is known from subtitle files only; everything else works.',
    },
    'text-embedding': {
      recommended: 'bge-small-en-v1.5',
      without: 'Search goes by words alone.',
    },
    'image-embedding': {
      recommended: 'siglip2-base',
      without: 'Pictures are found by what was written about them.',
    },
    entailment: {
      recommended: 'nli-deberta-v3-xsmall',
      without: 'Sentences are held against their evidence by words, numbers and times only.',
    },
    'text-reading': { recommended: 'pp-ocr-v4', without: 'Visible text is not read.' },
    faces: { recommended: 'centerface', without: 'Without any face detector no picture is stored.' },
    'voice-activity': {
      recommended: 'silero-vad-5',
      without: 'Where somebody speaks is guessed from loudness.',
    },
    'speaker-embedding': { recommended: 'wespeaker-resnet34', without: 'Speech is not marked by speaker.' },
  };

/** @throws ModelError unknown-model */
export function entryOf(id: string, catalogue: readonly ModelEntry[] = CATALOGUE): ModelEntry {
  const entry = catalogue.find((one) => one.id === id);
  if (!entry) {
    throw new ModelError('unknown-model', `There is no model called "${id.slice(0, 80)}" in the catalogue.`);
  }
  return entry;
}

/** Twelve hex digits that name an entry's very weights: of its commit, or of all its files' hashes where it has none. */
export function versionOf(entry: ModelEntry): string {
  if (entry.revision) return entry.revision.slice(0, 12);
  const hash = createHash('sha256');
  for (const { path, sha256 } of entry.files) hash.update(`${path} ${sha256}\n`);
  return hash.digest('hex').slice(0, 12);
}

/** Bytes of all files; `exact` is false when some size is missing and the entry's own estimate, or the sum of the rest, stands for it. */
export function sizeOf(entry: ModelEntry): { bytes: number; exact: boolean } {
  const known = entry.files.reduce((sum, file) => sum + (file.size ?? 0), 0);
  const exact = entry.files.every((file) => file.size !== null);
  return { bytes: exact ? known : Math.max(known, entry.aboutBytes ?? 0), exact };
}
