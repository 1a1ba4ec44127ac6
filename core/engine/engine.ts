import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { createModelClient } from '../../models/client.ts';
import type { SpawnProcess } from '../../models/port.ts';
import { type ModelStore, openStore, type PackageClient } from '../../models/store/index.ts';
import type { ImportJob } from '../contract/index.ts';
import { parseMediaId } from '../contract/media.ts';
import { type ImportQueue, openImportQueue } from '../importing/import-queue.ts';
import { createJobStore } from '../importing/job-store.ts';
import { createPerceptionClient } from '../importing/perception-client.ts';
import { type Library, openLibrary } from '../library/library.ts';
import { openMemory } from '../memory/lance-memory.ts';
import type { Memory } from '../memory/memory.ts';
import { createExtractiveReader } from '../reading/extractive-reader.ts';
import type { Reader } from '../reading/reader.ts';
import { searchText } from '../writing/search-text.ts';
import { Changes } from './changes.ts';
import { ModelService } from './models/model-service.ts';
import { createReaderService, type ReaderService } from './reader-choice.ts';
import { createRouter, type EngineClient } from './router.ts';
import { speechModelOf, voiceModelOf } from './speech-model.ts';
import { writerOf } from './vision-model.ts';

/** Some GB of model are let go when nothing was written for this long, ms. */
const WRITER_IDLE_MS = 120_000;

export interface EngineOptions {
  /** Library folder; made when missing unless `readOnly`. */
  library: string;
  /** How the model and perception processes are started. */
  spawn: SpawnProcess;
  /** Only read: several may, beside one writer. */
  readOnly?: boolean;
  /** Go on with imports that a kill or quit left unfinished. */
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
  /** Models that were fetched; nothing is fetched from here. */
  store: ModelStore;
  /** Fetches, checks, removes and chooses them. */
  models: ModelService;
  /** Null when the library is open read-only. */
  imports: ImportQueue | null;
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
  const models = createModelClient(options.spawn);
  // A process of its own, which a search never waits for; it starts with the first segment a model writes, and ends when idle.
  const writing = createModelClient(options.spawn, { idleMs: WRITER_IDLE_MS });
  const closers: (() => Promise<void> | void)[] = [
    () => library.release(),
    () => models.close(),
    () => writing.close(),
  ];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    const memory = await openMemory({
      dir: library.memoryDir,
      embedder: models.textEmbedder(),
      searchText,
      readOnly,
    });
    closers.push(() => memory.close());
    const changes = new Changes<ImportJob>();
    const store =
      options.models ?? openStore({ dir: join(library.root, 'models'), packages: options.packages ?? null });
    // Writer and speech are looked for at each chapter, so a model that came or went is taken up there.
    const modelService = new ModelService({ store });
    closers.push(() => modelService.close());
    let imports: ImportQueue | null = null;
    if (!readOnly) {
      imports = await openImportQueue(
        {
          library,
          memory,
          store: createJobStore(library.jobsDir, library.workDir),
          writer: async () => writerOf(await store.locate('writer'), writing),
          perception: createPerceptionClient(options.spawn),
          speechModel: async () => speechModelOf(await store.locate('speech')),
          voiceModel: async () => voiceModelOf(await store.locate('speaker-embedding')),
          computerZone: zone,
          now,
        },
        { onChange: (job) => changes.publish(job.id, job), goOn: resumeImports },
      );
      const queue = imports;
      closers.push(() => queue.close());
    }
    const planner = createExtractiveReader(memory);
    // A library opened to stay is soon asked; a command that only reads asks at once.
    if (!readOnly) void planner.warm();
    const readers = createReaderService({
      library,
      memory,
      planner,
      video: null,
      entails: async () => null,
      localModel: async () => null,
    });
    const parts: EngineParts = {
      library,
      memory,
      planner,
      readers,
      store,
      models: modelService,
      imports,
      changes,
      zone,
      now,
    };
    const router = createRouter(parts);
    return {
      router,
      client: createRouterClient(router),
      library,
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
