import { type ModelEntry, type ModelFile, published } from './entry.ts';

const QWEN_LANGUAGES = ['mul'] as const;
const QWEN_DTYPE = { embed_tokens: 'q4', decoder_model_merged: 'q4', vision_encoder: 'q4' } as const;
const QWEN_EXTERNAL = { vision_encoder: 1, embed_tokens: 1, decoder_model_merged: 1 } as const;
const QWEN_ARCHITECTURES = ['Qwen3_5ForConditionalGeneration'] as const;
const SEES_AND_WRITES = 'Looks at the pictures and writes what happened';

/** A file of which git's id is known and its SHA-256 is not. */
function byGit(path: string, size: number, id: string, pointer = true): ModelFile {
  return { path, size, sha256: null, gitBlob: { id, pointer }, checked: false };
}

/** What the two smaller Qwen models share with the large one, to the byte. */
const QWEN_TOKENIZER = published([
  ['tokenizer.json', 19226111, '89da80cc6689bef4d90cc1028249436975ffb0814618f1d93c65310e05801a9b'],
]);
const QWEN_SHARED = published([
  ['generation_config.json', 248, 'dc0cbe66543f310896469b7b1448af792f403293a1080baaf04d586c57b23e48'],
  ['preprocessor_config.json', 336, '6a970fd06f30e6943b3e2c14d5d3b42d49b06cf99b99103d56689bef462d90f8'],
  ['processor_config.json', 1300, '14932921ca485d458a04dafd8069fbb0a4505622a48208d19ed247115801385b'],
]);
const QWEN_CHAT = published([
  ['tokenizer_config.json', 9161, 'fccbff64ebe09343aa2171028657f5b038db96fb4f657609bc76743eddfa3b9d'],
  ['chat_template.jinja', 7755, '273d8e0e683b885071fb17e08d71e5f2a5ddfb5309756181681de4f5a1822d80'],
]);

/** Vision-language models: they read frames and a transcript and write text. */
export const WRITERS: readonly ModelEntry[] = [
  {
    id: 'qwen3.5-0.8b',
    task: 'writer',
    title: 'Qwen3.5 0.8B',
    repository: 'onnx-community/Qwen3.5-0.8B-ONNX',
    revision: '1c0849d8d3084bc7d6f8d00789d3f3cec0a6fda6',
    loading: {
      by: 'transformers',
      dtype: QWEN_DTYPE,
      config: { model_type: 'qwen3_5', architectures: QWEN_ARCHITECTURES, externalData: QWEN_EXTERNAL },
    },
    // Nobody's record of this revision's hashes was found: the first download pins them.
    files: published([
      ['config.json', null, null],
      ['generation_config.json', null, null],
      ['preprocessor_config.json', null, null],
      ['tokenizer.json', null, null],
      ['tokenizer_config.json', null, null],
      ['onnx/embed_tokens_q4.onnx', null, null],
      ['onnx/embed_tokens_q4.onnx_data', null, null],
      ['onnx/decoder_model_merged_q4.onnx', null, null],
      ['onnx/decoder_model_merged_q4.onnx_data', null, null],
      ['onnx/vision_encoder_q4.onnx', null, null],
      ['onnx/vision_encoder_q4.onnx_data', null, null],
    ]),
    // The same weights in the other export below.
    aboutBytes: 740_000_000,
    licence: 'Apache-2.0',
    memoryMb: 1200,
    memoryMeasured: false,
    languages: QWEN_LANGUAGES,
    sources: [
      {
        kind: 'hub',
        repository: 'onnx-community/Qwen3.5-0.8B-ONNX',
        revision: '1c0849d8d3084bc7d6f8d00789d3f3cec0a6fda6',
      },
    ],
    bundled: null,
    adds: `${SEES_AND_WRITES}, in whole sentences. The smallest of its family; the default.`,
    standIn: null,
    rank: 30,
  },
  {
    id: 'qwen3.5-0.8b-opt',
    task: 'writer',
    title: 'Qwen3.5 0.8B, optimised graphs',
    repository: 'onnx-community/Qwen3.5-0.8B-ONNX-OPT',
    revision: 'fafab72d87a9e6be3925b38caf48286d2838f2d0',
    loading: {
      by: 'transformers',
      dtype: QWEN_DTYPE,
      config: { model_type: 'qwen3_5', architectures: QWEN_ARCHITECTURES, externalData: QWEN_EXTERNAL },
    },
    files: [
      ...published([
        ['config.json', 2849, '36fed6a902ccd06ef19a452bd5a0750bd88fe347d06ab75ef515615bac5b296d'],
        [
          'onnx/embed_tokens_q4.onnx',
          857,
          '8773dcf4858f855bfce13def4356ca17e0bc516a477154496b6ffb6dd6d084dc',
        ],
        [
          'onnx/embed_tokens_q4.onnx_data',
          162897920,
          '9210b1d26eb14136d3522584d17da14cc5f4b82b6f5607e6d80d59424a8cbe99',
        ],
        [
          'onnx/decoder_model_merged_q4.onnx',
          576621,
          '7390858c80a67275d8cb81fb70f66a24d3b86fe333057c1312de09c184a2d41b',
        ],
        [
          'onnx/decoder_model_merged_q4.onnx_data',
          483655680,
          '1a9165072dd51a9b6a917b6357a3686372b7429313022802cd4c9a730e8c9749',
        ],
        [
          'onnx/vision_encoder_q4.onnx',
          185278,
          '9b62022e77de4b22ca0bbc4453083c0cdeb8f967ccf13931d4c24c6e7c776177',
        ],
        [
          'onnx/vision_encoder_q4.onnx_data',
          68267008,
          '98aebedf02fc5414fd1c7f06a6580b42e272600ace9ecd33bfbc479a0c541c64',
        ],
      ]),
      ...QWEN_TOKENIZER,
      ...QWEN_SHARED,
      ...QWEN_CHAT,
    ],
    licence: 'Apache-2.0',
    memoryMb: 1100,
    memoryMeasured: false,
    languages: QWEN_LANGUAGES,
    sources: [
      {
        kind: 'hub',
        repository: 'onnx-community/Qwen3.5-0.8B-ONNX-OPT',
        revision: 'fafab72d87a9e6be3925b38caf48286d2838f2d0',
      },
    ],
    bundled: null,
    adds: `${SEES_AND_WRITES}: the default model in another export, every file of which is pinned by its hash.`,
    standIn: null,
    rank: null,
  },
  {
    id: 'qwen3.5-2b',
    task: 'writer',
    title: 'Qwen3.5 2B',
    repository: 'onnx-community/Qwen3.5-2B-ONNX',
    revision: 'b1fc7ca3afafcb8e4b13d29715a6b9ea5af1d1cb',
    loading: {
      by: 'transformers',
      dtype: QWEN_DTYPE,
      config: {
        model_type: 'qwen3_5',
        architectures: QWEN_ARCHITECTURES,
        externalData: { vision_encoder: 1, embed_tokens: 1, 'decoder_model_merged_q4.onnx': 1 },
      },
    },
    files: [
      ...published([
        [
          'onnx/embed_tokens_q4.onnx',
          857,
          '0255dd844858758f452d9678f1e2c91db178f21b7da254d29b12e7fe3d23e305',
        ],
        [
          'onnx/embed_tokens_q4.onnx_data',
          325795840,
          '9a6404d9b1c79ffc038d5c28deec04d419efb4594125453c991be38b4522ecb6',
        ],
        [
          'onnx/decoder_model_merged_q4.onnx',
          885982,
          '33f9c1311878df2140e7286f76d9e3acb29d77d91f724210674b0b63d8330df5',
        ],
        [
          'onnx/decoder_model_merged_q4.onnx_data',
          1209126912,
          'c6f4807e1287961a354b0bc6f8d4c68c658f707a9541e771a297dfefaf4a1e14',
        ],
        [
          'onnx/vision_encoder_q4.onnx',
          338758,
          '7ccbf866b2e0d0c59272c741715fd78764c8777f1063efe070d420191255c9fe',
        ],
        [
          'onnx/vision_encoder_q4.onnx_data',
          217952256,
          '0ea0ab9559904e1e5150a0ca194136922c6b8f1dfaaa44cc5e174ca59b231bb3',
        ],
      ]),
      ...QWEN_TOKENIZER,
      byGit('config.json', 2993, '1d7f2529ec1e68464cba2dd9ce66811f013ccfa6', false),
      byGit('generation_config.json', 248, '59ee4c198e909ccdc280d57660829658989582b2', false),
      byGit('preprocessor_config.json', 336, '4ae180b49f91e11d4da327d44edd9d4a909fe908', false),
      byGit('processor_config.json', 1300, '7ad6acdf4203f22b7b990e36ccc3a1fe38563d5e', false),
      byGit('tokenizer_config.json', 9161, '9e163a713bfafd0c747df5a74d6aad468ac0be51', false),
      byGit('chat_template.jinja', 7755, '0ef09f214eaa6d9bca297988afc1454b5827b2c7', false),
    ],
    licence: 'Apache-2.0',
    memoryMb: 2700,
    memoryMeasured: false,
    languages: QWEN_LANGUAGES,
    sources: [
      {
        kind: 'hub',
        repository: 'onnx-community/Qwen3.5-2B-ONNX',
        revision: 'b1fc7ca3afafcb8e4b13d29715a6b9ea5af1d1cb',
      },
    ],
    bundled: null,
    adds: `${SEES_AND_WRITES}, with fewer mistakes than the 0.8B model, at some two and a half times its cost.`,
    standIn: null,
    rank: 20,
  },
  {
    id: 'qwen3.5-4b',
    task: 'writer',
    title: 'Qwen3.5 4B',
    repository: 'onnx-community/Qwen3.5-4B-ONNX',
    revision: '74d8caba2117fd5f41d655e9cc27eda1338662b3',
    loading: {
      by: 'transformers',
      dtype: QWEN_DTYPE,
      config: {
        model_type: 'qwen3_5',
        architectures: QWEN_ARCHITECTURES,
        externalData: { vision_encoder: 1, embed_tokens: 1, 'decoder_model_merged_q4.onnx': 2 },
      },
    },
    files: [
      byGit('onnx/embed_tokens_q4.onnx', 857, '035323feddde7d078da1bca6423f3533c127639e'),
      byGit('onnx/embed_tokens_q4.onnx_data', 407244800, 'df4b8d74a06fbaca2aae0700f28479bee63ca575'),
      byGit('onnx/decoder_model_merged_q4.onnx', 1206737, 'b45ceb0b0024686d1b49f48adb5769d968ae4389'),
      byGit('onnx/decoder_model_merged_q4.onnx_data', 2093368320, '91c4c513a3c171bd6926326b23f3b6dcbbcc64b2'),
      byGit(
        'onnx/decoder_model_merged_q4.onnx_data_1',
        607298560,
        'de207bb8c0842528e32b1088be028bf4dff62c9f',
      ),
      byGit('onnx/vision_encoder_q4.onnx', 338759, '130a370ec2369ccaea64db6983f54a534f7d0875'),
      byGit('onnx/vision_encoder_q4.onnx_data', 219297792, '0a2c92568ca82723e43e3c2546f085cf55a085dc'),
      ...QWEN_TOKENIZER,
      byGit('config.json', 3198, 'fde26e50a8587ab4a2aafc503d24678e74f42366', false),
      byGit('generation_config.json', 248, '59ee4c198e909ccdc280d57660829658989582b2', false),
      byGit('preprocessor_config.json', 336, '4ae180b49f91e11d4da327d44edd9d4a909fe908', false),
      byGit('processor_config.json', 1300, '7ad6acdf4203f22b7b990e36ccc3a1fe38563d5e', false),
      byGit('tokenizer_config.json', 9162, 'b92de956c8b2d468de079efed8104ab7ec80281e', false),
      byGit('chat_template.jinja', 7756, 'a585dec894e63da457d9440ec6aa7caa16d20860', false),
    ],
    licence: 'Apache-2.0',
    memoryMb: 5000,
    memoryMeasured: false,
    languages: QWEN_LANGUAGES,
    sources: [
      {
        kind: 'hub',
        repository: 'onnx-community/Qwen3.5-4B-ONNX',
        revision: '74d8caba2117fd5f41d655e9cc27eda1338662b3',
      },
    ],
    bundled: null,
    adds: `${SEES_AND_WRITES}, best of these. For machines with plenty of memory, or patience.`,
    standIn: null,
    rank: 10,
  },
];
