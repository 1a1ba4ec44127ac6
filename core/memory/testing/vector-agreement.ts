import { connect } from '@lancedb/lancedb';
import { vectorChannel } from '../channels.ts';
import { readManifest } from '../manifest.ts';

/** Cosines nearer than this are one: the same thing done twice is equally near, and either may be returned. */
const SAME = 1e-6;

/**
 * Share of what an exact search returns that the vector index returns as well, over the episodes of a memory folder. Of rows that are
 * as near as the last of the exact ones, any counts.
 * @param vectors of questions, of unit length
 * @param k rows of each search
 * @returns 0 to 1; null when the folder holds no memory
 */
export async function vectorAgreement(
  dir: string,
  vectors: readonly Float32Array[],
  k: number,
): Promise<number | null> {
  const manifest = await readManifest(dir);
  if (!manifest) return null;
  const connection = await connect(dir);
  const table = await connection.openTable(manifest.episodes);
  try {
    let agreed = 0;
    let asked = 0;
    for (const vector of vectors) {
      const exact = await vectorChannel(table, vector, null, true, k);
      const quick = await vectorChannel(table, vector, null, false, k);
      const least = (exact.at(-1)?.value ?? 1) - SAME;
      agreed += Math.min(exact.length, quick.filter(({ value }) => value >= least).length);
      asked += exact.length;
    }
    return asked === 0 ? 1 : agreed / asked;
  } finally {
    table.close();
    connection.close();
  }
}
