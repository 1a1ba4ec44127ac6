/**
 * MemLife's reader without a model, on Footnote's real memory: the question's time words become the anchor, then search_memory and
 * fetch_memory look as core/reading does. The ranking is by the memory's fused score; what was only fetched follows in time order,
 * and what a search without the anchor finds comes last.
 */

import { openMemory } from '../../memory/lance-memory.ts';
import type { MemoryReader } from '../../memory/memory.ts';
import { chooseReading, gather, gatherByWord, reachOut } from '../../reading/gather.ts';
import { lookFor } from '../../reading/look.ts';
import { readQuestion } from '../../reading/question.ts';
import { searchText } from '../../writing/search-text.ts';
import type { EvalEpisode } from '../set.ts';
import { toEpisode } from '../to-episode.ts';
import { type CreateSystem, handOver } from './system.ts';
import { bytesBelow, temporaryFolder } from './temporary.ts';

const ZONE = 'UTC';

/** Ids best first, as described above. */
async function lookUp(memory: MemoryReader, text: string, nowMs: number): Promise<string[]> {
  const options = { nowMs, zone: ZONE };
  const days = (await memory.days()).filter((day) => day.startMs < nowMs);
  const first = days[0];
  if (!first) return [];
  const question = readQuestion(text, { ...options, recordedDays: days.map(({ day }) => day) });
  const look = lookFor(memory, options);
  const chosen =
    question.time.readings.length > 0 && !question.time.future
      ? await chooseReading(question, look, days)
      : { reading: null, episodes: [], more: 0 };
  const pool = await gather(question, chosen, look);
  if (pool.candidates().length === 0) await gatherByWord(question, chosen, pool, look);
  const byScore = () => [...pool.candidates()].sort((a, b) => b.found - a.found);
  if (question.order) {
    const within = chosen.reading?.span ?? { startMs: first.startMs, endMs: nowMs };
    await reachOut(question, pool, look, within, () => {
      const top = byScore()[0]?.episode;
      return top ? { startMs: top.startMs, endMs: top.endMs } : null;
    });
  }
  const ids = byScore().map(({ episode }) => episode.id);
  if (chosen.reading === null) return ids;
  const anywhere = await look.search(question.search, null);
  const rest = [...anywhere].sort((a, b) => b.score - a.score).map(({ episode }) => episode.id);
  return [...new Set([...ids, ...rest])];
}

export const memlife: CreateSystem = ({ embedder }) => ({
  name: 'memlife',
  about:
    'MemLife’s search and fetch without a model, on Footnote’s own memory (LanceDB, full text and vectors fused), time words of the question as anchor.',
  async index(stream) {
    const folder = temporaryFolder('memlife');
    const memory = await openMemory({ dir: folder.path, embedder, searchText });
    const episodes = stream.episodes.map(toEpisode);
    const original = new Map<string, EvalEpisode>(episodes.map(({ id }, n) => [id, stream.episodes[n]!]));
    await memory.putEpisodes(episodes);
    await memory.maintain();
    return {
      async retrieve(question) {
        const ids = await lookUp(memory, question.question, question.nowMs);
        const ranked = ids.map((id) => original.get(id)!);
        // An agent reads all that its tools return.
        return handOver(
          question,
          ranked,
          ranked.slice(5).map(({ text }) => text),
        );
      },
      storedBytes: () => bytesBelow(folder.path),
      async close() {
        await memory.close();
        folder.remove();
      },
    };
  },
});
