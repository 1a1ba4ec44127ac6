import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoProcessor, type Processor, RawImage } from '@huggingface/transformers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitPictures, modelInputs } from './picture-inputs.ts';
import { TINY_WRITER } from './testing/scenes.ts';

/** As Qwen3.5 asks for pictures: 16 px patches, four merged into a token, at most 16 million pixels. */
const PATCHES = {
  processor_class: 'Qwen3VLProcessor',
  image_processor_type: 'Qwen2VLImageProcessor',
  size: { shortest_edge: 65_536, longest_edge: 16_777_216 },
  patch_size: 16,
  temporal_patch_size: 2,
  merge_size: 2,
  image_mean: [0.5, 0.5, 0.5],
  image_std: [0.5, 0.5, 0.5],
  do_rescale: true,
  do_normalize: true,
  do_resize: true,
  do_convert_rgb: true,
  resample: 3,
};

let folder: string;
let patches: Processor;
let squares: Processor;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'picture-inputs-'));
  for (const file of ['tokenizer.json', 'tokenizer_config.json', 'config.json']) {
    await cp(join(TINY_WRITER, file), join(folder, file));
  }
  await writeFile(join(folder, 'preprocessor_config.json'), JSON.stringify(PATCHES));
  patches = await AutoProcessor.from_pretrained(folder, { local_files_only: true });
  squares = await AutoProcessor.from_pretrained(TINY_WRITER, { local_files_only: true });
  limitPictures(patches, 'patches');
  limitPictures(squares, 'squares');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function grey(width: number, height: number): RawImage {
  return new RawImage(new Uint8Array(width * height * 3).fill(128), width, height, 3);
}

describe('pictures for a model that takes patches', () => {
  it('gives every frame its own place, however many there are and whatever their shape', async () => {
    const frames = [grey(704, 396), grey(396, 704), grey(704, 396)];
    const mark = '<|vision_start|><|image_pad|><|vision_end|>';
    const inputs = await modelInputs(patches, 'patches', `I: ${mark}${mark}${mark} What?`, frames);
    expect(inputs.image_grid_thw!.dims).toEqual([3, 3]);
    const grids = inputs.image_grid_thw!.tolist() as bigint[][];
    expect(grids.map((grid) => grid.map(Number))).toEqual([
      [1, 24, 44],
      [1, 44, 24],
      [1, 24, 44],
    ]);
    expect(inputs.pixel_values!.dims).toEqual([3 * 24 * 44, 3 * 2 * 16 * 16]);
    const text = patches.decode(inputs.input_ids.tolist()[0] as never, { skip_special_tokens: false });
    expect(text.split('<|image_pad|>')).toHaveLength(1 + (3 * 24 * 44) / 4);
  });

  it('brings a 4K frame down to what a writer looks at', async () => {
    const { pixel_values } = await modelInputs(patches, 'patches', '<|image_pad|>', [grey(3840, 2160)]);
    expect(pixel_values!.dims[0]! * 256).toBeLessThanOrEqual(704 * 396);
  });
});

describe('pictures for a model that takes squares', () => {
  it('makes one square of each frame', async () => {
    const frames = [grey(704, 396), grey(396, 704)];
    const inputs = await modelInputs(squares, 'squares', '<image><image> What?', frames);
    expect(inputs.pixel_values!.dims).toEqual([1, 2, 3, 128, 128]);
  });

  it('never enlarges a frame beyond what a square can show', () => {
    const processor = { image_processor: { size: { longest_edge: 2048 } } };
    limitPictures(processor as unknown as Processor, 'squares');
    expect(processor.image_processor.size.longest_edge).toBe(512);
  });
});

describe('a prompt', () => {
  it('is refused when its places and the pictures do not match', async () => {
    for (const [prompt, frames] of [
      ['<image>', 0],
      ['no place', 1],
      ['<image> <image>', 1],
    ] as const) {
      const pictures = Array.from({ length: frames }, () => grey(64, 64));
      await expect(modelInputs(squares, 'squares', prompt, pictures)).rejects.toMatchObject({
        code: 'run-failed',
      });
    }
  });
});
