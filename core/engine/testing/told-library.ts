import { createStaticEmbedder } from '../../../models/embedding/static-embedder.ts';
import { openLibrary } from '../../library/library.ts';
import { openMemory } from '../../memory/lance-memory.ts';
import { DAY, episode } from '../../reading/testing/told-days.ts';
import { searchText } from '../../writing/search-text.ts';

/** Makes a library of the told days in a folder, and closes it. */
export async function makeToldLibrary(dir: string): Promise<void> {
  const library = await openLibrary(dir, { readOnly: false });
  const embedder = await createStaticEmbedder();
  const memory = await openMemory({ dir: library.memoryDir, embedder, searchText });
  await memory.putEpisodes(DAY.map(episode));
  await memory.close();
  await library.release();
}
