import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { Turns } from '../turns.ts';
import { blendFaces } from './boxes.ts';
import type { Box, Face, FaceDetector, PlanarPicture } from './face.ts';
import { type Placement, sampleRegion } from './sample-region.ts';

/** Names of the graph's input and of its outputs: how likely a face is centred here, its size, its exact centre. */
export const INPUT = 'input.1';
const HEAT = '537';
const SIZE = '538';
const OFFSET = '539';
/** Everything in the file whose size is that of the picture; the last, landmarks, is not read. */
export const SIZED = [INPUT, HEAT, SIZE, OFFSET, '540'] as const;

/** Input sides are whole multiples of this, px. */
const STEP = 32;
/** Input px a cell of the outputs stands for. */
const STRIDE = 4;
/** Most px of an input, and its longest side, px: a 16:9 picture as it is read from footage is not made smaller. */
const MOST_PIXELS = 704 * 396;
const LONGEST = 704;
/** Small regions are enlarged to this, px: a face in its surroundings is then some 50 px. */
const SHORTEST = 192;
/** Heat at which a cell is a face; `confidenceOf` makes it the least confidence told. */
const MIN_HEAT = 0.25;

/**
 * CenterFace (Xu et al. 2019, arXiv:1911.03599): one look over the whole picture finds every face in it, as the peaks of a heat map at a
 * quarter of its size; RGB values as they are, nothing subtracted. Good for faces of some 10 px and up, also turned and half hidden ones.
 */
export class CenterFace implements FaceDetector {
  readonly name = 'centerface';
  /** One buffer for each input size in use; there are few. */
  readonly #inputs = new Map<string, Float32Array>();
  #session: InferenceSession | null;
  readonly #turns = new Turns();

  constructor(session: InferenceSession) {
    this.#session = session;
  }

  detect(picture: PlanarPicture, region: Box = { x: 0, y: 0, width: picture.width, height: picture.height }) {
    // Inputs are reused, so calls wait for each other.
    return this.#turns.take(() => this.#run(picture, region));
  }

  async dispose(): Promise<void> {
    await this.#turns.idle();
    const session = this.#session;
    this.#session = null;
    await session?.release();
  }

  async #run(picture: PlanarPicture, region: Box): Promise<Face[]> {
    if (!this.#session) throw new Error('The face detector was disposed of.');
    const { width, height } = inputSize(region);
    const input = this.#input(width, height);
    const layout = { width, height, pixelStep: 1, colourStep: width * height, black: 0, white: 255 };
    const placement = sampleRegion(picture, region, layout, input);
    const outputs = await this.#session.run({ [INPUT]: new Tensor('float32', input, [1, 3, height, width]) });
    return blendFaces(facesOf(outputs, width / STRIDE, height / STRIDE, placement));
  }

  #input(width: number, height: number): Float32Array {
    const key = `${width}x${height}`;
    let input = this.#inputs.get(key);
    if (!input) {
      input = new Float32Array(width * height * 3);
      this.#inputs.set(key, input);
    }
    return input;
  }
}

/** Size a region is looked at in: its own, within limits, filled up to whole steps. */
function inputSize(region: Box): { width: number; height: number } {
  const longest = Math.max(region.width, region.height);
  const most = Math.min(LONGEST / longest, Math.sqrt(MOST_PIXELS / (region.width * region.height)));
  const scale = Math.min(most, Math.max(1, SHORTEST / longest));
  const whole = (side: number) => Math.max(STEP, Math.ceil((side * scale) / STEP) * STEP);
  return { width: whole(region.width), height: whole(region.height) };
}

/**
 * Heat as a confidence on the scale of the built-in detector, which the redactor's thresholds are set by.
 * @param heat MIN_HEAT..1
 * @returns 0.5..1
 */
function confidenceOf(heat: number): number {
  return 0.5 + (0.5 * (heat - MIN_HEAT)) / (1 - MIN_HEAT);
}

function facesOf(
  outputs: InferenceSession.OnnxValueMapType,
  columns: number,
  rows: number,
  placement: Placement,
): Face[] {
  const [heat, size, offset] = [HEAT, SIZE, OFFSET].map((name) => outputs[name]?.data);
  const cells = columns * rows;
  const fits =
    heat instanceof Float32Array &&
    size instanceof Float32Array &&
    offset instanceof Float32Array &&
    heat.length === cells &&
    size.length === 2 * cells &&
    offset.length === 2 * cells;
  if (!fits) throw new Error('The face model gave no heat map: its file is not the one expected.');
  const faces: Face[] = [];
  for (let i = 0; i < cells; i += 1) {
    // Also drops NaN.
    if (!(heat[i]! >= MIN_HEAT)) continue;
    // Of both maps the first plane is vertical; sizes are logarithms in cells.
    const height = Math.exp(size[i]!) * STRIDE * placement.scale;
    const width = Math.exp(size[cells + i]!) * STRIDE * placement.scale;
    if (!(Number.isFinite(width) && Number.isFinite(height))) continue;
    const centreX = ((i % columns) + offset[cells + i]! + 0.5) * STRIDE;
    const centreY = (Math.floor(i / columns) + offset[i]! + 0.5) * STRIDE;
    faces.push({
      x: placement.offsetX + centreX * placement.scale - width / 2,
      y: placement.offsetY + centreY * placement.scale - height / 2,
      width,
      height,
      confidence: confidenceOf(Math.min(1, heat[i]!)),
    });
  }
  return faces;
}
