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
 * Looks for faces in the frames of one chapter, spending a model run where it may find something: the whole picture in every
 * frame and one tile in turn, each only when it changed since it was last searched.
 */
export class FaceSearch {
  readonly #detector: FaceDetector;
  readonly #whole: SearchedRegion;
  readonly #tiles: SearchedRegion[];
  #turn = 0;

  constructor(detector: FaceDetector, width: number, height: number) {
    const searched = (region: Box): SearchedRegion => ({ region, gate: new ChangeGate(region), faces: [] });
    this.#detector = detector;
    this.#whole = searched({ x: 0, y: 0, width, height });
    this.#tiles = tilesOf(width, height).map(searched);
  }

  /**
   * @param thorough search every tile, not only the one whose turn it is: for frames that become keyframes
   * @throws what the detector throws
   */
  async look(frame: ClipFrame, thorough: boolean): Promise<Face[]> {
    const faces = [...(await this.#search(this.#whole, frame))];
    this.#turn = (this.#turn + 1) % this.#tiles.length;
    const now = thorough ? this.#tiles : [this.#tiles[this.#turn]!];
    for (const tile of this.#tiles) {
      if (now.includes(tile)) faces.push(...(await this.#search(tile, frame)));
      else if (tile.faces.length > 0 && !tile.gate.changed(frame.half)) faces.push(...tile.faces);
    }
    return blendFaces(faces);
  }

  async #search(part: SearchedRegion, frame: ClipFrame): Promise<Face[]> {
    if (part.gate.changed(frame.half)) {
      part.faces = await this.#detector.detect(frame.picture, part.region);
      part.gate.remember(frame.half);
    }
    return part.faces;
  }
}
