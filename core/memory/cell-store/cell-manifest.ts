import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeAtomic } from '../../../models/durable-file.ts';

const FILE = 'cells.json';
/** Raised when views or graphs of the same episodes would come out otherwise: they are then built anew. */
export const CELLS_FORMAT = 1;

const Window = z.object({ wearer: z.string(), windowMs: z.number() });

const CellManifest = z.object({
  format: z.literal(CELLS_FORMAT),
  /** Number in the names of the tables: views_1, mentions_1, facts_1. */
  generation: z.number().int().positive(),
  embedder: z.object({ name: z.string(), dims: z.number().int().positive() }),
  /** The last day whose windows are all built, of a library that is older than its cells; null when none is missing. */
  building: z.object({ after: z.string().nullable() }).nullable(),
  /** Windows a write was about to change: a kill in between leaves them here, and the next start builds them. */
  pending: z.array(Window),
  /** Something was forgotten, and old files may still hold it. */
  purge: z.boolean(),
});
export type CellManifest = z.infer<typeof CellManifest>;

/** Null when there is none, or one of another format or damaged: cells can always be built anew from the episodes. */
export async function readCellManifest(dir: string): Promise<CellManifest | null> {
  const text = await readFile(path.join(dir, FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return CellManifest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Replaces the manifest in one step. */
export async function writeCellManifest(dir: string, manifest: CellManifest): Promise<void> {
  await writeAtomic(path.join(dir, FILE), JSON.stringify(manifest));
}
