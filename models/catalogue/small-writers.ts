import { type ModelEntry, published } from './entry.ts';

const DTYPE = 'q4';
const ARCHITECTURES = ['SmolVLMForConditionalGeneration'] as const;
const REVISION_500M = '7b375e1b73b11138ff12fe22c8f2822d8fe03467';
const REVISION_256M = '067788b187b95ebe7b2e040b3e4299e342e5b8fd';

/** SmolVLM2: vision-language models for small machines. */
export const SMALL_WRITERS: readonly ModelEntry[] = [
  {
    id: 'smolvlm2-500m',
    task: 'writer',
    title: 'SmolVLM2 500M',
    repository: 'HuggingFaceTB/SmolVLM2-500M-Video-Instruct',
    revision: REVISION_500M,
    loading: {
      by: 'transformers',
      dtype: DTYPE,
      config: { model_type: 'smolvlm', architectures: ARCHITECTURES },
    },
    files: published([
      ['config.json', null, null],
      ['generation_config.json', 136, null],
      ['preprocessor_config.json', 599, null],
      ['processor_config.json', 67, null],
      ['tokenizer.json', 3548256, '5ece781dc8d2b2f3e2f289ca0ae50b17cfc27dd27bfe7971bb8241e0b964331a'],
      ['tokenizer_config.json', null, null],
      [
        'onnx/decoder_model_merged_q4.onnx',
        null,
        '69561703c23810bf58cd4fe81b2427df95339a5b55743f62d1e767bd4a83a1e2',
      ],
      ['onnx/embed_tokens_q4.onnx', null, null],
      ['onnx/vision_encoder_q4.onnx', null, null],
    ]),
    // Decoder 229 MB as its page says; the rest in proportion to the 256M model.
    aboutBytes: 490_000_000,
    licence: 'Apache-2.0',
    memoryMb: 800,
    memoryMeasured: false,
    languages: ['en'],
    sources: [
      { kind: 'hub', repository: 'HuggingFaceTB/SmolVLM2-500M-Video-Instruct', revision: REVISION_500M },
    ],
    bundled: null,
    adds: 'Looks at the pictures and writes what happened, in English, on a machine too small for the default.',
    standIn: null,
    rank: 40,
  },
  {
    id: 'smolvlm2-256m',
    task: 'writer',
    title: 'SmolVLM2 256M',
    repository: 'HuggingFaceTB/SmolVLM2-256M-Video-Instruct',
    revision: REVISION_256M,
    loading: {
      by: 'transformers',
      dtype: DTYPE,
      config: { model_type: 'smolvlm', architectures: ARCHITECTURES },
    },
    files: published([
      ['config.json', 3812, '756cb7d37d7659c9d5a71c563f9d2530f9dd674ab7e909d8d0dd5b1a2d3e8317'],
      ['generation_config.json', 136, '34835060c9f0f74d1acb456cc72ca32746d3843d9eb5f578f9cbffac1d2eb840'],
      ['preprocessor_config.json', 599, '149e315d9410368e5491455bb06e0f763426e9e56cca731c13b24404a29b6374'],
      ['processor_config.json', 67, 'f3ad45028447b3562b4752be0d5916d6806c1ef589091a469608dcf0faa1737c'],
      ['tokenizer.json', 3548256, '5ece781dc8d2b2f3e2f289ca0ae50b17cfc27dd27bfe7971bb8241e0b964331a'],
      ['tokenizer_config.json', 28626, 'dd9ce2ab89a3dd881bd9378f1a79b943a064b9275a7e1706d5b7b47b68977913'],
      [
        'onnx/decoder_model_merged_q4.onnx',
        86894835,
        'ce4021b8e2242cbd4caac06b259e1b15e085c6a4b900af40f1e0abec7a6c6df2',
      ],
      [
        'onnx/embed_tokens_q4.onnx',
        113541438,
        '64f62db97ca38a44b5ed8a225b75dbede2d069c9afc76696d63b89300d5edcd2',
      ],
      [
        'onnx/vision_encoder_q4.onnx',
        63784944,
        '253d225bf96b6203118d16e57bb2890c2dc542dd989d484cb9541dc4d4ae719b',
      ],
    ]),
    licence: 'Apache-2.0',
    memoryMb: 400,
    memoryMeasured: false,
    languages: ['en'],
    sources: [
      { kind: 'hub', repository: 'HuggingFaceTB/SmolVLM2-256M-Video-Instruct', revision: REVISION_256M },
    ],
    bundled: null,
    adds: 'Looks at the pictures and writes what happened, in short English sentences: the smallest that does.',
    standIn: null,
    rank: 50,
  },
];
