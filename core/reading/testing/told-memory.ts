import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createStaticEmbedder } from '../../../models/embedding/static-embedder.ts';
import { Answer } from '../../contract/index.ts';
import { type LanceMemory, openMemory } from '../../memory/lance-memory.ts';
import { searchText } from '../../writing/search-text.ts';
import { createExtractiveReader } from '../extractive-reader.ts';
import type { Reader } from '../reader.ts';
import { DAY, episode, NOW, ZONE } from './told-days.ts';

export interface ToldMemory {
  memory: LanceMemory;
  reader: Reader;
  /** The answer, held against its schema. */
  ask(question: string, nowMs?: number, zone?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** A real memory in a folder of its own, with nothing in it. */
export async function openEmptyMemory(): Promise<{ memory: LanceMemory; close(): Promise<void> }> {
  const dir = mkdtempSync(path.join(tmpdir(), 'footnote-reader-'));
  const memory = await openMemory({ dir, embedder: await createStaticEmbedder(), searchText });
  return {
    memory,
    async close() {
      await memory.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** A real memory that holds the told days, and a reader over it. */
export async function openToldMemory(): Promise<ToldMemory> {
  const { memory, close } = await openEmptyMemory();
  await memory.putEpisodes(DAY.map(episode));
  const reader = createExtractiveReader(memory);
  return {
    memory,
    reader,
    ask: async (question, nowMs = NOW, zone = ZONE) =>
      Answer.parse(await reader.ask(question, { nowMs, zone })),
    close,
  };
}
