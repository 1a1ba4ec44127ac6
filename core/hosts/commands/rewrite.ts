import { FootnoteError } from '../../contract/errors.ts';
import type { RewriteJob, RewritePlan, RewriteScope } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { EXIT } from '../exit-codes.ts';
import { type CommonOptions, note, print, printJson, withEngine } from '../session.ts';
import { durationWords, plain } from '../words.ts';

export interface RewriteCommandOptions extends CommonOptions {
  recording?: string;
  day?: string;
  all?: boolean;
  writer?: string;
  dryRun?: boolean;
  undo?: boolean;
}

/** Without a terminal, a line this often is enough for a log. */
const LOG_EVERY_MS = 5_000;

function scopeOf({ recording, day, all }: RewriteCommandOptions): RewriteScope {
  const named = [recording !== undefined, day !== undefined, all === true].filter(Boolean).length;
  if (named !== 1) {
    throw new FootnoteError('BAD_REQUEST', 'Say which episodes: one of --recording, --day or --all.');
  }
  if (recording !== undefined) return { what: 'recording', recordingId: recording };
  return day === undefined ? { what: 'all' } : { what: 'day', day };
}

function planLines({ writer, episodes, by, already, cannot }: RewritePlan): string[] {
  const lines = [
    `${episodes} episodes would be written anew by ${writer.name} ${writer.version}; ${already} need not be.`,
    ...by.map(({ name, version, episodes: count }) => `  ${count} by ${name} ${version}`),
  ];
  if (cannot > 0) {
    lines.push(`${cannot} cannot be: what a writer needs of them is not kept, or their picture is black.`);
  }
  return lines;
}

function progressLine({ state, done, total, secondsLeft }: RewriteJob): string {
  if (state === 'waiting') return 'An import goes first; waiting…';
  const left = secondsLeft !== null && secondsLeft > 0 ? ` · ${durationWords(secondsLeft)} left` : '';
  return `${done} of ${total} episodes${left}`;
}

/** Watches a rewrite to its end; Ctrl-C ends it, and what is written stays. */
async function follow(engine: Engine, id: string): Promise<RewriteJob> {
  const stop = () => void engine.client.rewrite.cancel({ id });
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  let lastMs = 0;
  let last: RewriteJob | null = null;
  try {
    for await (const job of await engine.client.rewrite.watch({ id })) {
      last = job;
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progressLine(job)}`);
      else if (Date.now() - lastMs >= LOG_EVERY_MS) {
        lastMs = Date.now();
        note(progressLine(job));
      }
    }
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
  return last!;
}

/** `footnote rewrite`: has episodes written anew by a better writer, from what the library keeps; `--undo` takes that back. */
export function rewriteCommand(options: RewriteCommandOptions): Promise<number> {
  const scope = scopeOf(options);
  const request = { scope, writer: options.writer ?? null };
  return withEngine(options, { resumeImports: false }, async (engine) => {
    const { rewrite } = engine.client;
    if (options.undo) {
      const result = await rewrite.undo({ scope });
      if (options.json) printJson(result);
      else print(`${result.episodes} episodes have the words back that they had before.`);
      return result.episodes > 0 ? EXIT.ok : EXIT.nothingFound;
    }
    if (options.dryRun) {
      const plan = await rewrite.plan(request);
      if (options.json) printJson(plan);
      else for (const line of planLines(plan)) print(plain(line));
      return EXIT.ok;
    }
    const job = await follow(engine, (await rewrite.start(request)).id);
    if (options.json) printJson(job);
    else {
      print(`${job.rewritten} of ${job.total} episodes were written anew by ${job.writer.name}.`);
      if (job.left > 0) print(`${job.left} stay as they were.`);
      if (job.error) note(job.error.message);
    }
    if (job.state === 'cancelled') {
      note('Stopped. What is written stays; the same command goes on.');
      return EXIT.cancelled;
    }
    return job.state === 'failed' ? EXIT.failed : EXIT.ok;
  });
}
