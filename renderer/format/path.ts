/** A path as it was typed or pasted: file managers copy it with quotes around it. */
export function unquoted(path: string): string {
  const trimmed = path.trim();
  const quoted = /^(["'])(.*)\1$/.exec(trimmed);
  return quoted ? quoted[2]! : trimmed;
}
