import { join } from 'node:path';
import { type ModelStore, openStore } from '../../../models/store/index.ts';
import { FootnoteError } from '../../contract/errors.ts';
import { type Model, ModelTask } from '../../contract/models.ts';
import { ModelService } from '../../engine/models/model-service.ts';
import { defaultLibraryDir } from '../../library/default-dir.ts';
import { EXIT } from '../exit-codes.ts';
import { packageClient } from '../package-client.ts';
import { type CommonOptions, note, print, printJson } from '../session.ts';
import { plain, sizeWords } from '../words.ts';
import { embedAnew } from './embed-anew.ts';

/** The store of the library that a command is about, and the service over it that the window uses too. No library is opened for it. */
export function modelsOf(options: CommonOptions): { store: ModelStore; models: ModelService } {
  const dir = join(options.library ?? defaultLibraryDir(), 'models');
  const store = openStore({ dir, packages: packageClient });
  return { store, models: new ModelService({ store }) };
}

/** Runs a command's part that may take long. Ctrl-C ends it with what is done kept. */
export async function stoppable(act: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await act(abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    note('Stopped. What has arrived is kept; the same command goes on from there.');
    return EXIT.cancelled;
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

function modelLine({ id, bytes, exact, licence, state, used }: Model): string {
  const columns = [id.padEnd(24), modelSize(bytes, exact).padEnd(14), licence.padEnd(10), STATE_WORDS[state]];
  return `  ${used ? '*' : ' '} ${columns.join(' ')}`.trimEnd();
}

/** `footnote models list`: every model by task, which is used, and what works without. */
export async function modelsListCommand(options: CommonOptions): Promise<number> {
  const { dir, tasks } = await modelsOf(options).models.list();
  if (options.json) {
    printJson({
      dir,
      tasks: tasks.map(({ models: _, ...task }) => task),
      models: tasks.flatMap((task) => task.models),
    });
    return EXIT.ok;
  }
  for (const { task, uses, problem, without, offer, takenUp, models } of tasks) {
    print(`${task}: ${uses ? `${uses} does it` : 'nothing does it'}`);
    if (problem) print(`  ! ${problem}`);
    for (const model of models) print(modelLine(model));
    if (!offer) continue;
    if (!takenUp) {
      print('    Other models for this can be fetched, but are not used yet.');
      continue;
    }
    print(`    ${without}`);
    print(`    footnote models get ${offer}: ${models.find(({ id }) => id === offer)?.adds ?? ''}`);
  }
  return EXIT.ok;
}

/** `footnote models verify [ID]`: reads the files of one model, or of all that are here, through. */
export function modelsVerifyCommand(id: string | undefined, options: CommonOptions): Promise<number> {
  return stoppable(async (signal) => {
    const { models } = modelsOf(options);
    const all = (await models.list()).tasks.flatMap((task) => task.models);
    const here = all.filter(({ state }) => state !== 'absent' && state !== 'partial');
    const verdicts: Awaited<ReturnType<ModelService['verify']>>[] = [];
    for (const one of id === undefined ? here.map((model) => model.id) : [id]) {
      note(`Reading ${one}…`);
      verdicts.push(await models.verify(one, signal));
    }
    if (options.json) printJson({ models: verdicts });
    else if (verdicts.length === 0) print('No model is here.');
    else
      for (const { id: one, ok, problems, pinned } of verdicts) {
        const first = pinned
          ? ''
          : ' (held against its own first download where the catalogue knows no hash)';
        print(ok ? `ok       ${one}${first}` : `DAMAGED  ${one}: ${plain(problems.join(' '))}`);
      }
    return verdicts.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
  });
}

/** `footnote models remove ID`: removes a model and what an unfinished download left of it. */
export async function modelsRemoveCommand(id: string, options: CommonOptions): Promise<number> {
  const { bytes } = await modelsOf(options).models.remove(id);
  if (options.json) printJson({ id, removed: true, bytes });
  else print(`${id} is removed; ${sizeWords(bytes)} are free again.`);
  return EXIT.ok;
}

/** `footnote models use TASK [ID]`: chooses the model of a task; without a model, leaves it to the catalogue. */
export async function modelsUseCommand(
  task: string,
  id: string | undefined,
  options: CommonOptions,
): Promise<number> {
  const known = ModelTask.safeParse(task);
  if (!known.success)
    throw new FootnoteError(
      'BAD_REQUEST',
      `There is no task "${plain(task)}". Tasks: ${ModelTask.options.join(', ')}.`,
    );
  const { tasks } = await modelsOf(options).models.use(known.data, id ?? null);
  const { uses, chosen, models } = tasks.find((view) => view.task === known.data)!;
  const title = models.find((model) => model.id === uses)?.title;
  if (!options.json) {
    if (chosen) print(`${title ?? chosen} does ${task} from now on.`);
    else print(`The catalogue decides again: ${title ? `${title} does ${task}` : `nothing does ${task}`}.`);
  }
  const library = known.data === 'text-embedding' ? await embedAnew(options) : null;
  if (options.json) printJson({ task, chosen, uses, ...(library ? { library: library.state } : {}) });
  else if (library?.words) print(library.words);
  return library?.state === 'failed' ? EXIT.failed : EXIT.ok;
}
