import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { env, listSupportedBackends } from 'onnxruntime-node';
import { z } from 'zod';
import { writeAtomic } from './durable-file.ts';
import { readJson } from './store/files.ts';
import { MANIFEST_NAME } from './store/manifest.ts';
import { sessionThreads } from './threads.ts';

/** What a session can run on, by transformers.js' names; the CPU is always there and is tried last. */
const PROVIDERS = ['cuda', 'dml', 'coreml', 'webgpu', 'cpu'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** How `from_pretrained` is told where to run. */
export interface Device {
  readonly device: Provider;
  readonly session_options: {
    readonly intraOpNumThreads: number;
    readonly interOpNumThreads: number;
    readonly logSeverityLevel: 3;
  };
}

/** A model that can be loaded on one provider or another, and timed. */
export interface Trial<T> {
  load(device: Device): Promise<T>;
  /** A short, typical piece of work. */
  run(loaded: T): Promise<unknown>;
  dispose(loaded: T): Promise<void>;
}

const Result = z.object({
  provider: z.enum(PROVIDERS),
  /** One warm run; null when it cannot be used. */
  ms: z.number().nullable(),
  problem: z.string().nullable(),
});
const Measured = z.object({
  format: z.literal(1),
  model: z.string(),
  /** The runtime and its providers; others are measured anew. */
  runtime: z.string(),
  /** Begun and not ended: it took the process down, or hung. */
  trying: z.enum(PROVIDERS).nullable(),
  results: z.array(Result),
});
/** What was measured of a model on this computer; kept in its folder, and gone with it. */
export type Measured = z.infer<typeof Measured>;

const FILE = 'device.json';
const TOOK_DOWN = 'it ended the process when it was tried';
const PROBLEM_MAX = 200;

/** What is known of where a model runs best; null when it was never measured. */
export async function measuredDevice(folder: string): Promise<Measured | null> {
  const stored = Measured.safeParse(await readJson(join(folder, FILE)));
  return stored.success ? stored.data : null;
}

/** The provider with the shortest run; the CPU when none was timed. */
export function fastestOf(results: Measured['results']): Provider {
  const timed = results.filter(({ ms }) => ms !== null).sort((a, b) => a.ms! - b.ms!);
  return timed[0]?.provider ?? 'cpu';
}

/**
 * Loads a model where it runs fastest on this computer: every provider that the runtime lists is timed once over one warm run, and
 * the result is kept in the model's folder. A provider that fails, hangs or takes the process down is not tried again with this
 * runtime; the CPU does the work then. A folder that was not fetched by Footnote's store is left as it is, and read on the CPU.
 * @param listed providers the runtime says it has
 * @throws what `load` throws on the CPU
 */
export async function withFastestDevice<T>(
  folder: string,
  trial: Trial<T>,
  listed: readonly string[] = listSupportedBackends().map(({ name }) => name),
): Promise<T> {
  const providers = PROVIDERS.filter((name) => name === 'cpu' || listed.includes(name));
  const ours = await stat(join(folder, MANIFEST_NAME)).then(
    () => true,
    () => false,
  );
  if (providers.length === 1 || !ours) return trial.load(deviceOf('cpu'));
  const session = new Measuring(folder, providers, await measuredDevice(folder));
  return session.load(trial);
}

function deviceOf(device: Provider): Device {
  const threads = sessionThreads();
  return {
    device,
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3 },
  };
}

class Measuring {
  readonly #folder: string;
  readonly #providers: readonly Provider[];
  readonly #measured: Measured;

  constructor(folder: string, providers: readonly Provider[], known: Measured | null) {
    this.#folder = folder;
    this.#providers = providers;
    const runtime = `${env.versions.node ?? env.versions.common} ${process.platform}-${process.arch}: ${providers.join(' ')}`;
    this.#measured =
      known?.runtime === runtime
        ? known
        : { format: 1, model: basename(folder), runtime, trying: null, results: [] };
    if (this.#measured.trying) this.#note(this.#measured.trying, null, TOOK_DOWN);
  }

  async load<T>(trial: Trial<T>): Promise<T> {
    const { results } = this.#measured;
    const open = this.#providers.filter((name) => !results.some(({ provider }) => provider === name));
    let held: { provider: Provider; loaded: T } | null = null;
    try {
      for (const provider of open) {
        if (held) await trial.dispose(held.loaded);
        held = await this.#time(provider, trial);
      }
      if (open.length > 0) await this.#keep();
      const best = fastestOf(results);
      if (held?.provider === best) return held.loaded;
      if (held) await trial.dispose(held.loaded);
      if (best !== 'cpu') return await this.#loadOr(best, trial);
    } catch (error) {
      // Not even the CPU can load it: what failed is the model, and nothing was learnt of the computer.
      await rm(join(this.#folder, FILE), { force: true });
      throw error;
    }
    return trial.load(deviceOf('cpu'));
  }

  /** @throws what the CPU's load throws; whatever another provider throws is noted, and gives null */
  async #time<T>(provider: Provider, trial: Trial<T>): Promise<{ provider: Provider; loaded: T } | null> {
    if (provider !== 'cpu') {
      this.#measured.trying = provider;
      await this.#keep();
    }
    let loaded: T | null = null;
    try {
      loaded = await trial.load(deviceOf(provider));
      await trial.run(loaded);
      const started = performance.now();
      await trial.run(loaded);
      this.#note(provider, Number((performance.now() - started).toFixed(2)), null);
      return { provider, loaded };
    } catch (error) {
      if (loaded !== null) await trial.dispose(loaded).catch(() => undefined);
      if (provider === 'cpu') throw error;
      this.#note(provider, null, wordsOf(error));
      return null;
    }
  }

  /** A provider that was fastest once and fails now is given up for the CPU. */
  async #loadOr<T>(provider: Provider, trial: Trial<T>): Promise<T> {
    try {
      return await trial.load(deviceOf(provider));
    } catch (error) {
      const result = this.#measured.results.find((one) => one.provider === provider)!;
      Object.assign(result, { ms: null, problem: wordsOf(error) });
      await this.#keep();
      return trial.load(deviceOf('cpu'));
    }
  }

  #note(provider: Provider, ms: number | null, problem: string | null): void {
    this.#measured.trying = null;
    this.#measured.results.push({ provider, ms, problem });
  }

  /** A folder that cannot be written is measured again next time. */
  async #keep(): Promise<void> {
    await writeAtomic(join(this.#folder, FILE), `${JSON.stringify(this.#measured, null, 2)}\n`).catch(
      () => undefined,
    );
  }
}

function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/gu, ' ').slice(0, PROBLEM_MAX);
}
