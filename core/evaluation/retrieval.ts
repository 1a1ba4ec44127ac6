/**
 * Measures retrieval on question sets in the common form (episodes.jsonl, questions.jsonl): the share of questions with any
 * evidence among the first five results, each question asked of its own stream and of nothing that ended after it was asked.
 *
 *     npx tsx core/evaluation/retrieval.ts --data FOLDER_OF_SETS [--models FOLDER] [--json]
 *
 * Channels: full text (BM25 in LanceDB), the built-in static embedding, and all-MiniLM-L6-v2 when --models holds it; then their
 * fusions over a range of weights, by normalised scores (core/memory/fusion) and by weighted reciprocal ranks for comparison.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { entryOf } from '../../models/catalogue/index.ts';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import { loadTextEmbedder } from '../../models/embedding/text-host.ts';
import { textModelOf } from '../../models/embedding/text-model.ts';
import { measureRetrieval, TOP } from './retrieval-measure.ts';

const ENCODER = entryOf('minilm-l6-int8');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      models: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.data) throw new Error('Say where the question sets are: --data FOLDER');
  const embedders = new Map<string, TextEmbedder>([['static', await createStaticEmbedder()]]);
  if (values.models) {
    const { id, title, repository } = ENCODER;
    const folder = path.resolve(values.models, repository!);
    const encoder = textModelOf({ id, title, entry: ENCODER, folder, builtIn: false })!;
    embedders.set('MiniLM', await loadTextEmbedder(encoder));
  }
  const sets = readdirSync(values.data)
    .filter((name) => existsSync(path.join(values.data!, name, 'questions.jsonl')))
    .sort();
  const table: Record<string, Record<string, number>> = {};
  for (const set of sets) {
    for (const [name, recall] of await measureRetrieval(path.join(values.data, set), embedders)) {
      table[name] = { ...table[name], [set]: Number(recall.toFixed(1)) };
    }
  }
  if (values.json)
    console.log(JSON.stringify({ measure: `any evidence in top ${TOP}, %`, sets, recall: table }));
  else console.table(table);
}

await main();
