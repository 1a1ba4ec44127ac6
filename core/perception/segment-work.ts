import { FRAME_MS } from '../footage/decode.ts';
import type { ColourMatrix } from '../footage/picture-filter.ts';
import type { ClipFrame } from '../redaction/clip-frame.ts';
import type { ClipWriter } from '../redaction/clip-writer.ts';
import { toRgb } from '../redaction/colour.ts';
import type { RedactedFrame } from '../redaction/redactor.ts';
import { frameOffsets, type Segment } from '../segments/segments.ts';
import { type MeasuredFrame, summariseMotion } from './motion-summary.ts';
import type { Observation } from './observation.ts';
import type { PictureMeasure } from './picture-meter.ts';
import type { TextFrame } from './text.ts';

/** Sightings of people less than this apart are one span, ms. */
const SPAN_GAP_MS = 1_000;

/** What is gathered of one segment while its frames pass. */
export class SegmentWork {
  readonly segment: Segment;
  /** Frame numbers within the chapter: first, and one past the last. */
  readonly firstFrame: number;
  readonly endFrame: number;
  /** Null when no pixels are kept. */
  readonly clip: ClipWriter | null;
  /** Frames for the text reader, pixels as read; never written. */
  readonly textFrames: TextFrame[] = [];
  readonly #chapterStartMs: number;
  readonly #samples: ReadonlySet<number>;
  readonly #sampled: ClipFrame[] = [];
  #spare: ClipFrame | null = null;
  readonly #measured: MeasuredFrame[] = [];
  #clipFrames = 0;
  #peopleFrames = 0;
  #mostPeople = 0;
  #confidence = 0;
  readonly #spans: { startMs: number; endMs: number }[] = [];
  readonly #blurred = new Set<unknown>();

  constructor(segment: Segment, chapterStartMs: number, clip: ClipWriter | null) {
    this.segment = segment;
    this.clip = clip;
    this.#chapterStartMs = chapterStartMs;
    this.firstFrame = Math.ceil(segment.offsetMs / FRAME_MS);
    this.endFrame = Math.max(
      this.firstFrame + 1,
      Math.ceil((segment.offsetMs + segment.durationMs) / FRAME_MS),
    );
    const samples = frameOffsets(segment.durationMs).map((offset) =>
      Math.min(this.endFrame - 1, Math.round((segment.offsetMs + offset) / FRAME_MS)),
    );
    this.#samples = new Set(samples);
  }

  /** Epoch ms at which a frame is shown. */
  instant(frame: number): number {
    return Math.round(this.#chapterStartMs + frame * FRAME_MS);
  }

  /** Frames that may become keyframes; the first one in case the file ends before a sample. */
  isCandidate(frame: number): boolean {
    return frame === this.firstFrame || this.#samples.has(frame);
  }

  /** Takes a frame as read, before redaction. */
  see(frame: ClipFrame, measure: PictureMeasure, matrix: ColourMatrix): void {
    const atMs = this.instant(frame.index);
    this.#measured.push({ ...measure, atMs });
    if (!this.#samples.has(frame.index)) return;
    const { width, height } = frame.picture;
    this.textFrames.push({ rgb: toRgb(frame.picture, matrix), width, height, atMs });
  }

  /** Takes a frame that may be written. */
  async keep({ frame, people, blurred }: RedactedFrame): Promise<void> {
    if (this.#samples.has(frame.index)) this.#sampled.push(frame);
    else if (frame.index === this.firstFrame) this.#spare = frame;
    for (const track of blurred) this.#blurred.add(track);
    if (people.length > 0) {
      const atMs = this.instant(frame.index);
      this.#peopleFrames += 1;
      this.#mostPeople = Math.max(this.#mostPeople, people.length);
      this.#confidence = Math.max(this.#confidence, ...people);
      const span = this.#spans.at(-1);
      if (span && atMs - span.endMs <= SPAN_GAP_MS) span.endMs = atMs + FRAME_MS;
      else this.#spans.push({ startMs: atMs, endMs: atMs + FRAME_MS });
    }
    this.#clipFrames += 1;
    await this.clip?.write(frame.picture.data);
  }

  /** Frames seen so far. */
  get seen(): number {
    return this.#measured.length;
  }

  /** Redacted frames to choose keyframes from, in time order. */
  get candidates(): ClipFrame[] {
    return this.#sampled.length > 0 || !this.#spare ? this.#sampled : [this.#spare];
  }

  get clipDurationMs(): number {
    return this.#clipFrames * FRAME_MS;
  }

  get facesBlurred(): number {
    return this.#blurred.size;
  }

  /** What the pictures of this segment say. */
  summary(): Pick<Observation, 'faces' | 'motion' | 'light'> {
    return {
      faces: {
        most: this.#mostPeople,
        share: this.#clipFrames > 0 ? this.#peopleFrames / this.#clipFrames : 0,
        confidence: this.#confidence,
        spans: this.#spans,
      },
      ...summariseMotion(this.#measured),
    };
  }
}
