/**
 * MemLife's reader without a model, on Footnote's real memory: the question's time words become the anchor, then search_memory and
 * fetch_memory look as core/reading does. The ranking is by the memory's fused score; what was only fetched follows in time order,
 * and what a search without the anchor finds comes last.
 */

import type { MemoryReader } from '../../memory/memory.ts';
import { chooseReading, gather, gatherByWord, reachOut } from '../../reading/gather.ts';
import { lookFor } from '../../reading/look.ts';
import { readQuestion } from '../../reading/question.ts';
import { memoryIndex } from './memory-system.ts';
import type { CreateSystem } from './system.ts';

const ZONE = 'UTC';

/** Ids best first, as described above. */
async function lookUp(memory: MemoryReader, text: string, nowMs: number): Promise<string[]> {
  const options = { nowMs, zone: ZONE };
  const days = await memory.days(nowMs);
  const first = days[0];
  if (!first) return [];
  const question = readQuestion(text, { ...options, recordedDays: days.map(({ day }) => day) });
  const look = lookFor(memory, options, { wording: false, exchange: false });
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

export const memlife: CreateSystem = (context) => ({
  name: 'memlife',
  about:
    'MemLife’s search and fetch without a model, on Footnote’s own memory (LanceDB, full text and vectors fused), time words of the question as anchor.',
  index: (stream) =>
    memoryIndex(context, stream, 'memlife', (memory, { question, nowMs }) => lookUp(memory, question, nowMs)),
});
