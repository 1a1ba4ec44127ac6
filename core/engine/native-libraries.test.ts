import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const REPORT = `
  await import(process.argv[1]);
  console.log(JSON.stringify(process.report.getReport().sharedObjects));
`;

/** Native libraries of a process that has loaded a module. */
async function librariesOf(module: string): Promise<string[]> {
  const path = new URL(module, import.meta.url).href;
  const { stdout } = await run(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', REPORT, path],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), maxBuffer: 1 << 24 },
  );
  return JSON.parse(stdout) as string[];
}

it('the engine loads no inference library: a session would freeze its searches and could take it down', async () => {
  const engine = await librariesOf('./engine.ts');
  expect(engine.filter((file) => /lancedb/.test(file))).not.toEqual([]);
  expect(engine.filter((file) => /onnxruntime/.test(file))).toEqual([]);
  const models = await librariesOf('../../models/embedding/static-embedder.ts');
  expect(models.filter((file) => /onnxruntime/.test(file))).not.toEqual([]);
}, 60_000);
