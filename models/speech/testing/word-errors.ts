function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/’/g, "'")
      .match(/[\p{L}\p{N}']+/gu) ?? []
  );
}

/** Word error rate: the fewest words to change, add or leave out to come from one text to the other, by the words of the true one. */
export function wordErrorRate(truth: string, heard: string): number {
  const a = wordsOf(truth);
  const b = wordsOf(heard);
  let row = b.map((_, j) => j + 1);
  a.forEach((word, i) => {
    let diagonal = i;
    let left = i + 1;
    row = b.map((other, j) => {
      const above = row[j]!;
      left = Math.min(above + 1, left + 1, diagonal + (word === other ? 0 : 1));
      diagonal = above;
      return left;
    });
  });
  return (row.at(-1) ?? a.length) / Math.max(1, a.length);
}
