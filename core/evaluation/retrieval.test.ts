import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import { measureRetrieval } from './retrieval-measure.ts';

const SETS = fileURLToPath(new URL('../../../shared/data/qa', import.meta.url));
const present = existsSync(SETS);

describe.skipIf(!present)(
  `fused search${present ? '' : ' (skipped: the question sets are not beside the project)'}`,
  () => {
    // The two quick sets; all four are measured by `npx tsx core/evaluation/retrieval.ts`.
    it.each(['egolife', 'hd-epic'])('on %s finds at least what words alone find', async (set) => {
      const embedders = new Map([['static', await createStaticEmbedder()]]);
      const recall = await measureRetrieval(path.join(SETS, set), embedders);
      expect(recall.get('full text')).toBeGreaterThan(50);
      expect(recall.get('static, as shipped')).toBeGreaterThanOrEqual(recall.get('full text')!);
    });
  },
);
