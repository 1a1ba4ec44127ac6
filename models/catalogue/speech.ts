import { hashed, type ModelEntry, type ModelFile, published } from './entry.ts';

const REVISION_BASE = '1846881b6b3a3024392c1eea3ad983695bc23925';
const REVISION_SMALL = '36050c46d777d46dc4b5f43f6d90574fc38f8732';
const REVISION_MOONSHINE = 'b1e9b6aae3c3c7298f10c3798393fdf38e8fbbad';
const WHISPER = { model_type: 'whisper', architectures: ['WhisperForConditionalGeneration'] } as const;

/** What the multilingual Whisper models share, to the byte. */
const WHISPER_SHARED: readonly ModelFile[] = published([
  ['preprocessor_config.json', 339, 'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d'],
  ['tokenizer.json', 2480466, '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566'],
]);

/** Speech to text. */
export const SPEECH: readonly ModelEntry[] = [
  {
    id: 'whisper-base',
    task: 'speech',
    title: 'Whisper base',
    repository: 'onnx-community/whisper-base',
    revision: REVISION_BASE,
    loading: { by: 'transformers', dtype: 'q8', config: WHISPER },
    files: [
      ...published([
        ['config.json', 2243, 'f4d0608f7d918166da7edb3e188de5ef1bfe70d9802e785d271fd88111e9cf4b'],
        ['generation_config.json', 3832, '61070cf8de25b1e9256e8e102ded49d8d24a8369ed36ef84fdf21549e68125a0'],
        ['tokenizer_config.json', 282682, '2e036e4dbacfdeb7242c7d4ec4149f4a16e86026048f94d1637e3a8ee9c6a573'],
        [
          'onnx/encoder_model_quantized.onnx',
          23201314,
          '5862993336bf33acd23736071aae2b32261d3b1b2f37780194460d4ef974dd46',
        ],
        [
          'onnx/decoder_model_merged_quantized.onnx',
          53693315,
          'fa3ef9902734ce5ae6f9ef2bdb2ba9a6c4b5785b09f4f420ce036573dc9d090b',
        ],
      ]),
      ...WHISPER_SHARED,
    ],
    licence: 'Apache-2.0',
    memoryMb: 300,
    memoryMeasured: false,
    languages: ['mul'],
    sources: [{ kind: 'hub', repository: 'onnx-community/whisper-base', revision: REVISION_BASE }],
    bundled: null,
    adds: 'Writes down what is said, in some hundred languages, without subtitle files.',
    standIn: null,
    rank: 20,
  },
  {
    id: 'whisper-small',
    task: 'speech',
    title: 'Whisper small',
    repository: 'onnx-community/whisper-small',
    revision: REVISION_SMALL,
    loading: { by: 'transformers', dtype: 'q8', config: WHISPER },
    files: [
      ...published([
        ['config.json', 2227, '457854d452f17661e197d74aee12b8e74fb75ba30ebfaa7426d0d61ea1e08a18'],
        ['generation_config.json', 3893, 'f538b28220c6a6d6f1af1458d4141cacb4ef4963df3de98a19490440c412ddf0'],
        ['tokenizer_config.json', 282683, '2a4c4281cf9f51ac6ccc406fdc711a087afe6530f671fa7b80953edc498275ce'],
        [
          'onnx/encoder_model_quantized.onnx',
          92326160,
          'a43a83f3c5361cd591cfa7c36f14b43cf7cb22f47a415cc14a8d557be800fa92',
        ],
        [
          'onnx/decoder_model_merged_quantized.onnx',
          156750845,
          'ec07c3cbb64172c39791e26ee870a65ac22b458c36722bfe2776b3dbf741e0c9',
        ],
      ]),
      ...WHISPER_SHARED,
    ],
    licence: 'Apache-2.0',
    memoryMb: 700,
    memoryMeasured: false,
    languages: ['mul'],
    sources: [{ kind: 'hub', repository: 'onnx-community/whisper-small', revision: REVISION_SMALL }],
    bundled: null,
    adds: 'Writes down what is said with fewer mistakes than Whisper base, at some three times its cost.',
    standIn: null,
    rank: 10,
  },
  {
    id: 'moonshine-base',
    task: 'speech',
    title: 'Moonshine base',
    repository: 'onnx-community/moonshine-base-ONNX',
    revision: REVISION_MOONSHINE,
    loading: {
      by: 'transformers',
      dtype: 'q8',
      config: { model_type: 'moonshine', architectures: ['MoonshineForConditionalGeneration'] },
    },
    files: published([
      ['config.json', 922, 'fab7241d1e9fc6c2370c4c6dfb5da79bb54d67ed9ab6b507ac51d29d2abe01d1'],
      ['generation_config.json', 147, 'f9b3f711b57be7def2e50a8942f64f36ee0a55fad5b84ff93a687b6c5bcc1d44'],
      ['preprocessor_config.json', 128, 'fa43a7017ef85cd1d0fba0d9aae77c8adb16990ae6f11115631f41ec5d8aa679'],
      ['tokenizer.json', 3761754, '7b913404bdd039af4756783218af4440bc07fb7d6d8258d677e34f95b3ec416f'],
      ['tokenizer_config.json', 135735, 'edaee394565d428ea98a663ae7209cdcfeefc5585c42d7a570ff7c986df2cd15'],
      [
        'onnx/encoder_model_quantized.onnx',
        20513063,
        '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
      ],
      [
        'onnx/decoder_model_merged_quantized.onnx',
        42498870,
        'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
      ],
    ]),
    licence: 'MIT',
    memoryMb: 250,
    memoryMeasured: false,
    languages: ['en'],
    sources: [
      { kind: 'hub', repository: 'onnx-community/moonshine-base-ONNX', revision: REVISION_MOONSHINE },
    ],
    bundled: null,
    adds: 'Writes down English speech faster than Whisper, without times within a sentence.',
    standIn: null,
    rank: 30,
  },
  {
    id: 'whisper-tiny.en',
    task: 'speech',
    title: 'Whisper tiny, English',
    repository: 'openai/whisper-tiny.en',
    revision: null,
    loading: { by: 'transformers', dtype: 'q8', config: WHISPER },
    // A conversion of its own (see CHECKED.md): only a local folder has it.
    files: hashed([
      ['config.json', 1203, '37ef11b5126e13affaa7e8ed928c21ffa8d13b147a7692d2f4dcd83514bd2d11'],
      ['generation_config.json', 1515, '7e8cdbdc66f861bbe98968ba0d3f17c656cc884b35906407ef378c9f1a1daf56'],
      ['preprocessor_config.json', 356, '994838f1fa6462c8b9b3c90edada831f11f3dd8b4664634e18f4694d005c9dbf'],
      ['tokenizer.json', 1721142, '5bac232043f89fa6f117999e996d9fcb563e5400ac1278cb6d121ab98f724f99'],
      ['tokenizer_config.json', 1952, 'ba5e1ffd6c4bb2b2289806da97d77aae8f0c57f5dccc7701e2de2486f9a35a54'],
      [
        'onnx/encoder_model_quantized.onnx',
        9618363,
        '0ed017e43db4e69d55c658b1d457328f3ea7850a749160339d3a3e5f1e2e92e0',
      ],
      [
        'onnx/decoder_model_merged_quantized.onnx',
        30769416,
        '206c0a825c4beb466a35d1f3195b85c2e48544fbb8bed6229b156d0e14495686',
      ],
    ]),
    licence: 'MIT',
    memoryMb: 470,
    memoryMeasured: true,
    languages: ['en'],
    sources: [],
    bundled: null,
    adds: 'Writes down English speech, with more mistakes than Whisper base.',
    standIn: null,
    rank: 40,
  },
];
