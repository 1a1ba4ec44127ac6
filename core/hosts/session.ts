import { createEngine, type Engine, type EngineOptions } from '../engine/engine.ts';
import { spawnNodeProcess } from '../engine/processes.ts';
import { defaultLibraryDir } from '../library/default-dir.ts';
import { packageClient } from './package-client.ts';

/** Options every command knows. */
export interface CommonOptions {
  library?: string;
  json?: boolean;
}

/** Opens the engine for a command, hands it over and closes it whatever happens. */
export async function withEngine<T>(
  common: CommonOptions,
  options: Pick<EngineOptions, 'readOnly' | 'resumeImports'>,
  act: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await createEngine({
    library: common.library ?? defaultLibraryDir(),
    spawn: spawnNodeProcess,
    packages: packageClient,
    ...options,
  });
  try {
    return await act(engine);
  } finally {
    await engine.close();
  }
}

/** Prints the one JSON object of a command. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Progress and warnings: stdout stays clean for results. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
