import { overlap } from '../../models/faces/boxes.ts';
import type { Box, Face, FaceDetector } from '../../models/faces/face-detector.ts';
import { blurBox, blurWhole } from './blur.ts';
import type { ClipFrame } from './clip-frame.ts';
import { FaceSearch } from './face-search.ts';
import {
  closeness,
  type FaceTrack,
  FaceTracks,
  HOLD_FRAMES,
  MAX_GAP,
  START_CONFIDENCE,
} from './face-tracks.ts';
import { around, padded, surroundings } from './regions.ts';

/** Frames held back before one is let go: what is found later still covers it. */
export const LOOK_AHEAD = Math.max(HOLD_FRAMES, MAX_GAP);
/** Close looks at lost faces in one frame; beyond these a face waits a frame. */
const MAX_CLOSE_LOOKS = 4;
/** Frames since a face was last seen at which it is looked for up close; frames between two sightings are interpolated. */
const CLOSE_LOOK_AFTER = 3;
/** A face seen only once, and not surely, is looked for no longer than this many frames; it stays covered all the same. */
const DOUBTFUL_FRAMES = 3;
const SURE = 0.75;
/** A find this sure is a face without a second look. */
const CERTAIN = 0.85;

/** Times a blurred place is looked at again; hands and collars give in after one or two. */
const MAX_SECOND_BLURS = 3;

/** A frame that may be written: its pixels hold no face the detector could find. */
export interface RedactedFrame {
  frame: ClipFrame;
  /** People seen in it: confidence of each track, 0..1. */
  people: number[];
  /** Tracks whose cover was blurred, for counting. */
  blurred: FaceTrack[];
  /** True when the detector failed here and the whole frame was blurred. */
  whole: boolean;
}

interface Held {
  frame: ClipFrame;
  failed: boolean;
}

/**
 * Blurs faces in a chapter's frames before anything is written. Frames go in one after the other and come out LOOK_AHEAD
 * frames later, so a face is covered before it is first found, through gaps and after it is lost. On doubt more is blurred, never less:
 * a frame the detector failed on is blurred as a whole.
 */
export class Redactor {
  readonly #detector: FaceDetector;
  readonly #search: FaceSearch;
  readonly #tracks = new FaceTracks();
  readonly #held: Held[] = [];

  constructor(detector: FaceDetector, width: number, height: number) {
    this.#detector = detector;
    this.#search = new FaceSearch(detector, width, height);
  }

  /**
   * Takes the next frame.
   * @param thorough search it in full detail: it may become a keyframe
   * @returns frames that are ready, in order
   */
  async push(frame: ClipFrame, thorough: boolean): Promise<RedactedFrame[]> {
    const held: Held = { frame, failed: false };
    this.#held.push(held);
    try {
      const unclaimed = this.#tracks.add(frame.index, await this.#search.look(frame, thorough));
      const begun: FaceTrack[] = [];
      for (const face of unclaimed) {
        if (await this.#isFace(frame, face)) begun.push(this.#tracks.begin(frame.index, face));
      }
      await this.#lookClosely(frame, begun);
      for (const track of begun) await this.#followBack(track);
    } catch {
      // Which error does not matter here: what could not be searched is not shown.
      held.failed = true;
    }
    return this.#held.length > LOOK_AHEAD ? [await this.#release()] : [];
  }

  /** Lets the last frames go. */
  async flush(): Promise<RedactedFrame[]> {
    const frames: RedactedFrame[] = [];
    while (this.#held.length > 0) frames.push(await this.#release());
    return frames;
  }

  /**
   * Whether a new find is a face: a real one is found again in its close surroundings (measured: with 0.74 and more, down to
   * 15 px), while most digits, leaves and lamps are not.
   */
  async #isFace(frame: ClipFrame, found: Face): Promise<boolean> {
    if (found.confidence >= CERTAIN) return true;
    const again = await this.#lookAround(frame, found);
    return again !== null && again.confidence >= START_CONFIDENCE;
  }

  /** Looks around where faces should be that the search did not see, largest doubt first. */
  async #lookClosely(frame: ClipFrame, begun: readonly FaceTrack[]): Promise<void> {
    const lost = this.#tracks
      .alive(frame.index)
      .filter((track) => {
        const unseen = frame.index - track.last.frame;
        const worth = track.sightings.length > 1 || track.confidence >= SURE || unseen <= DOUBTFUL_FRAMES;
        return unseen >= CLOSE_LOOK_AFTER && worth && !begun.includes(track);
      })
      .sort((a, b) => a.last.frame - b.last.frame)
      .slice(0, MAX_CLOSE_LOOKS);
    for (const track of lost) {
      const face = await this.#lookAround(frame, track.boxAt(frame.index));
      if (face) track.add(frame.index, face);
    }
  }

  /** A face in a tile or after a turn of the head was there before it was found: finds it in the frames still held. */
  async #followBack(track: FaceTrack): Promise<void> {
    const newest = this.#held.length - 2;
    for (let at = newest; at >= 0; at -= 1) {
      const { frame } = this.#held[at]!;
      const face = await this.#lookAround(frame, track.boxAt(frame.index));
      if (!face) return;
      track.add(frame.index, face);
    }
  }

  async #lookAround(frame: ClipFrame, expected: Box): Promise<Face | null> {
    const faces = await this.#detector.detect(frame.picture, around(expected));
    let best: Face | null = null;
    for (const face of faces) {
      if (closeness(expected, face) > (best ? closeness(expected, best) : 0)) best = face;
    }
    return best;
  }

  /**
   * Looks at a blurred place again, as whoever searches the stored picture would: what still passes for a face there (a chin that
   * shows, hands before it) is blurred as well.
   */
  async #blurWhatIsLeft(frame: ClipFrame, cover: Box): Promise<void> {
    for (let round = 0; round < MAX_SECOND_BLURS; round += 1) {
      const left = await this.#detector.detect(frame.picture, surroundings(cover));
      if (left.length === 0) return;
      for (const face of left) blurBox(frame.picture, padded(face));
    }
  }

  async #release(): Promise<RedactedFrame> {
    const held = this.#held.shift()!;
    const { frame } = held;
    const covering = this.#tracks.covering(frame.index);
    for (const { cover } of covering) blurBox(frame.picture, cover);
    if (!held.failed) {
      try {
        for (const { cover } of covering) await this.#blurWhatIsLeft(frame, cover);
      } catch {
        // As in push: what could not be searched is not shown.
        held.failed = true;
      }
    }
    if (held.failed) blurWhole(frame.picture);
    const people = distinctPeople(
      covering.map(({ track }) => track),
      frame.index,
    );
    this.#tracks.forget(frame.index);
    return {
      frame,
      people: people.map((track) => track.confidence),
      blurred: covering.map(({ track }) => track),
      whole: held.failed,
    };
  }
}

/** A face lost and found again may be on two tracks for a moment: it is one person. */
function distinctPeople(tracks: readonly FaceTrack[], frame: number): FaceTrack[] {
  const people: FaceTrack[] = [];
  for (const track of tracks) {
    if (!track.isPerson || !track.spans(frame)) continue;
    const box = track.boxAt(frame);
    if (!people.some((other) => overlap(other.boxAt(frame), box) > 0)) people.push(track);
  }
  return people;
}
