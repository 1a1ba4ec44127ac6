/**
 * Measures the retrieval of event memory cells on question sets in the common form, whole and with each part switched off:
 *
 *     npx tsx core/evaluation/cell-retrieval.ts --data FOLDER_OF_SETS [--sets epic,hd-epic] [--only "fused search,cells"] [--json]
 *
 * any@5: share of answerable questions with any evidence among the first five. C@300: mean share of the evidence's seconds among the
 * first 300 s of what is returned, in its order, the item that crosses the budget being cut.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import type { Episode } from '../contract/index.ts';
import { CausalBm25 } from '../memory/cell-search/bm25.ts';
import { AS_RELEASED, buildCells, CELL_SETTINGS, type CellSettings } from '../memory/cells.ts';
import { type CommonQuestion, readCommonSet } from './common-form.ts';

const BUDGET_MS = 300_000;
const TOP = 5;
const MOST = 60;

const off: CellSettings = {
  ...CELL_SETTINGS,
  views: false,
  graph: false,
  expansion: false,
  semantic: 'off',
  order: false,
};
const SYSTEMS = new Map<string, CellSettings>([
  ['fused search', { ...off, overlapShare: 0 }],
  ['cosine alone', { ...off, overlapShare: 0, base: 'cosine' }],
  ['as released', AS_RELEASED],
  ['as released, fused base', { ...AS_RELEASED, base: 'fused' }],
  ['as released, score projection', { ...CELL_SETTINGS, base: 'cosine' }],
  ['cells', CELL_SETTINGS],
  ['cells without views', { ...CELL_SETTINGS, views: false }],
  ['cells without graph words', { ...CELL_SETTINGS, graph: false }],
  ['cells with expansion', { ...CELL_SETTINGS, expansion: true }],
  ['cells without semantic', { ...CELL_SETTINGS, semantic: 'off' }],
  ['cells without order', { ...CELL_SETTINGS, order: false }],
  ['cells without overlap', { ...CELL_SETTINGS, overlapShare: 0 }],
  ['cells (views at 0.2)', { ...CELL_SETTINGS, viewShare: 0.2 }],
  ['cells (views at 0.1)', { ...CELL_SETTINGS, viewShare: 0.1 }],
  [
    'cells (no views - no hop - overlap 1)',
    { ...CELL_SETTINGS, views: false, expansion: false, overlapShare: 1 },
  ],
  ['only views added', { ...off, overlapShare: 0, views: true }],
  ['only overlap added', { ...off }],
  ['only graph words added', { ...off, graph: true }],
  ['only expansion added', { ...off, overlapShare: 0, expansion: true }],
  ['only semantic added', { ...off, overlapShare: 0, semantic: 'candidates' }],
  ['only order added', { ...off, overlapShare: 0, order: true }],
]);

type Span = { startMs: number; endMs: number };

/** Seconds covered, an instant counted once. */
function covered(target: readonly Span[], spans: readonly Span[]): number {
  let sum = 0;
  for (const { startMs, endMs } of target) {
    const cuts = spans
      .map((span) => [Math.max(startMs, span.startMs), Math.min(endMs, span.endMs)] as const)
      .filter(([from, to]) => to > from)
      .sort((a, b) => a[0] - b[0]);
    let at = startMs;
    for (const [from, to] of cuts) {
      sum += Math.max(0, to - Math.max(from, at));
      at = Math.max(at, to);
    }
  }
  return sum;
}

function coverage(ranked: readonly Span[], target: readonly Span[]): number {
  let left = BUDGET_MS;
  const used: Span[] = [];
  for (const { startMs, endMs } of ranked) {
    if (left <= 0) break;
    const length = Math.min(left, endMs - startMs);
    used.push({ startMs, endMs: startMs + length });
    left -= length;
  }
  const whole = target.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return whole > 0 ? covered(target, used) / whole : 0;
}

interface Tally {
  any: number;
  covered: number;
  ms: number;
}

async function measure(
  folder: string,
  only: ReadonlySet<string> | null,
): Promise<{ asked: number; systems: Map<string, Tally> }> {
  const embedder = await createStaticEmbedder();
  const embed = (texts: readonly string[], kind: 'passage' | 'query') => embedder.embed([...texts], kind);
  const systems = new Map<string, Tally>();
  let asked = 0;
  const count = (
    name: string,
    ranked: readonly (Span & { id: string })[],
    question: CommonQuestion,
    byId: ReadonlyMap<string, Episode>,
    ms: number,
  ) => {
    const tally = systems.get(name) ?? { any: 0, covered: 0, ms: 0 };
    systems.set(name, tally);
    if (ranked.slice(0, TOP).some(({ id }) => question.evidence.includes(id))) tally.any += 1;
    tally.covered += coverage(
      ranked,
      question.evidence.flatMap((id) => byId.get(id) ?? []),
    );
    tally.ms += ms;
  };
  for (const { episodes, questions: every } of readCommonSet(folder).streams.values()) {
    const questions = every.filter(({ answer, evidence }) => answer !== null && evidence.length > 0);
    asked += questions.length;
    const cells = await buildCells(episodes, { embed });
    const byId = new Map(episodes.map((episode) => [episode.id, episode]));
    const inTime = [...episodes].sort((a, b) => a.endMs - b.endMs);
    const words = new CausalBm25(inTime.map(({ text }) => text));
    for (const question of questions) {
      const known = inTime.filter(({ endMs }) => endMs <= question.askedAtMs).length;
      const best = [...words.scores(question.question, known)].sort(
        (a, b) => b[1] - a[1] || inTime[b[0]]!.startMs - inTime[a[0]]!.startMs,
      );
      count(
        'words alone (BM25)',
        best.slice(0, MOST).map(([at]) => inTime[at]!),
        question,
        byId,
        0,
      );
      const [queryVector] = await embed([question.question], 'query');
      for (const [name, settings] of SYSTEMS) {
        if (only && !only.has(name)) continue;
        const started = performance.now();
        const { ranked } = await cells.retrieve({
          question: question.question,
          queryVector: queryVector!,
          nowMs: question.askedAtMs,
          settings,
          most: MOST,
        });
        const ms = performance.now() - started;
        count(
          name,
          ranked.map((one) => ({ ...one, id: one.episodeId })),
          question,
          byId,
          ms,
        );
      }
    }
  }
  return { asked, systems };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      sets: { type: 'string', default: 'egolife,epic,hd-epic,locomo' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.data) throw new Error('Say where the question sets are: --data FOLDER');
  const only = values.only ? new Set(values.only.split(',')) : null;
  const table: Record<string, Record<string, number>> = {};
  for (const set of values.sets.split(',')) {
    const { asked, systems } = await measure(path.join(values.data, set), only);
    for (const [name, { any, covered: share, ms }] of systems) {
      table[name] = {
        ...table[name],
        [`${set} any@5`]: Math.round((1000 * any) / asked) / 10,
        [`${set} C@300`]: Math.round((1000 * share) / asked) / 10,
        [`${set} ms`]: Math.round((10 * ms) / asked) / 10,
      };
    }
  }
  if (values.json) console.log(JSON.stringify(table));
  else console.table(table);
}

await main();
