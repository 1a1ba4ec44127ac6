import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeAtomic } from '../../../models/durable-file.ts';
import { FootnoteError } from '../../contract/index.ts';
import { type Correction, SaidCorrection } from '../graph/corrections.ts';

const FILE = 'corrections.json';

/**
 * What the person corrected, in the order in which it was said.
 * @throws FootnoteError LIBRARY_UNREADABLE when the file is damaged: what a person said cannot be made anew
 */
export async function readCorrections(dir: string): Promise<SaidCorrection[]> {
  const text = await readFile(path.join(dir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  try {
    return z.array(SaidCorrection).parse(JSON.parse(text));
  } catch (error) {
    throw new FootnoteError(
      'LIBRARY_UNREADABLE',
      'The list of corrected names is damaged.',
      {},
      { cause: error },
    );
  }
}

/** Replaces the list; an empty one leaves no file. */
export async function writeCorrections(dir: string, list: readonly SaidCorrection[]): Promise<void> {
  if (list.length === 0) await rm(path.join(dir, FILE), { force: true });
  else await writeAtomic(path.join(dir, FILE), JSON.stringify(list, null, 1));
}

/** The list without forgotten episodes; one that held for these alone goes with them. */
export function withoutEpisodes(list: readonly SaidCorrection[], ids: ReadonlySet<string>): SaidCorrection[] {
  const kept = (correction: Correction): Correction | null => {
    if (correction.what !== 'split' && correction.what !== 'identify') return correction;
    const episodeIds = correction.episodeIds.filter((id) => !ids.has(id));
    return episodeIds.length === 0 && correction.recordingId === null ? null : { ...correction, episodeIds };
  };
  return list.flatMap((said) => {
    const correction = kept(said.correction);
    return correction ? [{ ...said, correction }] : [];
  });
}
