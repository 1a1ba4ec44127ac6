/** Folders of stores that live as long as one stream is asked. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function temporaryFolder(name: string): { path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), `footnote-${name}-`));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Bytes of all files below a folder. */
export function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}
