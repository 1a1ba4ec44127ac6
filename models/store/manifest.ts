import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ModelEntry } from '../catalogue/entry.ts';
import { below, fileSize, readJson } from './files.ts';

const ManifestFile = z.object({
  path: z.string(),
  size: z.number(),
  sha256: z.string(),
  /** Where it came from, for people. */
  from: z.string(),
  /** The catalogue could not say what to expect: this very download became the measure. */
  trustedOnFirstUse: z.boolean(),
  /** When it was last read through and found right, as its modification time then (ms). */
  checkedMtimeMs: z.number(),
});
export type ManifestFile = z.infer<typeof ManifestFile>;

/** Written into a model's folder before the folder gets its place: a folder with one is whole. */
export const Manifest = z.object({
  format: z.literal(1),
  id: z.string(),
  repository: z.string().nullable(),
  revision: z.string().nullable(),
  /** Of the catalogue's entry this was installed by. */
  fingerprint: z.string(),
  installedAtMs: z.number(),
  /** The person allowed fetching damaged files again without being asked. */
  repairAllowed: z.boolean(),
  /** What was found wrong when its files were read through, though their sizes are right. */
  damage: z.string().optional(),
  files: z.array(ManifestFile),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST_NAME = 'installed.json';

/** Changes when the catalogue asks for other files or another revision. */
export function fingerprintOf(entry: ModelEntry): string {
  const content = [
    entry.revision,
    ...entry.files.map((file) => [file.path, file.size, file.sha256, file.gitBlob?.id]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}

/** How a model stands on this machine. */
export type ModelState =
  | { readonly state: 'built-in'; readonly folder: string }
  | { readonly state: 'installed'; readonly folder: string; readonly manifest: Manifest }
  /** Installed by an older catalogue: other files or another revision are asked for now. */
  | { readonly state: 'outdated'; readonly folder: string }
  /** `manifest` where sizes are right and reading the files through found them wrong: doing so again may find them mended. */
  | {
      readonly state: 'damaged';
      readonly folder: string;
      readonly problem: string;
      readonly manifest?: Manifest;
    }
  | { readonly state: 'partial'; readonly bytes: number }
  | { readonly state: 'absent' };

/** Reads a manifest and looks (sizes only) whether its files are there. */
export async function installedState(folder: string, entry: ModelEntry): Promise<ModelState | null> {
  const raw = await readJson(join(folder, MANIFEST_NAME));
  if (raw === null) return null;
  const manifest = Manifest.safeParse(raw);
  if (!manifest.success || manifest.data.id !== entry.id) {
    return { state: 'damaged', folder, problem: 'its list of files cannot be read' };
  }
  if (manifest.data.fingerprint !== fingerprintOf(entry)) return { state: 'outdated', folder };
  for (const file of manifest.data.files) {
    const size = await fileSize(below(folder, file.path));
    if (size === null) return { state: 'damaged', folder, problem: `${file.path} is missing` };
    if (size !== file.size) {
      return {
        state: 'damaged',
        folder,
        problem: `${file.path} has ${size} bytes and should have ${file.size}`,
      };
    }
  }
  if (manifest.data.damage !== undefined) {
    return { state: 'damaged', folder, problem: manifest.data.damage, manifest: manifest.data };
  }
  return { state: 'installed', folder, manifest: manifest.data };
}

const MODELS_ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Folder of an installed npm package; looked for by path, since a package may hide its own description from `resolve`. */
async function packageFolder(name: string): Promise<string | null> {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const at = below(folder, name);
    if ((await fileSize(join(at, 'package.json'))) !== null) return at;
  }
  return null;
}

/** Folder of a model that came with Footnote; null when its package is not installed or lacks a file. */
export async function bundledFolder(entry: ModelEntry): Promise<string | null> {
  if (!entry.bundled) return null;
  const { package: name, folder } = entry.bundled;
  const root = name === null ? MODELS_ROOT : await packageFolder(name);
  if (root === null) return null;
  const at = folder === '' ? root : below(root, folder);
  for (const file of entry.files) {
    if ((await fileSize(below(at, file.path))) !== file.size) return null;
  }
  return at;
}
