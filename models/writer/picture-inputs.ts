import { cat, type Processor, RawImage, type Tensor } from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import type { Family } from './model-folder.ts';
import type { Frame } from './vision-writer.ts';

/** Tensors a model takes, by name. */
export type ModelInputs = Record<string, Tensor> & { input_ids: Tensor };

/**
 * Longest side a frame is brought to before it becomes a square, px. Models of this family ask for 2048 px, which only
 * costs memory when a frame is not split: 8 frames took 430 MB and 2.6 s at 2048 px, 205 MB and 0.3 s at 512 px.
 */
const SQUARE_LONGEST_SIDE = 512;
/** Pixels of a frame taken as patches: MemLife's 704 px on a 16:9 frame. */
const PATCH_PIXELS = 704 * 396;

/** What is used of a model's picture processor beyond calling it. */
interface PictureProcessor {
  (frames: RawImage[]): Promise<{ pixel_values: Tensor; image_grid_thw: Tensor }>;
  size?: { longest_edge?: number };
  max_pixels?: number;
  min_pixels?: number;
  config: { merge_size?: number };
}

function pictures(processor: Processor): PictureProcessor {
  return processor.image_processor as unknown as PictureProcessor;
}

/** Keeps frames from being blown up: see the constants. Called once, after loading. */
export function limitPictures(processor: Processor, family: Family): void {
  const picture = pictures(processor);
  if (family === 'squares') {
    const longest = picture.size?.longest_edge ?? SQUARE_LONGEST_SIDE;
    picture.size = { longest_edge: Math.min(longest, SQUARE_LONGEST_SIDE) };
  } else {
    picture.max_pixels = Math.min(picture.max_pixels ?? PATCH_PIXELS, PATCH_PIXELS);
    picture.min_pixels = Math.min(picture.min_pixels ?? picture.max_pixels, picture.max_pixels);
  }
}

/** @throws ModelError run-failed for a frame whose bytes do not fit its size */
export function pictureOf({ rgb, width, height }: Frame): RawImage {
  const whole = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
  if (!whole || rgb.length !== width * height * 3) {
    throw new ModelError(
      'run-failed',
      `A frame of ${width} x ${height} px does not have ${rgb.length} bytes.`,
    );
  }
  return new RawImage(rgb, width, height, 3);
}

const PLACEHOLDER: Readonly<Record<Family, string>> = { squares: '<image>', patches: '<|image_pad|>' };

/**
 * A prompt and its frames as tensors.
 * @param prompt after the chat template, with one placeholder a frame
 * @throws ModelError run-failed when placeholders and frames do not match: the library would write a broken prompt
 */
export async function modelInputs(
  processor: Processor,
  family: Family,
  prompt: string,
  frames: RawImage[],
): Promise<ModelInputs> {
  const parts = prompt.split(PLACEHOLDER[family]);
  if (parts.length - 1 !== frames.length) {
    throw new ModelError(
      'run-failed',
      `The prompt has ${parts.length - 1} places for ${frames.length} pictures.`,
    );
  }
  const tokenizer = processor.tokenizer!;
  if (frames.length === 0) return (await tokenizer(prompt)) as ModelInputs;
  if (family === 'squares') {
    return (await processor(prompt, frames, { do_image_splitting: false })) as ModelInputs;
  }
  return patchInputs(processor, parts, frames);
}

/**
 * Several frames together would be taken for one clip with one placeholder, so each goes through the picture processor
 * by itself and the patches are joined.
 */
async function patchInputs(processor: Processor, parts: string[], frames: RawImage[]): Promise<ModelInputs> {
  const picture = pictures(processor);
  const merged = (picture.config.merge_size ?? 2) ** 2;
  const patches: Tensor[] = [];
  const grids: Tensor[] = [];
  let prompt = parts[0]!;
  for (const [n, frame] of frames.entries()) {
    const { pixel_values, image_grid_thw } = await picture([frame]);
    patches.push(pixel_values);
    grids.push(image_grid_thw);
    const cells = (image_grid_thw.data as BigInt64Array).reduce((product, side) => product * side, 1n);
    prompt += PLACEHOLDER.patches.repeat(Math.floor(Number(cells) / merged)) + parts[n + 1]!;
  }
  const text = (await processor.tokenizer!(prompt)) as ModelInputs;
  return { ...text, pixel_values: cat(patches, 0), image_grid_thw: cat(grids, 0) };
}
