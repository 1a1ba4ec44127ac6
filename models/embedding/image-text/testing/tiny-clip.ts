import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { hashed, type ModelEntry } from '../../../catalogue/entry.ts';
import { renderSceneSvg, type Scene } from '../../../writer/testing/scene-renderer.mjs';
import type { ImageTextModel } from '../image-text-model.ts';

/** The project's own little dual encoder; README.md in the folder says what it can do. */
export const TINY_CLIP_FOLDER = fileURLToPath(new URL('./tiny-clip', import.meta.url));

/** It as the catalogue would have it, with the weights of this repository. */
export const TINY_CLIP: ModelEntry = {
  id: 'tiny-clip',
  task: 'image-embedding',
  title: 'Tiny CLIP',
  repository: null,
  revision: null,
  loading: {
    by: 'transformers',
    dtype: 'q8',
    config: { model_type: 'clip', architectures: ['CLIPModel'], parts: ['text_model', 'vision_model'] },
  },
  files: hashed([
    ['config.json', 532, '1eb7d2d57b67d11275b35dd3ed5298ed404928011a060918300ac09ad4a69a2a'],
    ['preprocessor_config.json', 379, 'e17840aa8b04a65e3092342e83f4d52dba9254acddcff8e2a4659dce1e32e9b1'],
    ['tokenizer.json', 28463, '0db7570670dbec0fcb34cc6b0b773f3b95f21475cae67f82732bb55275b0822a'],
    ['tokenizer_config.json', 468, '685ca35f536a23b3e19a23c3078f26b2dfb8b7fa1a294e3c7a93a01b13de1f95'],
    [
      'onnx/text_model_quantized.onnx',
      365725,
      'ca64f0144f4de2bec3663da1d4fcc6fc4945b74bb85c9862be87438516287c53',
    ],
    [
      'onnx/vision_model_quantized.onnx',
      1170757,
      '89b07cea2d5db44e31f5d85cee59f70c884038285592fb61267f403135cd5dd8',
    ],
  ]),
  licence: 'Apache-2.0',
  memoryMb: 190,
  memoryMeasured: false,
  languages: ['en'],
  sources: [],
  bundled: null,
  adds: 'Finds drawn scenes by sentences about them.',
  standIn: null,
  rank: 1,
  image: { dims: 64, maxTokens: 48, padToMax: false, lowerCase: false },
};

/** It as the model process loads it. */
export const TINY_CLIP_MODEL: ImageTextModel = {
  name: 'tiny-clip@test',
  folder: TINY_CLIP_FOLDER,
  dtype: 'q8',
  threads: 1,
  call: TINY_CLIP.image!,
};

/** A drawn scene as a JPEG. @param frame moves the camera a little */
export async function drawJpeg(scene: Scene, frame = 1, { width = 640, height = 360 } = {}): Promise<Buffer> {
  return sharp(Buffer.from(renderSceneSvg(scene, { frame, width, height })))
    .jpeg({ quality: 80 })
    .toBuffer();
}
