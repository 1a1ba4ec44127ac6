import { createInterface } from 'node:readline/promises';
import { entryOf } from '../../../models/catalogue/index.ts';
import type { Plan, Progress } from '../../../models/store/index.ts';
import { FootnoteError } from '../../contract/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { type CommonOptions, note, print, printJson } from '../session.ts';
import { durationWords, plain, sizeWords } from '../words.ts';
import { modelSize, store, TAKEN_UP, withModels } from './models.ts';

export interface ModelsGetOptions extends CommonOptions {
  from?: string;
  yes?: boolean;
  /** False with --no-repair. */
  repair?: boolean;
}

/** Without a terminal, a line this often is enough for a log. */
const LOG_EVERY_MS = 5_000;

/** What fetching means, to be read before it is allowed. */
function planLines(plan: Plan, repair: boolean): string[] {
  const lines = [`${plan.title}: ${modelSize(plan.bytes, plan.exact)}, licence ${plan.licence}.`];
  if (!TAKEN_UP.has(entryOf(plan.id).task)) lines.push('Footnote does not use it yet: it is only kept.');
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

function progressLine({
  phase,
  file,
  host,
  doneBytes,
  totalBytes,
  bytesPerSecond,
  secondsLeft,
}: Progress): string {
  if (phase === 'waiting') return 'Another Footnote is fetching it; waiting…';
  const parts = [`${sizeWords(doneBytes)}${totalBytes === null ? '' : ` of ${sizeWords(totalBytes)}`}`];
  if (bytesPerSecond !== null) parts.push(`${sizeWords(bytesPerSecond)}/s`);
  if (secondsLeft !== null && secondsLeft >= 1) parts.push(`${durationWords(secondsLeft)} left`);
  if (file) parts.push(`${phase} ${file}`);
  if (host) parts.push(host);
  return parts.join(' · ');
}

function showProgress(): (progress: Progress) => void {
  let lastMs = 0;
  return (progress) => {
    const clear = process.stderr.isTTY ? '\r\x1b[K' : '';
    if (progress.note) process.stderr.write(`${clear}${plain(progress.note)}\n`);
    if (process.stderr.isTTY) process.stderr.write(`${clear}${progressLine(progress)}`);
    else if (Date.now() - lastMs >= LOG_EVERY_MS) {
      lastMs = Date.now();
      note(progressLine(progress));
    }
  };
}

/** `footnote models get ID`: fetches a model, after showing size and hosts and being allowed to. */
export function modelsGetCommand(id: string, options: ModelsGetOptions): Promise<number> {
  return withModels(async (signal) => {
    const models = store(options);
    const repair = options.repair ?? true;
    const from = options.from === undefined ? {} : { from: options.from };
    const { state } = await models.state(id);
    const wasHere = state === 'installed' || state === 'built-in';
    if (!wasHere) {
      const plan = await models.plan(id, from);
      for (const line of planLines(plan, repair)) note(line);
      if (plan.hosts.length > 0 && !options.yes && !(await allowed())) {
        note('Nothing was fetched.');
        return EXIT.cancelled;
      }
    }
    let model: Awaited<ReturnType<typeof models.get>>;
    try {
      model = await models.get(id, { ...from, repair, signal, onProgress: showProgress() });
    } finally {
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    }
    if (options.json)
      printJson({ id, title: model.title, folder: model.folder, builtIn: model.builtIn, wasHere });
    else print(wasHere ? `${model.title} is here already.` : `${model.title} is here. ${model.entry.adds}`);
    return EXIT.ok;
  });
}
