import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FootnoteError } from '../../contract/errors.ts';
import { openEmbedder, rememberingPassages } from '../../evaluation/embedders.ts';
import { FORMATS, type Format, loadSet } from '../../evaluation/loaders/load.ts';
import {
  countsOf,
  figuresOf,
  type Pair,
  pairsOf,
  runSystems,
  type SystemFigures,
} from '../../evaluation/run.ts';
import { createSystems } from '../../evaluation/systems/registry.ts';
import { defaultLibraryDir } from '../../library/default-dir.ts';
import { EXIT } from '../exit-codes.ts';
import { parseCount } from '../parse-args.ts';
import { type CommonOptions, note, print, printJson } from '../session.ts';
import { plain } from '../words.ts';

const SEED_MAX = 2 ** 31 - 1;

export interface EvaluateOptions extends CommonOptions {
  episodes: string;
  questions: string;
  format: string;
  joined: string;
  systems?: string;
  embedding: string;
  models?: string;
  seed: string;
  report: string;
}

function formatOf(name: string): Format {
  const format = FORMATS.find((one) => one === name);
  if (!format)
    throw new FootnoteError(
      'BAD_REQUEST',
      `There is no format "${plain(name).slice(0, 40)}". Formats: ${FORMATS.join(', ')}.`,
    );
  return format;
}

function joinedOf(name: string): 'range' | 'instants' {
  if (name === 'range' || name === 'instants') return name;
  throw new FootnoteError('BAD_REQUEST', 'Joined target times are read as "range" or as "instants".');
}

/** Writes the report; where that cannot be, into the folder for temporary files, so that no run is lost. */
function writeReport(file: string, html: string): string {
  try {
    writeFileSync(file, html);
    return resolve(file);
  } catch (error) {
    const other = join(tmpdir(), `footnote-evaluation-${process.pid}.html`);
    note(
      `The report cannot be written to ${plain(file)} (${(error as NodeJS.ErrnoException).code ?? 'error'}).`,
    );
    writeFileSync(other, html);
    return other;
  }
}

function printTable(systems: readonly SystemFigures[], pairs: readonly Pair[]): void {
  for (const { name, metrics, secondsPerQuestion, tokensPerQuestion } of systems) {
    const told = Object.entries(metrics).map(
      ([metric, value]) => `${metric} ${metric === 'MB/h' ? value.toFixed(2) : (100 * value).toFixed(1)}`,
    );
    print(`${name.padEnd(14)} ${told.join('  ')}`);
    print(
      `${''.padEnd(14)} ${(1000 * secondsPerQuestion).toFixed(1)} ms and ${tokensPerQuestion.toFixed(0)} tokens a question`,
    );
  }
  for (const { a, b, metric, difference, ci95, p } of pairs) {
    const points = [difference, ...ci95].map((value) => (100 * value).toFixed(1));
    print(`${a} − ${b}, ${metric}: ${points[0]} (${points[1]} to ${points[2]}), p ${p.toPrecision(2)}`);
  }
}

/** `footnote evaluate`: measures retrieval systems on a question set. Opens no library and writes nothing but the report. */
export async function evaluateCommand(options: EvaluateOptions): Promise<number> {
  const seed = parseCount(options.seed, 0, SEED_MAX);
  const names = options.systems === undefined ? null : options.systems.split(',').map((name) => name.trim());
  const format = formatOf(options.format);
  const joined = joinedOf(options.joined);
  const library = join(options.library ?? defaultLibraryDir(), 'models', 'installed');
  const folders = [...(options.models === undefined ? [] : [options.models]), library];
  const set = loadSet({ episodes: options.episodes, questions: options.questions, format, joined });
  const embedder = rememberingPassages(await openEmbedder(options.embedding, folders));
  const systems = createSystems(names, { embedder, seed });
  const counts = countsOf(set);
  note(
    `${counts.asked} questions, ${counts.withEvidence} with evidence, ${counts.withOptions} with options; ${systems.length} systems.`,
  );
  for (const line of set.notes) note(line);
  const results = await runSystems(set, { systems, embedder, onProgress: note });
  const pairs = pairsOf(results, seed);
  const output = { systems: results.map(figuresOf), paired: pairs };
  // The plots' library is only needed here.
  const { reportHtml } = await import('../../evaluation/report/html.ts');
  const html = reportHtml({ set, results, pairs, embedding: embedder.name, seed });
  note(`Report: ${writeReport(options.report, html)}`);
  if (options.json) printJson(output);
  else printTable(output.systems, pairs);
  return EXIT.ok;
}
