import { blendFaces } from '../../models/faces/boxes.ts';
import type { Box, Face, FaceDetector } from '../../models/faces/face-detector.ts';
import { ChangeGate } from './change-gate.ts';
import type { ClipFrame } from './clip-frame.ts';
import { tilesOf } from './regions.ts';

/** A part of the picture that is searched over and over. */
interface SearchedRegion {
  region: Box;
  gate: ChangeGate;
  /** What the last search found; holds as long as the gate stays shut. */
  faces: Face[];
}

/**
 * Looks for faces in the frames of one chapter, spending a model run where it may find something: the whole picture and the
 * tiles take turns, one run a frame, and what has not changed since it was last searched is not searched again. A face that
 * appears is so found within one frame when it is large and within one round of tiles when it is small; the redactor then
 * follows it back.
 */
export class FaceSearch {
  readonly #detector: FaceDetector;
  readonly #whole: SearchedRegion;
  readonly #tiles: SearchedRegion[];
  #frames = 0;
  #nextTile = 0;

  constructor(detector: FaceDetector, width: number, height: number) {
    const searched = (region: Box): SearchedRegion => ({ region, gate: new ChangeGate(region), faces: [] });
    this.#detector = detector;
    this.#whole = searched({ x: 0, y: 0, width, height });
    this.#tiles = tilesOf(width, height).map(searched);
  }

  /**
   * @param thorough search everything: for frames that become keyframes
   * @throws what the detector throws
   */
  async look(frame: ClipFrame, thorough: boolean): Promise<Face[]> {
    const wholeTurn = this.#frames % 2 === 0;
    this.#frames += 1;
    const changed = [this.#whole, ...this.#tiles].filter(({ gate }) => gate.changed(frame.half));
    const due = new Set(thorough ? changed : wholeTurn ? [this.#whole] : []);
    if (due.size === 0 || !changed.includes(this.#whole)) due.add(this.#takeTile(changed));
    const faces: Face[] = [];
    for (const part of [this.#whole, ...this.#tiles]) {
      const isChanged = changed.includes(part);
      if (isChanged && !due.has(part)) continue;
      if (isChanged) {
        part.faces = await this.#detector.detect(frame.picture, part.region);
        part.gate.remember(frame.half);
      }
      faces.push(...part.faces);
    }
    return blendFaces(faces);
  }

  /** The next tile in turn that changed. */
  #takeTile(changed: readonly SearchedRegion[]): SearchedRegion {
    const count = this.#tiles.length;
    const order = this.#tiles.map((_, n) => (this.#nextTile + n) % count);
    const at = order.find((n) => changed.includes(this.#tiles[n]!)) ?? this.#nextTile;
    this.#nextTile = (at + 1) % count;
    return this.#tiles[at]!;
  }
}
