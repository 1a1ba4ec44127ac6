import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { createModelClient } from '../../models/client.ts';
import type { SpawnProcess } from '../../models/port.ts';
import { type ModelStore, openStore, type PackageClient } from '../../models/store/index.ts';
import type { ImportJob, Status } from '../contract/index.ts';
import { parseMediaId } from '../contract/media.ts';
import { type ImportQueue, openImportQueue } from '../importing/import-queue.ts';
import { createJobStore } from '../importing/job-store.ts';
import { createPerceptionClient } from '../importing/perception-client.ts';
import { createPictureIndexer } from '../importing/picture-indexer.ts';
import { type Library, openLibrary } from '../library/library.ts';
import type { Memory } from '../memory/memory.ts';
import { createExtractiveReader } from '../reading/extractive-reader.ts';
import type { Reader } from '../reading/reader.ts';
import { searchText } from '../writing/search-text.ts';
import { Changes } from './changes.ts';
import { faceModelOf } from './face-model.ts';
import { entailsOf, languageBackendOf } from './language-model.ts';
import { createModelCare, type ModelCare } from './model-care.ts';
import { ModelService } from './models/model-service.ts';
import { pictureEmbedderOf, picturesCheck } from './picture-model.ts';
import { createReaderService, type ReaderService } from './reader-choice.ts';
import { openRewriting, type Rewriting } from './rewriting.ts';
import { createRouter, type EngineClient } from './router.ts';
import { speechModelOf, voiceModelOf } from './speech-model.ts';
import { openTextModels, type TextModels } from './text-models.ts';
import { createVideoSource } from './video-source.ts';
import { writerOf } from './vision-model.ts';

/** Some GB of model are let go when nothing was written for this long, ms. */
const WRITER_IDLE_MS = 120_000;

/** The model that reads questions about pictures stays for a while: loading it again takes some seconds. */
const ASKING_IDLE_MS = 600_000;

export interface EngineOptions {
  /** Library folder; made when missing unless `readOnly`. */
  library: string;
  /** How the model and perception processes are started. */
  spawn: SpawnProcess;
  /** Only read: several may, beside one writer. */
  readOnly?: boolean;
  /** Go on with what a kill or quit left unfinished: imports, and giving the library the vectors of a newly chosen model. */
  resumeImports?: boolean;
  /** The computer's zone, IANA; default the system's. */
  zone?: string;
  now?: () => number;
  /** Models of this machine; default those in the library's folder. */
  models?: ModelStore;
  /** How packages of registries are fetched; without it models come from hosts and folders only. */
  packages?: PackageClient;
}

/** What the routes work on. */
export interface EngineParts {
  library: Library;
  memory: Memory;
  /** Answers without a model. */
  planner: Reader;
  readers: ReaderService;
  /** Models that were fetched. */
  store: ModelStore;
  /** Fetches, checks, removes and chooses them. */
  models: ModelService;
  /** How far pictures can be found by what they show. */
  picturesCheck(): Promise<Status['checks'][number]>;
  /** Looks after what cannot be loaded. */
  care: ModelCare;
  /** The model that makes the text vectors. */
  textModels: TextModels;
  /** Null when the library is open read-only. */
  imports: ImportQueue | null;
  /** Null when the library is open read-only. */
  rewriting: Rewriting | null;
  changes: Changes<ImportJob>;
  zone: string;
  now(): number;
}

export interface Engine {
  /** The contract's router, to be served over a port, a socket or called in process. */
  router: ReturnType<typeof createRouter>;
  /** In-process client of the same router. */
  client: EngineClient;
  library: Library;
  /** Taking up another text embedding, for whoever waits for it. */
  textModels: Pick<TextModels, 'takeUpTextModel' | 'settled' | 'takingUp'>;
  /** File of a media id, or null when there is no such thing. */
  mediaFile(mediaId: string): Promise<{ path: string; type: string } | null>;
  close(): Promise<void>;
}

/**
 * Composition root: opens the library, wires memory, reader, writer and the import queue, and gives the contract's router.
 * @throws FootnoteError as `openLibrary` does
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { readOnly = false, resumeImports = true, now = Date.now } = options;
  const zone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const library = await openLibrary(options.library, { readOnly });
  // A process of its own, which a search never waits for; it starts with the first segment a model writes, and ends when idle.
  const writing = createModelClient(options.spawn, { idleMs: WRITER_IDLE_MS });
  // So has the model that reads questions about pictures: words are looked up meanwhile, and go on without it.
  const asking = createModelClient(options.spawn, { idleMs: ASKING_IDLE_MS });
  // And the one that answers: an import that writes meanwhile keeps its own.
  const reading = createModelClient(options.spawn, { idleMs: WRITER_IDLE_MS });
  const closers: (() => Promise<void> | void)[] = [
    () => library.release(),
    () => writing.close(),
    () => asking.close(),
    () => reading.close(),
  ];
  const closing = new AbortController();
  const close = async () => {
    closing.abort();
    for (const closer of closers.reverse()) await closer();
  };
  try {
    const store =
      options.models ?? openStore({ dir: join(library.root, 'models'), packages: options.packages ?? null });
    const care = createModelCare(store, closing.signal);
    const textModels = await openTextModels({
      store,
      care,
      spawn: options.spawn,
      memoryDir: library.memoryDir,
      searchText,
      readOnly,
      follow: resumeImports,
    });
    closers.push(() => textModels.close());
    const { memory } = textModels;
    const changes = new Changes<ImportJob>();
    // Writer and speech are looked for at each chapter, so a model that came or went is taken up there.
    const modelService = new ModelService({
      store,
      onChange: (task) => {
        if (task === 'text-embedding') void textModels.takeUpTextModel();
        if (task === 'image-embedding' && !readOnly) void pictures.takeUp();
      },
    });
    closers.push(() => modelService.close());
    const pictureModel = async () =>
      pictureEmbedderOf(await store.locate('image-embedding'), { looking: writing, asking });
    const pictures = createPictureIndexer({ library, memory, embedder: pictureModel });
    closers.push(() => pictures.close());
    if (readOnly) await memory.setPictureModel(await pictureModel());
    else if (resumeImports) void pictures.takeUp();
    let imports: ImportQueue | null = null;
    let rewriting: Rewriting | null = null;
    if (!readOnly) {
      imports = await openImportQueue(
        {
          library,
          memory,
          store: createJobStore(library.jobsDir, library.workDir),
          writer: async () => writerOf(await care.ready('writer'), writing, care),
          perception: createPerceptionClient(options.spawn),
          modelFailed: async (name) => void (await care.failed(name)),
          speechModel: async () => {
            const location = await care.ready('speech');
            return { model: speechModelOf(location), problem: location.problem };
          },
          voiceModel: async () => voiceModelOf(await care.ready('speaker-embedding')),
          faceModel: async () => faceModelOf(await care.ready('faces')),
          pictures,
          computerZone: zone,
          now,
        },
        { onChange: (job) => changes.publish(job.id, job), goOn: resumeImports },
      );
      const queue = imports;
      closers.push(() => queue.close());
      const rewriter = openRewriting({ library, memory, imports, store, care, writing, now });
      rewriting = rewriter;
      closers.push(() => rewriter.close());
    }
    const planner = createExtractiveReader(memory);
    // A library opened to stay is soon asked; a command that only reads asks at once.
    if (!readOnly) void planner.warm();
    const readers = createReaderService({
      library,
      memory,
      planner,
      video: createVideoSource(library),
      entails: async () => entailsOf(await store.locate('entailment'), reading),
      localModel: async () => languageBackendOf(await store.locate('writer'), reading, care),
    });
    const parts: EngineParts = {
      library,
      memory,
      planner,
      readers,
      store,
      models: modelService,
      care,
      textModels,
      picturesCheck: () => picturesCheck(store, memory, pictures.trouble()),
      imports,
      rewriting,
      changes,
      zone,
      now,
    };
    const router = createRouter(parts);
    return {
      router,
      client: createRouterClient(router),
      library,
      textModels,
      async mediaFile(mediaId) {
        const media = parseMediaId(mediaId);
        const episode = media ? await memory.getEpisode(media.episodeId) : null;
        if (!media || !episode) return null;
        if (media.kind === 'clip') {
          return episode.clip
            ? { path: join(library.clipsDir(episode.recordingId), episode.clip), type: 'video/mp4' }
            : null;
        }
        const keyframe = episode.keyframes[media.n];
        return keyframe
          ? { path: join(library.keyframesDir(episode.recordingId), keyframe.file), type: 'image/jpeg' }
          : null;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
