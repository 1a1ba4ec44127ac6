import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { createModelClient, type ModelClient } from '../../models/client.ts';
import {
  BUILT_IN_TEXT_MODEL,
  idOfTextModel,
  type TextModel,
  textModelOf,
} from '../../models/embedding/text-model.ts';
import { ModelError } from '../../models/errors.ts';
import type { SpawnProcess } from '../../models/port.ts';
import type { Location, ModelStore } from '../../models/store/index.ts';
import { type Episode, FootnoteError, type Status } from '../contract/index.ts';
import { embedderOfMemory, type LanceMemory, openMemory } from '../memory/lance-memory.ts';
import type { MemoryProblem } from '../memory/reader.ts';
import type { ModelCare } from './model-care.ts';

/** How often another process's change of models is looked for, ms; a look is two file dates. */
const LOOK_EVERY_MS = 2_000;

export interface TextModelsOptions {
  store: ModelStore;
  care: ModelCare;
  spawn: SpawnProcess;
  memoryDir: string;
  searchText: (episode: Episode) => string;
  readOnly: boolean;
  /** Take up another model when one is chosen; else the library's own goes on until `takeUpTextModel`. */
  follow: boolean;
}

/** Episodes done and of how many, on the way to another model. */
export interface TakingUp {
  title: string;
  done: number;
  total: number;
}

/**
 * Keeps the library's text vectors and the model that makes them together. A question is embedded with the model that made the vectors
 * it is held against; another model's vectors are made in a process of their own, and when all are there that process takes over.
 */
export interface TextModels {
  readonly memory: LanceMemory;
  /**
   * Looks which model should do it, and begins to give the library its vectors when they are another's. Returns when that has begun, or
   * there is nothing to do.
   */
  takeUpTextModel(): Promise<void>;
  /** Resolves when nothing is being taken up any more: done, failed or stopped. @returns what kept it from being done, in words */
  settled(): Promise<string | null>;
  /** What is being taken up now; null when nothing is. */
  takingUp(): TakingUp | null;
  check(): Promise<Status['checks'][number]>;
  close(): Promise<void>;
}

/**
 * Opens the memory with the model its vectors were made with; a new library begins with the model that is chosen.
 * @throws FootnoteError as `openMemory` does
 */
export async function openTextModels(options: TextModelsOptions): Promise<TextModels> {
  const { store, care, spawn, memoryDir, searchText, readOnly } = options;
  const known = await embedderOfMemory(memoryDir);
  const first =
    (known && (await modelNamed(store, known.name))) ??
    wanted(await store.locate('text-embedding'), care, null);
  const client = createModelClient(spawn);
  let keeper: Keeper | null = null;
  const memory = await openMemory({
    dir: memoryDir,
    embedder: client.textEmbedder(first),
    searchText,
    readOnly,
    onProblem: (problem) => keeper?.problem(problem),
  }).catch((error: unknown) => {
    client.close();
    throw error;
  });
  keeper = new Keeper(options, memory, { client, model: first });
  if (options.follow && !readOnly) keeper.follow();
  return keeper;
}

/** The model of this name, when it is here. */
async function modelNamed(store: ModelStore, name: string): Promise<TextModel | null> {
  if (name === BUILT_IN_TEXT_MODEL.name) return BUILT_IN_TEXT_MODEL;
  const located = await store.located(idOfTextModel(name));
  const model = located && textModelOf(located);
  return model?.name === name ? model : null;
}

/**
 * The model that should make the vectors: the one chosen or ranked first. When the chosen one is not to be had, the library's own goes on, so
 * that nothing is embedded twice over a passing trouble.
 */
function wanted({ model, chosen }: Location, care: ModelCare, own: TextModel | null): TextModel {
  const found = model && textModelOf(model);
  const order = chosen !== null && model?.id !== chosen ? [own, found] : [found, own];
  const fit = (one: TextModel | null) => one !== null && care.unloadable(idOfTextModel(one.name)) === null;
  return order.find(fit) ?? BUILT_IN_TEXT_MODEL;
}

interface InUse {
  client: ModelClient;
  model: TextModel;
}

class Keeper implements TextModels {
  readonly memory: LanceMemory;
  readonly #options: TextModelsOptions;
  #use: InUse;
  #work: { model: TextModel; abort: AbortController; ended: Promise<void>; progress: TakingUp } | null = null;
  /** The model in use cannot be loaded, so that its vectors are of no use. */
  #mute = false;
  /** Why the model that is wanted is not taken up. */
  #trouble: string | null = null;
  #looking: Promise<void> = Promise.resolve();
  #watched: string[] = [];
  #closed = false;

  constructor(options: TextModelsOptions, memory: LanceMemory, use: InUse) {
    this.#options = options;
    this.memory = memory;
    this.#use = use;
  }

  /** Takes up what is chosen now, and whenever another process fetches, removes or chooses a model. */
  follow(): void {
    const { dir } = this.#options.store;
    this.#watched = [join(dir, 'choices.json'), join(dir, 'installed')];
    for (const path of this.#watched) {
      watchFile(path, { persistent: false, interval: LOOK_EVERY_MS }, this.#onChange);
    }
    void this.takeUpTextModel();
  }

  readonly #onChange = () => void this.takeUpTextModel();

  takeUpTextModel(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look()).catch((error: unknown) => this.#failed(error));
    return this.#looking;
  }

  async settled(): Promise<string | null> {
    for (;;) {
      const looking = this.#looking;
      await looking;
      if (this.#work) await this.#work.ended;
      else if (looking === this.#looking) return this.#trouble;
    }
  }

  takingUp(): TakingUp | null {
    return this.#work?.progress ?? null;
  }

  /** A search or a write went without vectors. When the model itself is at fault, another takes its place. */
  problem({ what, error }: MemoryProblem): void {
    if (what !== 'embedding-failed' || this.#closed || this.#options.readOnly) return;
    const { model } = this.#use;
    if (!(error instanceof ModelError) || error.code !== 'load-failed') return;
    this.#looking = this.#looking
      .then(async () => {
        if (this.#closed || this.#use.model !== model) return;
        this.#mute = (await this.#tend(model)) !== null;
        await this.#look();
      })
      .catch((cause: unknown) => this.#failed(cause));
  }

  async check(): Promise<Status['checks'][number]> {
    const name = 'text meaning';
    const { care, store } = this.#options;
    const location = await store.locate('text-embedding');
    const { problem, offer, chosen, model } = location;
    const now =
      this.memory.vectorsAreCurrent && !this.#mute
        ? `${this.#use.model.title} finds by meaning`
        : 'the model that made the vectors is not to be had, so search goes by words';
    const unfinished = this.#work
      ? this.#work.progress
      : await this.memory.unfinished().then(async (left) => {
          if (!left) return null;
          const title = (await modelNamed(store, left.embedder.name))?.title ?? left.embedder.name;
          return { title, ...left };
        });
    const trouble =
      problem ??
      this.#trouble ??
      (model && (chosen === null || model.id === chosen) ? care.unloadable(model.id) : null);
    if (trouble) return { name, ok: false, detail: `${trouble} Meanwhile ${now}.` };
    if (unfinished) {
      const { title, done, total } = unfinished;
      const goes = this.#work ? '' : '; it goes on with the next import, or when Footnote is open';
      return {
        name,
        ok: true,
        detail: `${now}; ${title} takes over: ${done} of ${total} episodes are ready${goes}`,
      };
    }
    const wantedNow = await this.#wanted(location);
    if (wantedNow.name !== this.memory.madeWith.name) {
      const later = 'takes over with the next import, or when Footnote is open';
      return { name, ok: true, detail: `${now}; ${wantedNow.title} ${later}` };
    }
    const get = offer ? `. To have more: footnote models get ${offer.id}. ${offer.adds}` : '';
    return { name, ok: true, detail: `${now}${get}` };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const path of this.#watched) unwatchFile(path, this.#onChange);
    await this.#stop();
    await this.#looking;
    await this.#stop();
    await this.memory.close();
    this.#use.client.close();
  }

  async #wanted(location: Location): Promise<TextModel> {
    const { store, care } = this.#options;
    return wanted(location, care, await modelNamed(store, this.memory.madeWith.name));
  }

  async #look(): Promise<void> {
    if (this.#closed || this.#options.readOnly) return;
    const model = await this.#wanted(await this.#options.care.ready('text-embedding'));
    if (this.#work?.model.name === model.name) return;
    await this.#stop();
    if (this.#closed) return;
    this.#trouble = null;
    if (model.name === this.memory.madeWith.name && this.memory.vectorsAreCurrent) {
      await this.memory.dropUnfinished();
      return;
    }
    this.#begin(model);
  }

  #begin(model: TextModel): void {
    const abort = new AbortController();
    const progress: TakingUp = { title: model.title, done: 0, total: 0 };
    const work = { model, abort, progress, ended: Promise.resolve() };
    this.#work = work;
    work.ended = this.#takeUp(model, progress, abort.signal)
      .catch((error: unknown) => {
        if (!abort.signal.aborted) this.#failed(error);
      })
      .finally(() => {
        if (this.#work === work) this.#work = null;
      });
  }

  async #takeUp(model: TextModel, progress: TakingUp, signal: AbortSignal): Promise<void> {
    // A process of its own: a question waits for none of its batches, and finds it warm at the change-over.
    const client = createModelClient(this.#options.spawn);
    const embedder = client.textEmbedder(model);
    try {
      await embedder.embed([model.title], 'passage', signal);
      await this.memory.reembed({
        embedder,
        signal,
        onProgress: (done, total) => Object.assign(progress, { done, total }),
      });
    } catch (error) {
      // The change-over may have come before what failed.
      if (this.memory.madeWith.name !== model.name) {
        client.close();
        if (!signal.aborted && isLoadFailure(error)) return this.#afterLoadFailure(model);
        throw error;
      }
      this.#failed(error);
    }
    this.#use.client.close();
    this.#use = { client, model };
    this.#mute = false;
  }

  /** A model that could not even be loaded: mended, it is tried again; else whatever comes next is looked for. */
  async #afterLoadFailure(model: TextModel): Promise<void> {
    const words = await this.#tend(model);
    this.#work = null;
    // Not awaited: whoever stops this work waits for it, and looking may stop it.
    void this.takeUpTextModel().then(() => {
      this.#trouble ??= words;
    });
  }

  /** @returns what is wrong with it; null when it has been mended */
  async #tend(model: TextModel): Promise<string | null> {
    const { state, words } = await this.#options.care.failed(idOfTextModel(model.name));
    return state === 'mended' ? null : words;
  }

  async #stop(): Promise<void> {
    const work = this.#work;
    work?.abort.abort();
    await work?.ended;
  }

  #failed(error: unknown): void {
    if (this.#closed) return;
    const words =
      error instanceof FootnoteError || error instanceof ModelError ? error.message : String(error);
    this.#trouble = `The library could not be given the vectors of another model: ${words}`;
  }
}

function isLoadFailure(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause as unknown) {
    if (at instanceof ModelError) return at.code === 'load-failed';
  }
  return false;
}
