import { createHash } from 'node:crypto';
import type { ModelEntry, ModelFile } from '../../catalogue/entry.ts';
import type { ModelServer } from './model-server.ts';

export const REVISION = 'a'.repeat(40);
export const REPOSITORY = 'someone/some-model';

/** Bytes that look like nothing in particular, the same every time. */
export function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let x = seed * 2_654_435_761 + 1;
  for (let i = 0; i < length; i += 1) {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = x >>> 24;
  }
  return bytes;
}

export const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

export interface TestModel {
  entry: ModelEntry;
  contents: Record<string, Buffer>;
}

/** A small model of two weight files and a settings file, as the hub would have it. */
export function testModel(id = 'test-model', overrides: Partial<ModelEntry> = {}): TestModel {
  const contents: Record<string, Buffer> = {
    'config.json': Buffer.from('{"model_type":"test"}'),
    'onnx/model.onnx': noise(200_000, 1),
    'onnx/model.onnx_data': noise(300_000, 2),
  };
  const files: ModelFile[] = Object.entries(contents).map(([path, content]) => ({
    path,
    size: content.length,
    sha256: sha256(content),
    checked: false,
  }));
  const entry: ModelEntry = {
    id,
    task: 'writer',
    title: 'Test model',
    repository: REPOSITORY,
    revision: REVISION,
    loading: { by: 'onnxruntime' },
    files,
    licence: 'Apache-2.0',
    memoryMb: 1,
    memoryMeasured: false,
    languages: ['en'],
    sources: [{ kind: 'hub', repository: REPOSITORY, revision: REVISION }],
    bundled: null,
    adds: 'Nothing.',
    standIn: null,
    rank: 1,
    ...overrides,
  };
  return { entry, contents };
}

export const hubPath = (path: string) => `/${REPOSITORY}/resolve/${REVISION}/${path}`;

/** Puts a model's files on the server. */
export function serveModel(server: ModelServer, { contents }: TestModel): void {
  for (const [path, body] of Object.entries(contents)) server.files.set(hubPath(path), { body });
}
