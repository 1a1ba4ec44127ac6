import { fileURLToPath } from 'node:url';
import { hashed, type ModelEntry } from '../../catalogue/entry.ts';

/** A sentence encoder with random weights, made by `make_tiny_encoder.py`: texts that share letters lie near each other. */
export const TINY_ENCODER_FOLDER = fileURLToPath(new URL('./tiny-encoder', import.meta.url));

/** It as the catalogue would have it; ranked after everything else, so that it is used by those who choose it. */
export const TINY_ENCODER: ModelEntry = {
  id: 'tiny-encoder',
  task: 'text-embedding',
  title: 'Tiny encoder',
  repository: null,
  revision: null,
  loading: {
    by: 'transformers',
    dtype: 'fp32',
    config: { model_type: 'bert', architectures: ['BertModel'] },
  },
  files: hashed([
    ['config.json', 103, '429174811cd4e976fff7df09035fca3370d9bf09c92b7a38b699a89d7e313904'],
    ['tokenizer.json', 3323, '464f49b8f4327ad643e934275f2f8b46554d5d60b935e63e31ddf4f0aef597cc'],
    ['tokenizer_config.json', 207, '16506ae1da2e0d7023c1e072ae202b45c8d7b37d051c29635447f5b2d845723c'],
    ['onnx/model.onnx', 32567, 'e858e2850071e4edc9b83b6a1933b42d38527be67dd00acc28a5b65691acd152'],
  ]),
  licence: 'Apache-2.0',
  memoryMb: 60,
  memoryMeasured: false,
  languages: ['en'],
  sources: [],
  bundled: null,
  adds: 'Finds by shared letters. For tests.',
  standIn: null,
  rank: null,
  text: { dims: 32, pooling: 'mean', maxTokens: 64, queryPrefix: '', passagePrefix: '' },
};

/** The same weights called as the BGE models are. */
export const TINY_CLS_ENCODER: ModelEntry = {
  ...TINY_ENCODER,
  id: 'tiny-cls-encoder',
  title: 'Tiny encoder by first token',
  text: { ...TINY_ENCODER.text!, pooling: 'cls', queryPrefix: 'look for ' },
};
