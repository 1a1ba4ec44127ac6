/** What ran, one line a part. */
export function summary(results) {
  const width = Math.max(...results.map(({ name }) => name.length));
  return results
    .map(({ name, seconds, passed, failed, skipped, note }) => {
      const counts = [
        `${passed} passed`,
        ...(failed ? [`${failed} failed`] : []),
        ...(skipped ? [`${skipped} skipped`] : []),
      ].join(', ');
      return `${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${counts}${note ? `  ${note}` : ''}`;
    })
    .join('\n');
}

/** "N passed, N failed" and, where something was skipped, ", N skipped". */
export function lastLine(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`;
}
