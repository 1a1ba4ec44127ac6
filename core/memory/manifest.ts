import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { FootnoteError } from '../contract/index.ts';

const FORMAT = 1;
const FILE = 'memory.json';

/** Names of tables that hold episodes. */
export const EPISODES_TABLE = /^episodes(_\d+)?$/;

/** Names of tables that hold pictures. */
export const PICTURES_TABLE = /^pictures_\d+$/;

const Embedder = z.object({ name: z.string(), dims: z.number().int().positive() });
/** What vectors were made with. */
export type EmbedderIdentity = z.infer<typeof Embedder>;

const Manifest = z.object({
  /** Layout of the tables; a newer one than this program knows is not opened. */
  format: z.number().int(),
  /** Which table holds the episodes: embedding anew builds another and switches by writing this file. */
  episodes: z.string().regex(EPISODES_TABLE),
  /** What the stored vectors were made with. */
  embedder: Embedder,
  /** A table that is being built with another embedder; it goes on where it was left. */
  next: z.object({ episodes: z.string().regex(EPISODES_TABLE), embedder: Embedder }).optional(),
  /** Vectors of keyframes, where an image model was ever there. */
  pictures: z
    .object({
      table: z.string().regex(PICTURES_TABLE),
      /** What they were made with. */
      model: Embedder,
      /** How near they come to texts that are true of none; missing until it is measured. */
      background: z
        .object({ rows: z.number().int(), median: z.number(), spread: z.number().positive() })
        .optional(),
    })
    .optional(),
});
/** The small file beside the tables that says how to read them. */
export type Manifest = z.infer<typeof Manifest>;

/** A manifest of the present format. */
export function newManifest(episodes: string, embedder: EmbedderIdentity): Manifest {
  return { format: FORMAT, episodes, embedder: { name: embedder.name, dims: embedder.dims } };
}

/**
 * The manifest of a memory folder, or null when there is none yet.
 * @throws FootnoteError LIBRARY_TOO_NEW, LIBRARY_UNREADABLE
 */
export async function readManifest(dir: string): Promise<Manifest | null> {
  let text: string;
  try {
    text = await readFile(path.join(dir, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new FootnoteError(
      'LIBRARY_UNREADABLE',
      "The memory's description cannot be read.",
      {},
      { cause: error },
    );
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new FootnoteError(
      'LIBRARY_UNREADABLE',
      "The memory's description is damaged.",
      {},
      { cause: error },
    );
  }
  const format = (raw as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > FORMAT) {
    throw new FootnoteError(
      'LIBRARY_TOO_NEW',
      'This library was written by a newer Footnote. Update Footnote.',
      {
        format,
      },
    );
  }
  const parsed = Manifest.safeParse(raw);
  if (!parsed.success) throw new FootnoteError('LIBRARY_UNREADABLE', "The memory's description is damaged.");
  return parsed.data;
}

/** Replaces the manifest in one step: a kill leaves the old one or the new one. */
export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  await mkdir(dir, { recursive: true });
  const target = path.join(dir, FILE);
  const temporary = `${target}.${process.pid}.tmp`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, target);
}
