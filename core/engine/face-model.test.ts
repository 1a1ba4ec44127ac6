import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { entryOf } from '../../models/catalogue/index.ts';
import { type ModelStore, openStore } from '../../models/store/index.ts';
import { faceModelOf, facesCheck } from './face-model.ts';

let dir: string;
let store: ModelStore;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-face-model-'));
  store = openStore({ dir, folders: [] });
});
afterAll(() => rm(dir, { recursive: true }));

const BUILT_IN = { name: 'face detection', ok: true, detail: 'its weights are installed' };
const MISSING = { name: 'face detection', ok: false, detail: 'its weights are missing' };

it('leaves faces to the built-in detector until another was fetched, and says what that would add', async () => {
  const location = await store.locate('faces');
  expect(location.model?.id).toBe('blazeface-back-256');
  expect(faceModelOf(location)).toBeNull();
  const check = await facesCheck(store, BUILT_IN);
  expect(check.ok).toBe(true);
  expect(check.detail).toContain('footnote models get centerface');
  expect(await facesCheck(store, MISSING)).toEqual(MISSING);
});

it('gives the fetched one by its file, and needs no built-in one then', async () => {
  const entry = entryOf('centerface');
  const model = { id: entry.id, title: entry.title, entry, folder: dir, builtIn: false };
  const location = { ...(await store.locate('faces')), model, offer: null };
  expect(faceModelOf(location)).toEqual({ name: 'centerface', file: join(dir, 'centerface.onnx') });
  const fetched: ModelStore = Object.assign(Object.create(store), { locate: async () => location });
  expect(await facesCheck(fetched, MISSING)).toMatchObject({
    ok: true,
    detail: 'CenterFace finds faces.',
  });
  const damaged: ModelStore = Object.assign(Object.create(store), {
    locate: async () => ({ ...location, problem: 'CenterFace is damaged.' }),
  });
  expect(await facesCheck(damaged, BUILT_IN)).toMatchObject({ ok: false, detail: 'CenterFace is damaged.' });
});
