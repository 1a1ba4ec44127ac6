/** What every system that is measured looks like: it indexes one stream, then ranks its episodes for questions. */
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';
import type { RankedItem } from '../metrics/question-scores.ts';
import type { AskedQuestion, EvalEpisode, EvalStream } from '../set.ts';

export interface Retrieved {
  /** Best first. Nothing in it may end after the question's instant. */
  ranked: RankedItem[];
  /** Tokens of text the system read or hands over for this question, see `tokensOf`. */
  tokens: number;
}

/** A stream made ready for questions. */
export interface Indexed {
  retrieve(question: AskedQuestion): Promise<Retrieved>;
  /**
   * Options chosen, from 0; null for none. Systems without it are answered for by the scorer they all share (options.ts), so that
   * only retrieval tells them apart.
   */
  answer?(question: AskedQuestion, retrieved: Retrieved): Promise<number[] | null>;
  /** Bytes of what is kept of the stream. */
  storedBytes(): number | Promise<number>;
  close?(): Promise<void>;
}

export interface System {
  /** As `--systems` and the output name it. */
  name: string;
  /** One sentence for the report: what it does, where it departs from its paper. */
  about: string;
  index(stream: EvalStream): Promise<Indexed>;
}

export interface SystemContext {
  /** Passages are embedded once a run, whichever system asks first; questions each time. */
  embedder: TextEmbedder;
  seed: number;
}

/** How a registered system is made. */
export type CreateSystem = (context: SystemContext) => System;

/** Characters of one token, about, in English. */
const CHARS_PER_TOKEN = 4;

/** Tokens of texts, estimated. */
export function tokensOf(texts: Iterable<string>): number {
  let chars = 0;
  for (const text of texts) chars += text.length;
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** Episodes handed to whoever answers: EM²Mem's K_E. */
export const HANDED_OVER = 5;

/** Ranked episodes as a result that hands over the first of them. */
export function handOver(
  question: AskedQuestion,
  episodes: readonly EvalEpisode[],
  alsoRead: Iterable<string> = [],
): Retrieved {
  return {
    ranked: episodes.map(({ id, startMs, endMs }) => ({ episodeId: id, startMs, endMs })),
    tokens: tokensOf([
      question.question,
      ...question.choices,
      ...episodes.slice(0, HANDED_OVER).map(({ text }) => text),
      ...alsoRead,
    ]),
  };
}

/** Bytes of text in UTF-8 and of vectors of 32-bit floats. */
export function bytesOf(texts: readonly string[], vectors: number, dims: number): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) + vectors * dims * 4;
}
