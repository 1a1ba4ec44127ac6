import { toFootnoteError } from '../../contract/errors.ts';
import { askingBench } from './asking.ts';
import type { Bench } from './bench.ts';
import { importBench } from './import.ts';
import { searchBench } from './search.ts';
import { speechBench } from './speech.ts';
import { textModelBench } from './text-model.ts';
import { writersBench } from './writers.ts';
import { yearBench } from './year.ts';

const BENCHES: Bench[] = [
  importBench,
  searchBench,
  askingBench,
  speechBench,
  textModelBench,
  writersBench,
  yearBench,
];

function list(): void {
  process.stdout.write('npm run bench -- NAME [ARGS] [--json]\n\n');
  for (const bench of BENCHES)
    process.stdout.write(`  ${bench.name.padEnd(10)} ${bench.summary}\n             ${bench.usage}\n`);
}

/**
 * `npm run bench`: lists the benches, or runs one and prints its figures.
 * @returns the exit code
 */
export async function main(argv: string[]): Promise<number> {
  const options: Record<string, string | true> = {};
  const args: string[] = [];
  for (const arg of argv) {
    const option = /^--([a-z-]+)(?:=(.*))?$/.exec(arg);
    if (option) options[option[1]!] = option[2] ?? true;
    else args.push(arg);
  }
  const [name, ...rest] = args;
  if (!name) {
    list();
    return 0;
  }
  const bench = BENCHES.find((one) => one.name === name);
  if (!bench) {
    process.stderr.write(`There is no bench "${name}".\n`);
    list();
    return 2;
  }
  try {
    const figures = await bench.run(rest, options);
    if (options.json) process.stdout.write(`${JSON.stringify({ bench: bench.name, figures }, null, 2)}\n`);
    else
      for (const [key, value] of Object.entries(figures))
        process.stdout.write(`${key.padEnd(26)} ${value}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${toFootnoteError(error).message}\n`);
    return 1;
  }
}
