import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { ModelEntry } from '../../catalogue/entry.ts';
import { type ModelStore, openStore, type StoreOptions } from '../index.ts';
import { type Behaviour, ModelServer } from './model-server.ts';
import { hubPath, serveModel, type TestModel, testModel } from './test-model.ts';

/** Retries without the waits of real life. */
const QUICK = { retryAfterMs: [5, 5, 5], stallMs: 1_000 };
export const WEIGHTS = 'onnx/model.onnx_data';

/** A server with the test model on it and an empty folder, new for every test. */
export interface Bench {
  root: string;
  dir: string;
  server: ModelServer;
  model: TestModel;
  open(options?: Partial<StoreOptions>): ModelStore;
  /** The server's handling of one file. */
  at(path: string): Behaviour;
  /** The model's entry with one of its files changed. */
  changed(path: string, change: Partial<ModelEntry['files'][number]>): ModelEntry;
  /** Expects a folder to hold the model's files as they were published. */
  expectWhole(folder: string): void;
}

/** Sets the bench up and down around every test of a file. */
export function storeBench(): Bench {
  const bench: Bench = {
    root: '',
    dir: '',
    server: new ModelServer(),
    model: testModel(),
    open: (options = {}) =>
      openStore({
        dir: bench.dir,
        hub: bench.server.address,
        folders: [],
        catalogue: [bench.model.entry],
        patience: QUICK,
        ...options,
      }),
    at: (path) => bench.server.files.get(hubPath(path))!,
    changed: (path, change) => ({
      ...bench.model.entry,
      files: bench.model.entry.files.map((file) => (file.path === path ? { ...file, ...change } : file)),
    }),
    expectWhole: (folder) => {
      for (const [path, content] of Object.entries(bench.model.contents)) {
        expect(readFileSync(join(folder, path)).equals(content), path).toBe(true);
      }
    },
  };
  beforeEach(async () => {
    bench.root = mkdtempSync(join(tmpdir(), 'footnote-store-'));
    bench.dir = join(bench.root, 'models');
    bench.server = new ModelServer();
    await bench.server.start();
    bench.model = testModel();
    serveModel(bench.server, bench.model);
  });
  afterEach(async () => {
    await bench.server.stop();
    rmSync(bench.root, { recursive: true, force: true });
  });
  return bench;
}
