/**
 * Runs texts in batches of like length, so that little of a batch is padding.
 * @param size texts of one batch, from 1
 * @returns what `run` gave for each text, in the order of `texts`
 */
export async function inBatches<T>(
  texts: readonly string[],
  size: number,
  run: (batch: string[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const order = texts.map((_, i) => i).sort((a, b) => texts[a]!.length - texts[b]!.length);
  const results = new Array<T>(texts.length);
  for (let at = 0; at < order.length; at += size) {
    const members = order.slice(at, at + size);
    const batch = await run(members.map((i) => texts[i]!));
    members.forEach((i, row) => {
      results[i] = batch[row]!;
    });
  }
  return results;
}
