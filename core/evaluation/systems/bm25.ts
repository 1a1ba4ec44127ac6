/** BM25 as the memory has it: LanceDB's full-text index over stemmed words. */
import type { Episode } from '../../contract/index.ts';
import { textChannel } from '../../memory/channels.ts';
import { endedBy } from '../../memory/filters.ts';
import type { Hit } from '../../memory/fusion.ts';
import { upsert } from '../../memory/reembed.ts';
import { episodeRow } from '../../memory/rows.ts';
import { closeTables, openTables } from '../../memory/tables.ts';
import { toEpisode } from '../to-episode.ts';
import { type CreateSystem, handOver } from './system.ts';
import { bytesBelow, temporaryFolder } from './temporary.ts';

/** Results asked for; a question's budget of 600 s is 20 episodes of 30 s. */
const LIMIT = 100;

export interface TextIndex {
  /** Hits of what had ended, best first, the later first among equals. */
  search(query: string, nowMs: number): Promise<Hit[]>;
  bytes(): number;
  close(): void;
}

/** A memory that holds these episodes' words and nothing else. */
export async function openTextIndex(episodes: readonly Episode[]): Promise<TextIndex> {
  const folder = temporaryFolder('bm25');
  const tables = await openTables(folder.path, { name: 'none', dims: 1 });
  await upsert(
    tables.episodes,
    episodes.map((episode) => episodeRow(episode, episode.text, null)),
    1,
  );
  await tables.episodes.optimize();
  return {
    async search(query, nowMs) {
      const hits = await textChannel(tables.episodes, query, endedBy(nowMs), LIMIT);
      return hits.sort((a, b) => b.value - a.value || b.startMs - a.startMs);
    },
    bytes: () => bytesBelow(folder.path),
    close() {
      closeTables(tables);
      folder.remove();
    },
  };
}

export const bm25: CreateSystem = () => ({
  name: 'bm25',
  about: 'BM25 over stemmed words (LanceDB’s full-text index, as in the memory).',
  async index(stream) {
    const episodes = stream.episodes.map(toEpisode);
    const original = new Map(episodes.map(({ id }, n) => [id, stream.episodes[n]!]));
    const index = await openTextIndex(episodes);
    return {
      async retrieve(question) {
        const hits = await index.search(question.question, question.nowMs);
        return handOver(
          question,
          hits.map(({ id }) => original.get(id)!),
        );
      },
      storedBytes: () => index.bytes(),
      async close() {
        index.close();
      },
    };
  },
});
