/**
 * Summaries by rule, where papers have a language model write them: the sentences that say most that has not been said yet (greedy
 * coverage of idf-weighted words), in time order. A summary's vector is the mean of its sentences' vectors, so its length is never cut.
 */
import type { TextEmbedder } from '../../../models/embedding/text-embedder.ts';
import type { EvalEpisode, EvalStream } from '../set.ts';
import { meanOf } from './vectors.ts';
import { contentWords, sentencesOf } from './words.ts';

export interface Sentence {
  text: string;
  words: string[];
  vector: Float32Array;
  episode: EvalEpisode;
}

export interface Summary {
  sentences: Sentence[];
  vector: Float32Array | null;
}

/** The sentences of a stream, embedded, by episode. */
export async function sentencesByEpisode(
  stream: EvalStream,
  embedder: TextEmbedder,
): Promise<Map<EvalEpisode, Sentence[]>> {
  const parts = stream.episodes.flatMap((episode) =>
    sentencesOf(episode.text).map((text) => ({ episode, text, words: contentWords(text) })),
  );
  const vectors = await embedder.embed(
    parts.map(({ text }) => text),
    'passage',
  );
  const result = new Map<EvalEpisode, Sentence[]>(stream.episodes.map((episode) => [episode, []]));
  for (const [n, part] of parts.entries()) result.get(part.episode)!.push({ ...part, vector: vectors[n]! });
  return result;
}

/** Inverse document frequency of words over sentences. */
export function idfOf(sentences: Iterable<Sentence>): (word: string) => number {
  const counts = new Map<string, number>();
  let n = 0;
  for (const { words } of sentences) {
    n++;
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return (word) => Math.log((n + 1) / ((counts.get(word) ?? 0) + 1)) + 1;
}

const lengthOf = (text: string): number => text.split(/\s+/).length;

/** The summary of sentences within a number of words; always at least one sentence when there is any. */
export function summarise(
  sentences: readonly Sentence[],
  idf: (word: string) => number,
  maxWords: number,
): Summary {
  const said = new Set<string>();
  const rest = new Set(sentences);
  const chosen = new Set<Sentence>();
  for (let left = maxWords; rest.size > 0; ) {
    let pick: Sentence | null = null;
    let most = 0;
    for (const sentence of rest) {
      const length = lengthOf(sentence.text);
      if (length > left && chosen.size > 0) {
        rest.delete(sentence);
        continue;
      }
      const gain = sentence.words.reduce((sum, word) => sum + (said.has(word) ? 0 : idf(word)), 0);
      const value = gain / Math.sqrt(length);
      if (value > most) {
        most = value;
        pick = sentence;
      }
    }
    if (!pick) break;
    chosen.add(pick);
    rest.delete(pick);
    left -= lengthOf(pick.text);
    for (const word of pick.words) said.add(word);
    if (left <= 0) break;
  }
  const kept = sentences.filter((sentence) => chosen.has(sentence));
  return { sentences: kept, vector: meanOf(kept.map(({ vector }) => vector)) };
}

/** Episodes of each window of wall clock, in time order. @param windowMs length of a window */
export function windowsOf(
  episodes: readonly EvalEpisode[],
  windowMs: number,
): { startMs: number; episodes: EvalEpisode[] }[] {
  const windows = new Map<number, EvalEpisode[]>();
  for (const episode of episodes) {
    const start = Math.floor(episode.startMs / windowMs) * windowMs;
    const known = windows.get(start);
    if (known) known.push(episode);
    else windows.set(start, [episode]);
  }
  return [...windows].map(([startMs, members]) => ({ startMs, episodes: members }));
}

/** Remembers results by key: windows are the same for every question that sees all of them. */
export function remembered<T>(make: (key: string, episodes: readonly EvalEpisode[]) => T) {
  const known = new Map<string, T>();
  return (key: string, episodes: readonly EvalEpisode[]): T => {
    // A window grows until its last episode has ended; how many it holds tells which state it is in.
    const full = `${key}/${episodes.length}/${episodes.at(-1)?.id ?? ''}`;
    const value = known.get(full) ?? make(key, episodes);
    known.set(full, value);
    return value;
  };
}
