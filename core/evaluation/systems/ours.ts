/** Footnote's own retrieval, as its readers look, and the same with a part left out or another added. */
import { CELL_SETTINGS, type CellSettings } from '../../memory/cells.ts';
import { EVIDENCE_PARTS, type EvidenceParts, rankEvidence } from '../../reading/ranked-evidence.ts';
import { memoryIndex } from './memory-system.ts';
import type { CreateSystem } from './system.ts';

const ZONE = 'UTC';
/** What an event that the cells rank first adds to its score, where their parts are measured on top. */
const CELL_SHARE = 0.1;

/** Cells with one part only, on top of the record. */
const ONLY: CellSettings = {
  ...CELL_SETTINGS,
  views: false,
  graph: false,
  expansion: false,
  semantic: 'off',
  order: false,
};

interface Variant {
  about: string;
  parts?: Partial<EvidenceParts>;
  cells?: CellSettings;
}

function system(name: string, { about, parts = {}, cells }: Variant): CreateSystem {
  return (context) => ({
    name,
    about,
    index: (stream) =>
      memoryIndex(context, stream, 'ours', async (memory, { question, nowMs }) => {
        const extra = new Map<string, number>();
        if (cells) {
          const { ranked } = await memory.cells.retrieve({ question, nowMs, settings: cells });
          for (const { episodeId, score } of ranked) extra.set(episodeId, CELL_SHARE * score);
        }
        const options = { nowMs, zone: ZONE };
        const best = await rankEvidence(memory, question, options, { ...EVIDENCE_PARTS, ...parts }, extra);
        return best.map(({ id }) => id);
      }),
  });
}

export const ours = system('ours', {
  about:
    'Footnote: MemLife’s search and time anchors on its own memory, reranked by wording, order of time, sightings of a thing, and the episode beside an act.',
});

const VARIANTS: Record<string, Variant> = {
  'ours-no-time': { about: 'ours without time words as anchor', parts: { time: false } },
  'ours-no-order': { about: 'ours without first and last by time', parts: { order: false } },
  'ours-no-wording': { about: 'ours without the wording', parts: { wording: false } },
  'ours-no-exchange': { about: 'ours without neighbours in conversation', parts: { exchange: false } },
  'ours-no-sightings': { about: 'ours without sightings of a thing', parts: { sightings: false } },
  'ours-no-beside': { about: 'ours without the episode beside an act', parts: { beside: false } },
  'ours-cells-base': { about: 'ours with the cells’ search of the record alone added', cells: ONLY },
  'ours-views': { about: 'ours with context views added', cells: { ...ONLY, views: true } },
  'ours-graph': {
    about: 'ours with the episodic graph added',
    cells: { ...ONLY, graph: true, expansion: true },
  },
  'ours-semantic': {
    about: 'ours with the semantic graph added',
    cells: { ...ONLY, semantic: 'candidates' },
  },
};

/** Measured when named; not systems of their own. */
export const oursVariants: Record<string, CreateSystem> = Object.fromEntries(
  Object.entries(VARIANTS).map(([name, variant]) => [name, system(name, variant)]),
);
