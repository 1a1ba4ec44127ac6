import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Newest change under the given files and folders, ms since the epoch; 0 when none of them is there. */
function newest(paths) {
  let latest = 0;
  for (const path of paths) {
    const info = statSync(path, { throwIfNoEntry: false });
    if (!info) continue;
    latest = Math.max(
      latest,
      info.isDirectory() ? newest(readdirSync(path).map((name) => join(path, name))) : info.mtimeMs,
    );
  }
  return latest;
}

/** True when the product is missing or older than any of its sources. An app that came without sources is never stale. */
export function isStale(product, sources) {
  const made = statSync(product, { throwIfNoEntry: false });
  return !made || newest(sources) > made.mtimeMs;
}

/**
 * Runs a build script when its product is missing or out of date.
 * @returns null when the product is there and fresh, else what the build said when it failed
 */
export function buildWhenStale({ product, sources, args, cwd, label }) {
  if (!isStale(product, sources)) return null;
  process.stdout.write(`${label} …\n`);
  const result = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (result.status === 0) return null;
  return `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`.trim();
}
