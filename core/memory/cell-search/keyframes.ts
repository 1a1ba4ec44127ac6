import type { Episode } from '../../contract/index.ts';
import { K_V } from './constants.ts';
import { overlap, tellingWords } from './words.ts';

/** A keyframe chosen for a question. */
export interface ChosenKeyframe {
  episodeId: string;
  /** Its place in the episode's list. */
  n: number;
  atMs: number;
}

/** Instants of an episode by how much of the question is said, read or seen there; a share of the question's words, above 0. */
function instantsOf(episode: Episode, asked: ReadonlySet<string>): { atMs: number; share: number }[] {
  const { transcript, visibleText, claims } = episode.record;
  const all = [
    ...transcript.map(({ startMs, endMs, text }) => ({ atMs: (startMs + endMs) / 2, text })),
    ...visibleText.map(({ firstMs, lastMs, text }) => ({ atMs: (firstMs + lastMs) / 2, text })),
    ...claims.flatMap(({ atMs, text }) => (atMs === null ? [] : [{ atMs, text }])),
  ];
  return all
    .map(({ atMs, text }) => ({ atMs, share: overlap(asked, new Set(tellingWords(text))) }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || a.atMs - b.atMs);
}

/**
 * Up to K_V keyframes of an episode, each once: those nearest to where the question's words are said, read or seen, then others spread
 * over the episode. The released code takes the stored order, and its offsets run past the end of the clip, so that all three show its
 * last frame.
 * @returns in time order
 */
export function keyframesFor(episode: Episode, question: string, most = K_V): ChosenKeyframe[] {
  const asked = new Set(tellingWords(question));
  const left = episode.keyframes.map(({ atMs }, n) => ({ episodeId: episode.id, n, atMs }));
  const chosen: ChosenKeyframe[] = [];
  const take = (cost: (frame: ChosenKeyframe) => number) => {
    const best = left.reduce((a, b) => (cost(b) < cost(a) ? b : a));
    chosen.push(...left.splice(left.indexOf(best), 1));
  };
  for (const { atMs } of instantsOf(episode, asked)) {
    if (chosen.length >= most || left.length === 0) break;
    // Two lines of one moment ask for one picture.
    const near = Math.min(...[...chosen, ...left].map((frame) => Math.abs(frame.atMs - atMs)));
    if (chosen.some((frame) => Math.abs(frame.atMs - atMs) === near)) continue;
    take((frame) => Math.abs(frame.atMs - atMs));
  }
  while (chosen.length < most && left.length > 0) {
    const middle = (episode.startMs + episode.endMs) / 2;
    if (chosen.length === 0) take((frame) => Math.abs(frame.atMs - middle));
    // Farthest from those taken.
    else take((frame) => -Math.min(...chosen.map((other) => Math.abs(other.atMs - frame.atMs))));
  }
  return chosen.sort((a, b) => a.atMs - b.atMs);
}
