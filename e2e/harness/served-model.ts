import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelEntry } from '../../models/catalogue/index.ts';
import { ROOT } from './places.ts';

/** The project's own small vision-language model. */
export const TINY_WRITER = join(ROOT, 'models/writer/testing/tiny-smolvlm');
const REPOSITORY = 'fixtures/tiny-smolvlm';
const REVISION = 'a'.repeat(40);

/** Address of one of its files on a hub. */
export const hubPath = (path: string) => `/${REPOSITORY}/resolve/${REVISION}/${path}`;

/** Its files, by their path in the catalogue. */
export function tinyFiles(): Record<string, Buffer> {
  const found = readdirSync(TINY_WRITER, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(TINY_WRITER.length + 1)
        .replaceAll('\\', '/'),
    );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(TINY_WRITER, path))]));
}

/** Its entry in a catalogue, as if a hub had it. */
export function tinyEntry(): ModelEntry {
  return {
    id: 'tiny-smolvlm',
    task: 'writer',
    title: 'Tiny writer',
    repository: REPOSITORY,
    revision: REVISION,
    loading: {
      by: 'transformers',
      dtype: 'q8',
      config: { model_type: 'idefics3', architectures: ['Idefics3ForConditionalGeneration'] },
    },
    files: Object.entries(tinyFiles()).map(([path, content]) => ({
      path,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      checked: true,
    })),
    licence: 'Apache-2.0',
    memoryMb: 190,
    memoryMeasured: true,
    languages: ['en'],
    sources: [{ kind: 'hub', repository: REPOSITORY, revision: REVISION }],
    bundled: null,
    adds: 'Describes drawn scenes and nothing else.',
    standIn: null,
    rank: null,
  };
}
