/** EM²Mem's retrieval without a language model, over event memory cells in memory. */
import { AS_RELEASED, buildCells, CELL_SETTINGS, type CellSettings } from '../../memory/cells.ts';
import { searchText } from '../../writing/search-text.ts';
import { toEpisode } from '../to-episode.ts';
import { bytesOf, type CreateSystem, handOver } from './system.ts';
import { embedQuery } from './vectors.ts';

/** Longest ranking asked for. */
const MOST = 64;

function system(name: string, about: string, settings: CellSettings): CreateSystem {
  return ({ embedder }) => ({
    name,
    about,
    async index(stream) {
      const episodes = stream.episodes.map(toEpisode);
      const original = new Map(episodes.map(({ id }, n) => [id, stream.episodes[n]!]));
      const embed = (texts: readonly string[], kind: 'passage' | 'query') => embedder.embed([...texts], kind);
      const cells = await buildCells(episodes, { embed, searchText });
      return {
        async retrieve(question) {
          const { ranked } = await cells.retrieve({
            question: question.question,
            queryVector: await embedQuery(embedder, question.question),
            nowMs: question.nowMs,
            settings,
            most: MOST,
          });
          return handOver(
            question,
            ranked.map(({ episodeId }) => original.get(episodeId)!),
          );
        },
        storedBytes() {
          const texts = [...episodes.map(searchText), ...cells.views.map(({ text }) => text)];
          return bytesOf(texts, texts.length, embedder.dims);
        },
      };
    },
  });
}

export const em2mem = system(
  'em2mem',
  'EM²Mem: record and views of three scales, one hop over the episodic graph, facts that can add candidates; fused words and meaning as base, scores projected, no selector model.',
  CELL_SETTINGS,
);

/** Measured when named. */
export const em2memVariants: Record<string, CreateSystem> = {
  'em2mem-released': system(
    'em2mem-released',
    'EM²Mem as its code was released: cosine as base, one list of ranks over all scales, facts in the roles only.',
    AS_RELEASED,
  ),
};
