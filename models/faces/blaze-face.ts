import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { Turns } from '../turns.ts';
import { blendFaces } from './boxes.ts';
import type { Box, Face, FaceDetector, PlanarPicture } from './face.ts';
import { type Placement, sampleRegion } from './sample-region.ts';

const SIDE = 256;
const LAYOUT = { width: SIDE, height: SIDE, pixelStep: 3, colourStep: 1, black: -1, white: 1 };
/** Numbers a box takes in the model's output: centre, size and six landmarks. */
const BOX_VALUES = 16;
/** The two anchor grids of the model: cells a side, anchors a cell, and the outputs that belong to them. */
const GRIDS = [
  { cells: 16, anchors: 2, scores: 'Identity:0', boxes: 'Identity_2:0' },
  { cells: 8, anchors: 6, scores: 'Identity_1:0', boxes: 'Identity_3:0' },
] as const;
/**
 * Lower than MediaPipe's 0.65: a blurred lamp costs less than a shown face.
 */
const MIN_CONFIDENCE = 0.5;
const MIN_LOGIT = Math.log(MIN_CONFIDENCE / (1 - MIN_CONFIDENCE));

/**
 * BlazeFace, back-camera variant (Bazarevsky et al. 2019, arXiv:1907.05047; MediaPipe "face_detection_back"): good for faces
 * of 15 px of its 256 px input and up.
 */
export class BlazeFace implements FaceDetector {
  readonly name = 'blazeface-back-256';
  readonly #input = new Float32Array(SIDE * SIDE * 3);
  readonly #tensor = new Tensor('float32', this.#input, [1, SIDE, SIDE, 3]);
  #session: InferenceSession | null;
  readonly #turns = new Turns();

  constructor(session: InferenceSession) {
    this.#session = session;
  }

  detect(picture: PlanarPicture, region: Box = { x: 0, y: 0, width: picture.width, height: picture.height }) {
    // One input tensor is reused, so calls wait for each other.
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
    const placement = sampleRegion(picture, region, LAYOUT, this.#input);
    const outputs = await this.#session.run({ 'input:0': this.#tensor });
    const faces: Face[] = [];
    for (const grid of GRIDS) {
      collect(grid, outputs[grid.scores]?.data, outputs[grid.boxes]?.data, placement, faces);
    }
    return blendFaces(faces);
  }
}

/** Decodes one anchor grid: a box is its cell's centre plus an offset, in input px. */
function collect(
  grid: (typeof GRIDS)[number],
  scores: unknown,
  boxes: unknown,
  placement: Placement,
  faces: Face[],
): void {
  if (!(scores instanceof Float32Array) || !(boxes instanceof Float32Array)) {
    throw new Error('The face model gave no scores: its file is not the one expected.');
  }
  const cell = SIDE / grid.cells;
  for (let i = 0; i < scores.length; i += 1) {
    const logit = scores[i]!;
    // Also drops NaN.
    if (!(logit >= MIN_LOGIT)) continue;
    const index = Math.floor(i / grid.anchors);
    const at = i * BOX_VALUES;
    const width = boxes[at + 2]! * placement.scale;
    const height = boxes[at + 3]! * placement.scale;
    if (!(width > 0 && height > 0)) continue;
    const centreX = ((index % grid.cells) + 0.5) * cell + boxes[at]!;
    const centreY = (Math.floor(index / grid.cells) + 0.5) * cell + boxes[at + 1]!;
    faces.push({
      x: placement.offsetX + centreX * placement.scale - width / 2,
      y: placement.offsetY + centreY * placement.scale - height / 2,
      width,
      height,
      confidence: 1 / (1 + Math.exp(-logit)),
    });
  }
}
