import { likeness } from '../../models/speakers/voice-embedder.ts';

/** Less speech than this founds no voice beside others: it may join one it is like, ms. */
const FOUNDING_MS = 1_500;

/** A stretch of speech of one breath, and what its voice is like. */
export interface SpokenPiece {
  /** ms from wherever the caller counts. */
  startMs: number;
  endMs: number;
  /** Of unit length. */
  vector: ArrayLike<number>;
}

/** What is known of a voice of a recording from one segment. Biometric: kept only while the recording is imported. */
export interface HeardVoice {
  letter: string;
  /** How long it spoke, ms. */
  ms: number;
  /** Its vectors' mean, weighted by length; not of unit length. */
  vector: number[];
}

/** A letter for a voice: A to Z, then AA, AB and on. */
export function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

/** A group of pieces taken for one voice. */
interface Cluster {
  pieces: number[];
  ms: number;
  /** Sum of vectors, weighted by length. */
  sum: Float64Array;
}

const lengthOf = (piece: SpokenPiece) => piece.endMs - piece.startMs;

function unit(vector: ArrayLike<number>): Float64Array {
  const length = Math.hypot(...Array.from(vector));
  return Float64Array.from(vector, (value) => value / length);
}

/**
 * The voices of one recording, told apart as its segments are heard.
 *
 * Within a segment, pieces of speech are joined by agglomerative clustering: the two groups whose members are most alike on average,
 * as long as that is at least `sameVoice`. Each group is then held against the voices known so far by their mean, and takes the letter
 * of the one it is most like, or the next letter. Letters are never taken back, so that what was written stays true.
 */
export class VoiceTable {
  readonly #sameVoice: number;
  readonly #known = new Map<string, { sum: Float64Array; ms: number }>();
  readonly #used: Set<string>;

  /**
   * @param sameVoice cosine from which two are one voice, of the model that gives the vectors
   * @param used letters of this recording whose sound is no longer known: never given again
   */
  constructor(sameVoice: number, used: Iterable<string> = []) {
    this.#sameVoice = sameVoice;
    this.#used = new Set(used);
  }

  /** Takes up what was heard before: of the segments of an import that goes on. */
  recall(voices: readonly HeardVoice[]): void {
    for (const voice of voices) this.#add(voice.letter, voice.vector, voice.ms);
  }

  /**
   * Gives each piece of a segment the letter of its voice.
   * @param pieces in time order
   * @returns letters, null where a piece tells too little; and what was learnt, for `recall`
   */
  tell(pieces: readonly SpokenPiece[]): { letters: (string | null)[]; heard: HeardVoice[] } {
    const letters = pieces.map((): string | null => null);
    const heard: HeardVoice[] = [];
    // In order of first appearance, so that letters are too.
    const clusters = this.#clusters(pieces).sort((a, b) => a.pieces[0]! - b.pieces[0]!);
    for (const cluster of clusters) {
      const letter = this.#matching(cluster) ?? this.#founded(cluster);
      if (letter === null) continue;
      for (const piece of cluster.pieces) letters[piece] = letter;
      const vector = Array.from(cluster.sum, (value) => Number((value / cluster.ms).toFixed(5)));
      heard.push({ letter, ms: cluster.ms, vector });
    }
    for (const voice of heard) this.#add(voice.letter, voice.vector, voice.ms);
    return { letters, heard };
  }

  #add(letter: string, vector: ArrayLike<number>, ms: number): void {
    this.#used.add(letter);
    const known = this.#known.get(letter) ?? { sum: new Float64Array(vector.length), ms: 0 };
    for (let i = 0; i < vector.length; i++) known.sum[i]! += vector[i]! * ms;
    known.ms += ms;
    this.#known.set(letter, known);
  }

  #clusters(pieces: readonly SpokenPiece[]): Cluster[] {
    const clusters = pieces.map((piece, i): Cluster => {
      const ms = lengthOf(piece);
      return { pieces: [i], ms, sum: Float64Array.from(piece.vector, (value) => value * ms) };
    });
    for (;;) {
      let best: [number, number] | null = null;
      let most = this.#sameVoice;
      for (let a = 0; a < clusters.length; a++) {
        for (let b = a + 1; b < clusters.length; b++) {
          // The mean likeness of all pairs, weighted by length, is the product of the weighted means.
          const alike = likeness(clusters[a]!.sum, clusters[b]!.sum) / (clusters[a]!.ms * clusters[b]!.ms);
          if (alike >= most) {
            most = alike;
            best = [a, b];
          }
        }
      }
      if (!best) return clusters;
      const [to, from] = [clusters[best[0]]!, clusters[best[1]]!];
      to.pieces = [...to.pieces, ...from.pieces].sort((a, b) => a - b);
      to.ms += from.ms;
      from.sum.forEach((value, i) => {
        to.sum[i]! += value;
      });
      clusters.splice(best[1], 1);
    }
  }

  #matching(cluster: Cluster): string | null {
    const own = unit(cluster.sum);
    let letter: string | null = null;
    let most = this.#sameVoice;
    for (const [candidate, { sum }] of this.#known) {
      const alike = likeness(own, unit(sum));
      if (alike < most) continue;
      most = alike;
      letter = candidate;
    }
    return letter;
  }

  #founded(cluster: Cluster): string | null {
    if (cluster.ms < FOUNDING_MS) return null;
    for (let index = 0; ; index++) {
      const letter = letterOf(index);
      if (this.#used.has(letter)) continue;
      this.#used.add(letter);
      return letter;
    }
  }
}

/**
 * Whose voice a line is: the one that speaks most of it.
 * @param pieces in the line's own time, with their letters
 * @returns null where no piece with a letter lies in the line
 */
export function voiceOfLine(
  line: { startMs: number; endMs: number },
  pieces: readonly { startMs: number; endMs: number; letter: string | null }[],
): string | null {
  const spoken = new Map<string, number>();
  for (const { startMs, endMs, letter } of pieces) {
    const ms = Math.min(endMs, line.endMs) - Math.max(startMs, line.startMs);
    if (letter !== null && ms > 0) spoken.set(letter, (spoken.get(letter) ?? 0) + ms);
  }
  let best: string | null = null;
  for (const [letter, ms] of spoken) if (best === null || ms > spoken.get(best)!) best = letter;
  return best;
}
