import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureEmbedder } from '../../models/embedding/image-text/picture-embedder.ts';
import type { Episode } from '../contract/index.ts';
import type { Library } from '../library/library.ts';
import type { Memory } from '../memory/memory.ts';
import type { PictureMemory } from '../memory/pictures/picture-memory.ts';

/** Episodes of one write: what a kill loses, and what an import that comes in between waits for. */
const BATCH = 8;
/** Batches after which the table is tidied while a whole library is worked through. */
const TEND_EVERY = 64;

export interface PictureIndexerDeps {
  library: Library;
  memory: Pick<Memory, 'getEpisode'> & PictureMemory;
  /** The image model there is now; null for none. */
  embedder(): Promise<PictureEmbedder | null>;
}

/** Has keyframes looked at by the image model: those of an import as it goes, and what earlier imports left, in the background. */
export interface PictureIndexer {
  /** Takes up the image model that is here now, and goes on with whatever it has not looked at. Never fails. */
  takeUp(): Promise<void>;
  /** Has the keyframes of episodes that were just stored looked at. Never fails: what could not be done now is done later. */
  add(episodes: readonly Episode[]): Promise<void>;
  /** Makes what was added findable: brings indexes up to date, and measures anew what nearness means when there is more. Never fails. */
  tend(): Promise<void>;
  /** Resolves when nothing is left to do, or nothing more can be done now. */
  settled(): Promise<void>;
  /** What keeps it from going on, in words; null when nothing does. */
  trouble(): string | null;
  close(): Promise<void>;
}

/**
 * The keyframes read here are the stored ones, which are redacted. Whatever moment a kill chooses, the next `takeUp` finds which episodes
 * have no pictures; a search sees those that do.
 */
export function createPictureIndexer({ library, memory, embedder }: PictureIndexerDeps): PictureIndexer {
  const abort = new AbortController();
  let model: PictureEmbedder | null = null;
  let trouble: string | null = null;
  let filling: Promise<void> | null = null;
  /** Another model may have been taken up while a library was worked through: then what is missing is asked again. */
  let again = false;
  let tail: Promise<void> = Promise.resolve();

  async function jpegsOf(episode: Episode): Promise<Uint8Array[]> {
    const dir = library.keyframesDir(episode.recordingId);
    return Promise.all(
      // One that is gone or cannot be read embeds to nothing, as a damaged one does.
      episode.keyframes.map(({ file }) => readFile(join(dir, file)).catch(() => new Uint8Array(0))),
    );
  }

  async function look(episodes: readonly Episode[]): Promise<void> {
    const looking = model;
    if (!looking || trouble !== null || episodes.length === 0) return;
    const jpegs = await Promise.all(episodes.map(jpegsOf));
    const vectors = await looking.embedImages(jpegs.flat(), abort.signal);
    let at = 0;
    const pictures = episodes.map((episode, n) => {
      const from = at;
      at += jpegs[n]!.length;
      return { episodeId: episode.id, vectors: vectors.slice(from, at) };
    });
    await memory.putPictures(looking.name, pictures);
  }

  /** One job after the other, so that an import's pictures and the rest take turns. A model that fails is left alone until `takeUp`. */
  function inTurn(job: () => Promise<void>): Promise<void> {
    const work = tail.then(job).catch((error: unknown) => {
      if (!abort.signal.aborted) trouble = (error as Error).message;
    });
    tail = work;
    return work;
  }

  async function fill(): Promise<void> {
    while (again && trouble === null && !abort.signal.aborted) {
      again = false;
      await fillOnce();
    }
  }

  async function fillOnce(): Promise<void> {
    let missing: string[] = [];
    await inTurn(async () => {
      missing = await memory.episodesWithoutPictures();
    });
    for (let at = 0, batch = 1; at < missing.length && trouble === null; at += BATCH, batch += 1) {
      if (abort.signal.aborted) return;
      const ids = missing.slice(at, at + BATCH);
      await inTurn(async () => {
        const episodes = await Promise.all(ids.map((id) => memory.getEpisode(id)));
        await look(episodes.filter((episode) => episode !== null));
        // Early once, so that the first pictures can be found while the rest is worked through.
        if (batch === 1 || batch % TEND_EVERY === 0) await memory.tendPictures();
      });
    }
    await tend();
  }

  function tend(): Promise<void> {
    return inTurn(async () => {
      if (model && trouble === null && !abort.signal.aborted) await memory.tendPictures();
    });
  }

  return {
    async takeUp() {
      await inTurn(async () => {
        model = await embedder();
        trouble = null;
        await memory.setPictureModel(model);
      });
      if (!model || abort.signal.aborted) return;
      again = true;
      filling ??= fill().finally(() => {
        filling = null;
      });
    },
    async add(episodes) {
      for (let at = 0; at < episodes.length; at += BATCH) {
        await inTurn(() => look(episodes.slice(at, at + BATCH)));
      }
    },
    tend,
    async settled() {
      while (filling) await filling;
      await tail;
    },
    trouble: () => trouble,
    async close() {
      abort.abort();
      await filling;
      await tail;
    },
  };
}
