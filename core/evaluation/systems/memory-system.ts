/** What the systems on Footnote's real memory share: a LanceDB memory of the stream in a folder of its own. */
import type { Episode } from '../../contract/index.ts';
import { type LanceMemory, openMemory } from '../../memory/lance-memory.ts';
import { searchText } from '../../writing/search-text.ts';
import type { AskedQuestion, EvalEpisode, EvalStream } from '../set.ts';
import { toEpisode } from '../to-episode.ts';
import { handOver, type Indexed, type SystemContext } from './system.ts';
import { bytesBelow, temporaryFolder } from './temporary.ts';

/** An index whose rankings are what `rank` makes of the memory: ids best first. */
export async function memoryIndex(
  { embedder }: SystemContext,
  stream: EvalStream,
  name: string,
  rank: (memory: LanceMemory, question: AskedQuestion) => Promise<readonly string[]>,
): Promise<Indexed> {
  const folder = temporaryFolder(name);
  const memory = await openMemory({ dir: folder.path, embedder, searchText });
  const episodes: Episode[] = stream.episodes.map(toEpisode);
  const original = new Map<string, EvalEpisode>(episodes.map(({ id }, n) => [id, stream.episodes[n]!]));
  await memory.putEpisodes(episodes);
  await memory.maintain();
  return {
    async retrieve(question) {
      const ranked = (await rank(memory, question)).map((id) => original.get(id)!);
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
}
