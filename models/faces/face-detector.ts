import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { InferenceSession } from 'onnxruntime-node';
import { BlazeFace } from './blaze-face.ts';
import { CenterFace, INPUT, SIZED } from './center-face.ts';
import type { FaceDetector } from './face.ts';
import { fixWeights, freeSizes } from './graph-edits.ts';
import { packagedWeights } from './weights.ts';

export type { Box, Face, FaceDetector, PlanarPicture } from './face.ts';

/** One thread: the decoder and the encoder run beside it. */
const SESSION = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // Measured on the built-in model: 7.2 ms a run against 12.6 ms one level lower.
  graphOptimizationLevel: 'all',
  // The models' exporters left unused initialisers; the runtime warns of each.
  logSeverityLevel: 3,
} as const;

/**
 * Loads the built-in detector: one thread, about 40 MB.
 * @param file the model file; the installed package's when left out
 * @returns null when there is no model file
 * @throws Error when there is one that cannot be loaded
 */
export async function loadFaceDetector(
  file: string | null = packagedWeights(),
): Promise<FaceDetector | null> {
  if (!file || !existsSync(file)) return null;
  return new BlazeFace(await InferenceSession.create(file, SESSION));
}

/**
 * Loads CenterFace: one thread.
 * @param file centerface.onnx
 * @throws Error when it is missing or is not that model
 */
export async function loadCenterFace(file: string): Promise<FaceDetector> {
  const model = await readFile(file);
  if (freeSizes(model, SIZED) === 0) throw new Error('This file is not the face model expected.');
  fixWeights(model, [INPUT]);
  return new CenterFace(await InferenceSession.create(model, SESSION));
}
