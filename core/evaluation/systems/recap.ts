/**
 * Video ReCap-style hierarchy: clips, 3-minute segments and hours, each level summarised from the one below (here by rule) and all
 * of them in one index. A segment or hour that ranks stands for its clips, nearest first.
 */
import type { EvalEpisode } from '../set.ts';
import { idfOf, remembered, type Summary, sentencesByEpisode, summarise, windowsOf } from './summaries.ts';
import { bytesOf, type CreateSystem, handOver } from './system.ts';
import { best, dot, embedQuery } from './vectors.ts';

const SEGMENT_MS = 180_000;
const HOUR_MS = 3_600_000;
const SEGMENT_WORDS = 60;
const HOUR_WORDS = 200;
/** Clips that a coarse node brings in before the ranking goes on. */
const CLIPS_A_NODE = 5;

interface Node {
  vector: Float32Array;
  episodes: readonly EvalEpisode[];
}

export const recap: CreateSystem = ({ embedder }) => ({
  name: 'video-recap',
  about:
    'Video ReCap-style hierarchy: clips, 3-minute segments and hours in one index, each summarised by rule from the level below; a coarse hit brings its nearest clips.',
  async index(stream) {
    const byEpisode = await sentencesByEpisode(stream, embedder);
    const idf = idfOf([...byEpisode.values()].flat());
    const texts = stream.episodes.map(({ text }) => text);
    const vectors = await embedder.embed(texts, 'passage');
    const vectorOf = new Map(stream.episodes.map((episode, n) => [episode, vectors[n]!]));
    let nodesStored = 0;
    const segment = remembered<Summary>((_, episodes) =>
      summarise(
        episodes.flatMap((episode) => byEpisode.get(episode)!),
        idf,
        SEGMENT_WORDS,
      ),
    );
    const nodesOf = remembered<Node[]>((_, visible) => {
      const segments = windowsOf(visible, SEGMENT_MS).map((window) => ({
        ...window,
        summary: segment(`segment ${window.startMs}`, window.episodes),
      }));
      const hours = windowsOf(visible, HOUR_MS).map(({ startMs, episodes }) => {
        const below = segments.filter((one) => one.startMs >= startMs && one.startMs < startMs + HOUR_MS);
        const summary = summarise(
          below.flatMap((one) => one.summary.sentences),
          idf,
          HOUR_WORDS,
        );
        return { episodes, summary };
      });
      const coarse = [...segments, ...hours].flatMap(({ episodes, summary }) =>
        summary.vector ? [{ episodes, vector: summary.vector }] : [],
      );
      nodesStored = Math.max(nodesStored, coarse.length);
      const clips = [...visible]
        .reverse()
        .map((episode) => ({ episodes: [episode], vector: vectorOf.get(episode)! }));
      return [...clips, ...coarse];
    });
    return {
      async retrieve(question) {
        const query = await embedQuery(embedder, question.question);
        const visible = stream.episodes.filter(({ endMs }) => endMs <= question.nowMs);
        const near = (episode: EvalEpisode): number => dot(query, vectorOf.get(episode)!);
        const ranked = new Set<EvalEpisode>();
        for (const { of: node } of best(nodesOf('all', visible), ({ vector }) => dot(query, vector))) {
          const fresh = node.episodes.filter((episode) => !ranked.has(episode));
          for (const { of: episode } of best(fresh, near).slice(0, CLIPS_A_NODE)) ranked.add(episode);
        }
        return handOver(question, [...ranked]);
      },
      storedBytes: () => bytesOf(texts, texts.length + nodesStored, embedder.dims),
    };
  },
});
