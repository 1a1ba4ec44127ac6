import { join } from 'node:path';
import { MODEL_TASKS, type ModelTask, sizeOf } from '../../../models/catalogue/index.ts';
import { ModelError } from '../../../models/errors.ts';
import { type ModelStore, openStore } from '../../../models/store/index.ts';
import { type ErrorCode, FootnoteError } from '../../contract/errors.ts';
import { defaultLibraryDir } from '../../library/default-dir.ts';
import { EXIT } from '../exit-codes.ts';
import { packageClient } from '../package-client.ts';
import { type CommonOptions, note, print, printJson } from '../session.ts';
import { plain, sizeWords } from '../words.ts';

/** The store of the library that a command is about. */
export function store(options: CommonOptions): ModelStore {
  return openStore({ dir: join(options.library ?? defaultLibraryDir(), 'models'), packages: packageClient });
}

/** The contract's code for what went wrong with a model; the sentence stays. */
function codeOf(error: ModelError): ErrorCode {
  switch (error.code) {
    case 'unknown-model':
      return 'NOT_FOUND';
    case 'not-installed':
      return 'MODEL_MISSING';
    case 'no-space':
      return 'DISK_FULL';
    default:
      return 'MODEL_FAILED';
  }
}

/** Runs a command's part that may fail as a model does. Ctrl-C ends it with what is done kept. */
export async function withModels(act: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await act(abort.signal);
  } catch (error) {
    if (abort.signal.aborted) {
      note('Stopped. What has arrived is kept; the same command goes on from there.');
      return EXIT.cancelled;
    }
    if (error instanceof ModelError)
      throw new FootnoteError(codeOf(error), error.message, { model: error.code }, { cause: error });
    throw error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** "about 735 MB", "34.7 MB". */
export function modelSize(bytes: number, exact: boolean): string {
  if (bytes === 0) return 'size not known';
  return exact ? sizeWords(bytes) : `about ${sizeWords(bytes)}`;
}

const STATE_WORDS = {
  'built-in': 'built in',
  installed: 'here',
  outdated: 'outdated',
  damaged: 'DAMAGED',
  partial: 'partly here',
  absent: '',
} as const;

/** Tasks in which the engine takes up a fetched model; in the others the built-in one works on, and the list says so. */
export const TAKEN_UP: ReadonlySet<ModelTask> = new Set(['writer', 'speech']);

/** `footnote models list`: every model by task, which is used, and what works without. */
export function modelsListCommand(options: CommonOptions): Promise<number> {
  return withModels(async () => {
    const models = store(options);
    const [listed, tasks] = await Promise.all([
      models.list(),
      Promise.all(MODEL_TASKS.map((task) => models.locate(task))),
    ]);
    /** What the engine really works with in a task. */
    const usedIn = (location: (typeof tasks)[number]): string | null =>
      TAKEN_UP.has(location.task)
        ? (location.model?.id ?? null)
        : (listed.find(({ entry, state }) => entry.task === location.task && state.state === 'built-in')
            ?.entry.id ?? null);
    if (options.json) {
      printJson({
        dir: models.dir,
        tasks: tasks.map((location) => ({
          task: location.task,
          takenUp: TAKEN_UP.has(location.task),
          uses: usedIn(location),
          chosen: location.chosen,
          problem: location.problem,
          offer: location.offer?.id ?? null,
          without: location.offer || !location.model ? location.without : null,
        })),
        models: listed.map(({ entry, state, bytesHere }) => ({
          id: entry.id,
          task: entry.task,
          title: entry.title,
          state: state.state,
          ...sizeOf(entry),
          bytesHere,
          licence: entry.licence,
          memoryMb: entry.memoryMb,
          languages: entry.languages,
          adds: entry.adds,
        })),
      });
      return EXIT.ok;
    }
    for (const location of tasks) {
      const doing = usedIn(location);
      print(`${location.task}: ${doing ? `${doing} does it` : 'nothing does it'}`);
      if (location.problem) print(`  ! ${location.problem}`);
      for (const { entry, state } of listed.filter((one) => one.entry.task === location.task)) {
        const { bytes, exact } = sizeOf(entry);
        const used = entry.id === doing ? '*' : ' ';
        print(
          `  ${used} ${entry.id.padEnd(24)} ${modelSize(bytes, exact).padEnd(14)} ${entry.licence.padEnd(10)} ${STATE_WORDS[state.state]}`.trimEnd(),
        );
      }
      if (!TAKEN_UP.has(location.task)) {
        if (location.offer) print('    Other models for this can be fetched, but are not used yet.');
      } else if (location.offer) {
        print(`    ${location.without}`);
        print(`    footnote models get ${location.offer.id}: ${location.offer.adds}`);
      }
    }
    return EXIT.ok;
  });
}

/** `footnote models verify [ID]`: reads the files of one model, or of all that are here, through. */
export function modelsVerifyCommand(id: string | undefined, options: CommonOptions): Promise<number> {
  return withModels(async (signal) => {
    const models = store(options);
    const here = (await models.list()).filter(
      ({ state }) => state.state !== 'absent' && state.state !== 'partial',
    );
    const ids = id === undefined ? here.map(({ entry }) => entry.id) : [id];
    const results: { id: string; ok: boolean; problems: string[]; pinned: boolean }[] = [];
    for (const one of ids) {
      note(`Reading ${one}…`);
      try {
        const files = await models.verify(one, signal);
        const problems = files.flatMap(({ path, problem }) =>
          problem === null ? [] : [`${path}: ${problem}`],
        );
        results.push({
          id: one,
          ok: problems.length === 0,
          problems,
          pinned: files.every(({ pinned }) => pinned),
        });
      } catch (error) {
        if (!(error instanceof ModelError) || error.code !== 'damaged') throw error;
        results.push({ id: one, ok: false, problems: [error.message], pinned: false });
      }
    }
    if (options.json) printJson({ models: results });
    else if (results.length === 0) print('No model is here.');
    else
      for (const { id: one, ok, problems, pinned } of results) {
        const first = pinned
          ? ''
          : ' (held against its own first download where the catalogue knows no hash)';
        print(ok ? `ok       ${one}${first}` : `DAMAGED  ${one}: ${plain(problems.join(' '))}`);
      }
    return results.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
  });
}

/** `footnote models remove ID`: removes a model and what an unfinished download left of it. */
export function modelsRemoveCommand(id: string, options: CommonOptions): Promise<number> {
  return withModels(async () => {
    const bytes = await store(options).remove(id);
    if (options.json) printJson({ id, removed: true, bytes });
    else print(`${id} is removed; ${sizeWords(bytes)} are free again.`);
    return EXIT.ok;
  });
}

/** `footnote models use TASK [ID]`: chooses the model of a task; without a model, leaves it to the catalogue. */
export function modelsUseCommand(
  task: string,
  id: string | undefined,
  options: CommonOptions,
): Promise<number> {
  return withModels(async () => {
    if (!(MODEL_TASKS as readonly string[]).includes(task))
      throw new FootnoteError(
        'BAD_REQUEST',
        `There is no task "${plain(task)}". Tasks: ${MODEL_TASKS.join(', ')}.`,
      );
    const models = store(options);
    const known = (await models.list()).find(({ entry }) => entry.id === id && entry.task === task);
    if (known && !TAKEN_UP.has(known.entry.task) && known.state.state !== 'built-in') {
      throw new FootnoteError('BAD_REQUEST', `Footnote does not use other models for ${task} yet.`);
    }
    await models.use(task as ModelTask, id ?? null);
    const { model, chosen } = await models.locate(task as ModelTask);
    if (options.json) printJson({ task, chosen, uses: model?.id ?? null });
    else if (chosen) print(`${model?.title ?? chosen} does ${task} from now on.`);
    else
      print(
        `The catalogue decides again: ${model ? `${model.title} does ${task}` : `nothing does ${task}`}.`,
      );
    return EXIT.ok;
  });
}
