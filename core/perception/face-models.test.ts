import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaceShelf } from './face-models.ts';

const HEAT_MODEL = join(import.meta.dirname, '../../models/faces/testing/heat-model.onnx');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-faces-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('keeps a fetched detector from chapter to chapter, and goes back to the built-in one', async () => {
  const shelf = new FaceShelf();
  const model = { name: 'centerface', file: HEAT_MODEL };
  const first = await shelf.detector(model);
  expect(first).toMatchObject({ detector: { name: 'centerface' }, note: null });
  expect((await shelf.detector(model)).detector).toBe(first.detector);
  expect(await shelf.detector(null)).toMatchObject({
    detector: { name: 'blazeface-back-256' },
    note: null,
  });
});

it('looks for faces with the built-in detector when the fetched one cannot be loaded, says so, and tries again', async () => {
  const shelf = new FaceShelf();
  const model = { name: 'centerface', file: join(folder, 'centerface.onnx') };
  await writeFile(model.file, 'damaged');
  const found = await shelf.detector(model);
  expect(found.detector?.name).toBe('blazeface-back-256');
  expect(found.note).toContain('footnote models verify centerface');
  await copyFile(HEAT_MODEL, model.file);
  expect(await shelf.detector(model)).toMatchObject({ detector: { name: 'centerface' }, note: null });
});
