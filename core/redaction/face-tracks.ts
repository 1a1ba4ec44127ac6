import { overlap } from '../../models/faces/boxes.ts';
import type { Box, Face } from '../../models/faces/face-detector.ts';

/** Frames at 10 a second. A face stays blurred this long before its first and after its last sighting. */
export const HOLD_FRAMES = 8;
/** A face is the same one again after being unseen for at most this many frames. */
export const MAX_GAP = 10;
/** A face this sure begins a track; a less sure one only goes on with one. */
export const START_CONFIDENCE = 0.6;
/** Sightings and confidence at which a track is told of as a person, not only blurred. */
const PERSON_SIGHTINGS = 3;
const PERSON_CONFIDENCE = 0.8;
/** Centres closer than this many face sizes belong together, when the sizes differ by less than SAME_SIZE. */
const SAME_CENTRE = 0.8;
const SAME_SIZE = 2.2;
const SAME_IOU = 0.2;
/** Fastest a face is thought to go on unseen, face sizes a frame. */
const MAX_SPEED = 0.35;
/** Padding on each side in face sizes: the model's box ends at the eyebrows and before the ears. */
const PAD_SIDE = 0.3;
const PAD_TOP = 0.45;
const PAD_BOTTOM = 0.25;
/** More padding for every frame away from a sighting. */
const PAD_PER_FRAME = 0.04;
/** Frames around a sighting whose size counts too: a head that turns is measured too small for a moment. */
const SIZE_WINDOW = 2;

interface Sighting {
  frame: number;
  box: Box;
  confidence: number;
}

/** One face over time. */
export class FaceTrack {
  /** In frame order; old ones are dropped. */
  readonly sightings: Sighting[] = [];
  #count = 0;
  #confidence = 0;

  get first(): Sighting {
    return this.sightings[0]!;
  }

  get last(): Sighting {
    return this.sightings[this.sightings.length - 1]!;
  }

  /** Best confidence so far, 0..1. */
  get confidence(): number {
    return this.#confidence;
  }

  /** Seen often and surely enough to be told of. */
  get isPerson(): boolean {
    return this.#count >= PERSON_SIGHTINGS && this.#confidence >= PERSON_CONFIDENCE;
  }

  add(frame: number, face: Face): void {
    const sighting = { frame, box: face, confidence: face.confidence };
    if (this.sightings.length > 0 && frame < this.first.frame) this.sightings.unshift(sighting);
    else this.sightings.push(sighting);
    this.#count += 1;
    this.#confidence = Math.max(this.#confidence, face.confidence);
  }

  /** Drops sightings before a frame, but for the last one. */
  trim(before: number): void {
    while (this.sightings.length > 1 && this.first.frame < before) this.sightings.shift();
  }

  /** Seen at this frame, or both before and after it. */
  spans(frame: number): boolean {
    return frame >= this.first.frame && frame <= this.last.frame;
  }

  /** Where the face is thought to be at any frame: measured, between two measurements, or gone on from the nearest one. */
  boxAt(frame: number): Box {
    if (frame <= this.first.frame) return this.#carried(this.first, frame, this.#velocity(0));
    if (frame >= this.last.frame) {
      return this.#carried(this.last, frame, this.#velocity(this.sightings.length - 1));
    }
    const after = this.sightings.findIndex((sighting) => sighting.frame >= frame);
    const b = this.sightings[after]!;
    if (b.frame === frame) return b.box;
    const a = this.sightings[after - 1]!;
    return between(a.box, b.box, (frame - a.frame) / (b.frame - a.frame));
  }

  /** What to blur at a frame; null when this track has nothing to say about it. */
  coverAt(frame: number): Box | null {
    if (frame < this.first.frame - HOLD_FRAMES || frame > this.last.frame + HOLD_FRAMES) return null;
    let box = this.boxAt(frame);
    // Unsure which way it went: cover where it was seen as well as where it should be.
    if (frame < this.first.frame) box = union(box, this.first.box);
    if (frame > this.last.frame) box = union(box, this.last.box);
    let away = Number.POSITIVE_INFINITY;
    let { width, height } = box;
    for (const sighting of this.sightings) {
      const distance = Math.abs(sighting.frame - frame);
      away = Math.min(away, distance);
      if (distance > SIZE_WINDOW) continue;
      width = Math.max(width, sighting.box.width);
      height = Math.max(height, sighting.box.height);
    }
    const more = away * PAD_PER_FRAME;
    const centreX = box.x + box.width / 2;
    const centreY = box.y + box.height / 2;
    return {
      x: centreX - width * (0.5 + PAD_SIDE + more),
      y: centreY - height * (0.5 + PAD_TOP + more),
      width: width * (1 + 2 * (PAD_SIDE + more)),
      height: height * (1 + PAD_TOP + PAD_BOTTOM + 2 * more),
    };
  }

  /** px a frame around the n-th sighting, from its neighbours up to three away. */
  #velocity(n: number): { x: number; y: number } {
    const a = this.sightings[Math.max(0, n - 3)]!;
    const b = this.sightings[Math.min(this.sightings.length - 1, n + 3)]!;
    const frames = b.frame - a.frame;
    if (frames === 0) return { x: 0, y: 0 };
    const most = MAX_SPEED * Math.max(a.box.width, b.box.width);
    const limit = (value: number) => Math.max(-most, Math.min(most, value));
    return {
      x: limit((b.box.x + b.box.width / 2 - a.box.x - a.box.width / 2) / frames),
      y: limit((b.box.y + b.box.height / 2 - a.box.y - a.box.height / 2) / frames),
    };
  }

  #carried(from: Sighting, frame: number, velocity: { x: number; y: number }): Box {
    const frames = frame - from.frame;
    return { ...from.box, x: from.box.x + velocity.x * frames, y: from.box.y + velocity.y * frames };
  }
}

function between(a: Box, b: Box, share: number): Box {
  const mix = (from: number, to: number) => from + (to - from) * share;
  return {
    x: mix(a.x, b.x),
    y: mix(a.y, b.y),
    width: mix(a.width, b.width),
    height: mix(a.height, b.height),
  };
}

function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** How well a face fits where a track should be: 0 not at all, higher better. */
export function closeness(expected: Box, face: Box): number {
  const shared = overlap(expected, face);
  const size = Math.max(expected.width, face.width) / Math.min(expected.width, face.width);
  const distance =
    Math.hypot(
      expected.x + expected.width / 2 - face.x - face.width / 2,
      expected.y + expected.height / 2 - face.y - face.height / 2,
    ) / Math.max(expected.width, face.width);
  const near = distance < SAME_CENTRE && size < SAME_SIZE;
  if (!near && shared < SAME_IOU) return 0;
  return 1 + shared - distance / 2;
}

/** Follows all faces of one chapter. */
export class FaceTracks {
  #tracks: FaceTrack[] = [];

  /**
   * Gives a frame's faces to the tracks they fit best.
   * @returns faces that are on no track and sure enough to be new ones
   */
  add(frame: number, faces: readonly Face[]): Face[] {
    const pairs: { track: FaceTrack; face: Face; score: number }[] = [];
    for (const track of this.alive(frame)) {
      const expected = track.boxAt(frame);
      for (const face of faces) {
        const score = closeness(expected, face);
        if (score > 0) pairs.push({ track, face, score });
      }
    }
    pairs.sort((a, b) => b.score - a.score);
    const given = new Set<FaceTrack | Face>();
    for (const { track, face } of pairs) {
      if (given.has(track) || given.has(face)) continue;
      given.add(track).add(face);
      track.add(frame, face);
    }
    return faces.filter((face) => !given.has(face) && face.confidence >= START_CONFIDENCE);
  }

  /** Begins a track with a face that is on none. */
  begin(frame: number, face: Face): FaceTrack {
    const track = new FaceTrack();
    track.add(frame, face);
    this.#tracks.push(track);
    return track;
  }

  /** Tracks that may still be going on at this frame. */
  alive(frame: number): FaceTrack[] {
    return this.#tracks.filter((track) => track.last.frame < frame && frame - track.last.frame <= MAX_GAP);
  }

  /** Tracks with something to blur at this frame. */
  covering(frame: number): { track: FaceTrack; cover: Box }[] {
    return this.#tracks.flatMap((track) => {
      const cover = track.coverAt(frame);
      return cover ? [{ track, cover }] : [];
    });
  }

  /** Drops what concerns no frame from this one on. */
  forget(before: number): void {
    const horizon = Math.max(HOLD_FRAMES, MAX_GAP);
    this.#tracks = this.#tracks.filter((track) => track.last.frame + horizon >= before);
    for (const track of this.#tracks) track.trim(before - horizon);
  }
}
