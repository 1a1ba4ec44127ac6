import type { FaceDetector } from '../../models/faces/face-detector.ts';
import { FRAME_MS } from '../footage/decode.ts';
import { clipSize, readingSize } from '../footage/picture-filter.ts';
import { clipFrame } from '../redaction/clip-frame.ts';
import { ClipWriter } from '../redaction/clip-writer.ts';
import { type RedactedFrame, Redactor } from '../redaction/redactor.ts';
import { episodeId, MIN_TAIL_MS, type Segment } from '../segments/segments.ts';
import { type ChapterContext, finishSegment } from './finish-segment.ts';
import { PictureMeter } from './picture-meter.ts';
import { SegmentWork } from './segment-work.ts';
import type { PerceiveEvents } from './task.ts';

/**
 * Leads a chapter's frames through measuring and redaction into their segments. While one segment is being finished the
 * frames of the next already pass; no more than that is ever open.
 */
export class ChapterPass {
  /** Things a person should know, once ended. */
  readonly notes: string[] = [];
  /** One past the last frame wanted. */
  readonly endFrame: number;
  readonly #events: PerceiveEvents;
  readonly #context: ChapterContext;
  readonly #meter = new PictureMeter();
  readonly #redactor: Redactor | null;
  /** Segments to come, each opened when its first frame passes. */
  readonly #waiting: Segment[];
  #open: SegmentWork[] = [];
  #finishing: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | null = null;
  #blurredWhole = 0;

  constructor(
    segments: readonly Segment[],
    events: PerceiveEvents,
    detector: FaceDetector | null,
    context: ChapterContext,
  ) {
    this.#waiting = [...segments];
    this.#events = events;
    this.#context = context;
    const last = segments.at(-1)!;
    this.endFrame = Math.ceil((last.offsetMs + last.durationMs) / FRAME_MS);
    const { width, height } = readingSize(context.task.chapter.picture.video!);
    this.#redactor = detector && new Redactor(detector, width, height);
  }

  /**
   * Takes the next frame.
   * @throws what finishing an earlier segment threw
   */
  async take(index: number, pixels: Uint8Array, width: number, height: number): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    const frame = clipFrame(index, pixels, width, height);
    const measure = this.#meter.measure(frame.half);
    const work = this.#workAt(index);
    work?.see(frame, measure, this.#context.matrix);
    const ready = this.#redactor
      ? await this.#redactor.push(frame, work?.isCandidate(index) ?? false)
      : [{ frame, people: [], blurred: [], whole: false }];
    await this.#keep(ready);
  }

  /**
   * No more frames: finishes what is open.
   * @param endMs how far the chapter was read; what is left of a segment under a second is dropped
   */
  async end(endMs: number): Promise<void> {
    await this.#keep((await this.#redactor?.flush()) ?? []);
    for (const work of this.#open.splice(0)) {
      const { offsetMs } = work.segment;
      if (endMs - offsetMs < MIN_TAIL_MS && work.segment.index > 0) await work.clip?.abandon();
      else await this.#finish(work, endMs);
    }
    await this.#finishing;
    if (this.#failure) throw this.#failure.error;
    if (this.#blurredWhole > 0) {
      this.notes.push(
        `Faces could not be looked for in ${this.#blurredWhole} pictures; they are blurred as a whole.`,
      );
    }
  }

  /** Ends everything still open and removes what is unfinished. */
  async abandon(): Promise<void> {
    await this.#finishing;
    await Promise.all(this.#open.splice(0).map((work) => work.clip?.abandon()));
  }

  #workAt(index: number): SegmentWork | null {
    const next = this.#waiting[0];
    if (next && index * FRAME_MS >= next.offsetMs) {
      this.#waiting.shift();
      this.#open.push(this.#begin(next));
    }
    return this.#open.find((work) => index >= work.firstFrame && index < work.endFrame) ?? null;
  }

  #begin(segment: Segment): SegmentWork {
    const { task, matrix, signal } = this.#context;
    const video = task.chapter.picture.video!;
    const clip = this.#redactor
      ? new ClipWriter({
          name: episodeId(task.chapter.id, segment.index),
          clipsDir: task.clipsDir,
          workDir: task.workDir,
          from: readingSize(video),
          to: clipSize(video),
          matrix,
          signal,
        })
      : null;
    return new SegmentWork(segment, task.chapter.startMs, clip);
  }

  async #keep(frames: readonly RedactedFrame[]): Promise<void> {
    for (const redacted of frames) {
      const { index } = redacted.frame;
      if (redacted.whole) this.#blurredWhole += 1;
      const work = this.#open.find((w) => index >= w.firstFrame && index < w.endFrame);
      if (!work) continue;
      await work.keep(redacted);
      if (index < work.endFrame - 1) continue;
      this.#open.splice(this.#open.indexOf(work), 1);
      await this.#finish(work, work.segment.offsetMs + work.segment.durationMs);
    }
  }

  /** Finishes a segment beside the reading of the next; waits for the one before. */
  async #finish(work: SegmentWork, endMs: number): Promise<void> {
    await this.#finishing;
    if (this.#failure) {
      await work.clip?.abandon();
      return;
    }
    this.#finishing = finishSegment(work, endMs, this.#context)
      .then(({ observation, frames }) => this.#events.onSegment(observation, frames))
      .catch(async (error: unknown) => {
        this.#failure = { error };
        await work.clip?.abandon();
      });
  }
}
