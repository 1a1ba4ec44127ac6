import type { Observation } from '../perception/observation.ts';
import { type Signature, setDifference, signatureOf } from './picture-signature.ts';
import { plainRows } from './plain-text.ts';
import { confidenceOf } from './statements.ts';

/**
 * How unlike the pictures of two segments may be to show the same (`setDifference`, 0..255). Measured: still pictures of five real scenes with
 * sensor noise, compressed, 2 to 5 and with far too much noise 10; a brighter picture by 3 % 5; a thing of 24 x 30 px put into them
 * (704 px wide) 14 to 124, and 2 to 9 where it had nearly the colour of what it stood on; a fixed room camera over people 148 and more, a clock
 * that runs on a screen 66 and more, walking 147 and more.
 */
export const SAME_PICTURES = 10;
/**
 * Share of frame pairs that must be as good as identical: what passes between the frames that are looked at leaves less. Measured: still
 * scenes 1.0; a fixed room camera over people 0.24 to 0.68; glasses 0.22; walking 0.
 */
const STILL = 0.9;
/** Metres a second under which a GPS only wanders. */
const STANDING_SPEED = 0.4;
/** Segments in a row that are not looked at: five minutes. */
export const MOST_CARRIED = 10;
/** Print read less surely than this is as good as none. */
const WORTH_COMPARING = 0.5;

/** A segment as the gate compares it. */
export interface GateView {
  observation: Observation;
  signatures: Signature[];
}

/** Prepares a segment for the gate; frames that are no pictures are left out. */
export async function gateView(observation: Observation, frames: readonly Uint8Array[]): Promise<GateView> {
  const read = await Promise.all(frames.map((frame) => signatureOf(frame).catch(() => null)));
  return { observation, signatures: read.filter((signature) => signature !== null) };
}

interface Reference<T> {
  view: GateView;
  description: T;
  /** Rows read since, in the segments carried over too. */
  rows: Set<string>;
  /** The segment that was gated last. */
  index: number;
  carried: number;
}

/**
 * Tells whether a segment shows and says nothing new against the last one that was really looked at: then its description still holds and
 * the model need not be asked. Decided by what was measured, never by words a model wrote.
 * @typeParam T what is kept of a description
 */
export class SimilarityGate<T> {
  #last: Reference<T> | null = null;

  /** @returns the description that still holds and the episode it was written for, or null: the segment must be looked at */
  carry(view: GateView): { description: T; from: string } | null {
    const last = this.#last;
    if (!last || last.carried >= MOST_CARRIED || !follows(view.observation, last)) return null;
    if (saysSomething(view.observation) || moves(view.observation)) return null;
    if (rowsOf(view.observation).some((row) => !last.rows.has(row))) return null;
    if (view.observation.faces.most !== last.view.observation.faces.most) return null;
    if (setDifference(view.signatures, last.view.signatures) > SAME_PICTURES) return null;
    last.index = view.observation.index;
    last.carried += 1;
    return { description: last.description, from: last.view.observation.episodeId };
  }

  /** The segment was looked at. */
  keep(view: GateView, description: T): void {
    const { index } = view.observation;
    this.#last = { view, description, rows: new Set(rowsOf(view.observation)), index, carried: 0 };
  }

  /** The segment was written by another writer: nothing can be carried over from it. */
  forget(): void {
    this.#last = null;
  }
}

function follows({ chapterId, index }: Observation, { view, index: last }: Reference<unknown>): boolean {
  return chapterId === view.observation.chapterId && index === last + 1;
}

function saysSomething({ speech }: Observation): boolean {
  return speech.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function moves({ motion, telemetry }: Observation): boolean {
  return motion.cuts.length > 0 || motion.still < STILL || (telemetry?.speed ?? 0) >= STANDING_SPEED;
}

/** Rows of print by their letters and digits: readings of one sign differ in spaces and marks. */
function rowsOf({ visibleText }: Observation): string[] {
  return visibleText
    .filter(({ confidence }) => confidenceOf(confidence) >= WORTH_COMPARING)
    .flatMap(({ text }) => plainRows(text))
    .map((row) => row.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((row) => row !== '');
}
