import { FootnoteError } from '../../contract/errors.ts';
import type { ImportJob } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { EXIT } from '../exit-codes.ts';
import { parseShift, parseWearer, parseZone } from '../parse-args.ts';
import { type CommonOptions, note, print, printJson, withEngine } from '../session.ts';
import { progressLine, summaryLines } from '../words.ts';

export interface ImportCommandOptions extends CommonOptions {
  shift?: string;
  timezone?: string;
  keepSound?: boolean;
  wearer?: string;
}

/** Without a terminal, a line this often is enough for a log. */
const LOG_EVERY_MS = 5_000;

function showProgress(): (job: ImportJob) => void {
  let lastMs = 0;
  return (job) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progressLine(job)}`);
    else if (Date.now() - lastMs >= LOG_EVERY_MS) {
      lastMs = Date.now();
      note(progressLine(job));
    }
  };
}

/** Watches a job to its end. Ctrl-C stops; what is unfinished goes on at the next start. */
export async function followJob(engine: Engine, id: string): Promise<ImportJob | null> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const show = showProgress();
  let last: ImportJob | null = null;
  try {
    for await (const job of await engine.client.imports.watch({ id }, { signal: abort.signal })) {
      last = job;
      show(job);
      // Nobody at a command line can press resume: a full disk ends the command, and the import goes on at the next start.
      if (job.state === 'paused' && job.error) break;
    }
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
  return abort.signal.aborted ? null : last;
}

/** `footnote import PATH…`: reads footage into the library; without a path, goes on with what is unfinished. */
export function importCommand(paths: string[], options: ImportCommandOptions): Promise<number> {
  const importOptions = {
    ...(options.shift ? { shiftMs: parseShift(options.shift) } : {}),
    ...(options.timezone ? { zone: parseZone(options.timezone) } : {}),
    keepSound: options.keepSound ?? false,
    ...(options.wearer ? { wearer: parseWearer(options.wearer) } : {}),
  };
  return withEngine(options, { resumeImports: true }, async (engine) => {
    const unfinished = (await engine.client.imports.list()).filter(
      (job) => job.state !== 'done' && job.state !== 'cancelled' && job.state !== 'failed',
    );
    if (unfinished.length > 0)
      note(`Going on with ${unfinished.length === 1 ? 'an unfinished import' : 'unfinished imports'} first.`);
    let id: string;
    if (paths.length > 0) id = (await engine.client.imports.start({ paths, options: importOptions })).id;
    else if (unfinished.length > 0)
      id = (await engine.client.imports.resume({ id: unfinished.at(-1)!.id })).id;
    else
      throw new FootnoteError('BAD_REQUEST', 'Name the files or folders to import. No import is unfinished.');
    const job = await followJob(engine, id);
    if (!job) {
      const message = 'Stopped. The import goes on where it is at the next start.';
      if (options.json) printJson({ error: { code: 'CANCELLED', message } });
      note(message);
      return EXIT.cancelled;
    }
    if (options.json) printJson(job);
    else for (const line of summaryLines(job)) print(line);
    if (job.error) return EXIT.failed;
    return job.counts.unreadable > 0 ? EXIT.someUnreadable : EXIT.ok;
  });
}
