import { createInterface } from 'node:readline/promises';
import { FootnoteError } from '../../contract/errors.ts';
import type { GetModel, Model, ModelJob, ModelPlan } from '../../contract/models.ts';
import type { ModelService } from '../../engine/models/model-service.ts';
import { EXIT } from '../exit-codes.ts';
import { type CommonOptions, note, print, printJson } from '../session.ts';
import { durationWords, plain, sizeWords } from '../words.ts';
import { modelSize, modelsOf, stoppable } from './models.ts';

export interface ModelsGetOptions extends CommonOptions {
  from?: string;
  yes?: boolean;
  /** False with --no-repair. */
  repair?: boolean;
}

/** Without a terminal, a line this often is enough for a log. */
const LOG_EVERY_MS = 5_000;

/** What fetching means, to be read before it is allowed. */
function planLines(plan: ModelPlan, supported: boolean, repair: boolean): string[] {
  const lines = [`${plan.title}: ${modelSize(plan.bytes, plan.exact)}, licence ${plan.licence}.`];
  if (!supported) lines.push('Footnote does not use it yet: it is only kept.');
  if (plan.hereBytes > 0) lines.push(`${sizeWords(plan.hereBytes)} of it are here from an earlier try.`);
  if (plan.hosts.length === 0) lines.push('Every file is on this computer; no host is contacted.');
  else {
    const [first, ...others] = plan.hosts;
    lines.push(
      `It is fetched from ${first}${others.length > 0 ? `, else or in part from ${others.join(' and ')}` : ''}. A host may send on to its own storage. Nothing of yours is sent.`,
    );
    lines.push(
      repair
        ? 'Files of it that are found damaged later are fetched again from there without asking (--no-repair forbids it).'
        : 'Files of it that are found damaged later are not fetched again without asking.',
    );
  }
  if (plan.trustOnFirstUse.length > 0) {
    lines.push(
      `The catalogue knows no hash of ${plan.trustOnFirstUse.length} of its files: they are taken as they come, and what comes now is what later downloads are held against.`,
    );
  }
  return lines;
}

async function allowed(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new FootnoteError('BAD_REQUEST', 'Say --yes to fetch it without being asked.');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await reader.question('Fetch it? Type yes: ')).trim());
  } finally {
    reader.close();
  }
}

function progressLine(job: ModelJob): string {
  const { stage, file, source, doneBytes, totalBytes, bytesPerSecond, secondsLeft } = job;
  if (stage === 'waiting') return 'Another Footnote is fetching it; waiting…';
  const parts = [`${sizeWords(doneBytes)}${totalBytes === null ? '' : ` of ${sizeWords(totalBytes)}`}`];
  if (bytesPerSecond !== null) parts.push(`${sizeWords(bytesPerSecond)}/s`);
  if (secondsLeft !== null && secondsLeft >= 1) parts.push(`${durationWords(secondsLeft)} left`);
  if (file) parts.push(`${stage} ${file}`);
  if (source) parts.push(source);
  return parts.join(' · ');
}

function showProgress(): (job: ModelJob) => void {
  let lastMs = 0;
  let told = 0;
  return (job) => {
    const clear = process.stderr.isTTY ? '\r\x1b[K' : '';
    for (const line of job.notes.slice(told)) process.stderr.write(`${clear}${plain(line)}\n`);
    told = job.notes.length;
    if (job.state !== 'running') return;
    if (process.stderr.isTTY) process.stderr.write(`${clear}${progressLine(job)}`);
    else if (Date.now() - lastMs >= LOG_EVERY_MS) {
      lastMs = Date.now();
      note(progressLine(job));
    }
  };
}

async function modelOf(models: ModelService, id: string): Promise<Model> {
  const all = (await models.list()).tasks.flatMap((task) => task.models);
  const model = all.find((one) => one.id === id);
  if (!model)
    throw new FootnoteError('NOT_FOUND', `There is no model called "${plain(id)}" in the catalogue.`);
  return model;
}

/** `footnote models get ID`: fetches a model, after showing size and hosts and being allowed to. */
export function modelsGetCommand(id: string, options: ModelsGetOptions): Promise<number> {
  return stoppable(async (signal) => {
    const { store, models } = modelsOf(options);
    const repair = options.repair ?? true;
    const { state, supported, adds, title } = await modelOf(models, id);
    const wasHere = state === 'installed' || state === 'built-in';
    if (!wasHere) {
      const plan = await models.plan(id, options.from);
      for (const line of planLines(plan, supported, repair)) note(line);
      if (plan.hosts.length > 0 && !options.yes && !(await allowed())) {
        note('Nothing was fetched.');
        return EXIT.cancelled;
      }
    }
    await fetchIt(
      models,
      { id, repair, ...(options.from === undefined ? {} : { from: options.from }) },
      signal,
    );
    const { folder, builtIn, entry } = await store.get(id);
    if (options.json) printJson({ id, title, folder, builtIn, wasHere });
    else {
      print(wasHere ? `${title} is here already.` : `${title} is here. ${adds}`);
      if (entry.task === 'text-embedding' && !builtIn) {
        print(`A library takes it up with the next import, when Footnote is open, or now:`);
        print(`  footnote models use text-embedding ${id}`);
      }
    }
    return EXIT.ok;
  });
}

async function fetchIt(models: ModelService, wanted: GetModel, signal: AbortSignal): Promise<void> {
  const stop = () => void models.cancel(wanted.id);
  signal.addEventListener('abort', stop, { once: true });
  const show = showProgress();
  try {
    for await (const job of await models.get(wanted)) {
      show(job);
      if (job.error) throw new FootnoteError(job.error.code, job.error.message, job.error.data);
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}
