/** The report of a run: one HTML file with its plots in it, that needs nothing from anywhere. */
import { BUDGETS_S, DEFINITIONS, hasEvidence } from '../metrics/question-scores.ts';
import { anyAt, coverageAt } from '../metrics/retrieval.ts';
import { countsOf, figuresOf, meansOf, type Outcome, type Pair, type SystemResult } from '../run.ts';
import type { EvalEpisode, EvalSet } from '../set.ts';
import { type CurvePoint, curves, intervals, legend } from './plots.ts';

export interface ReportInput {
  set: EvalSet;
  results: readonly SystemResult[];
  pairs: readonly Pair[];
  embedding: string;
  seed: number;
}

const K_MAX = 32;
const BUDGET_STEP_S = 30;
const LAST_BUDGET_S = BUDGETS_S.at(-1)!;
/** The measure by which the best system is taken as the one to compare with. */
const LEADING = 'C@300';

const safe = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const share = (value: number | undefined): string => (value === undefined ? '–' : (100 * value).toFixed(1));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th' | 'td', row: readonly string[]): string =>
    row
      .map((cell, n) => `<${n === 0 ? 'th scope="row"' : tag}>${safe(cell)}</${n === 0 ? 'th' : tag}>`)
      .join('');
  return `<div class="wide"><table><thead><tr>${head
    .map((cell) => `<th scope="col">${safe(cell)}</th>`)
    .join(
      '',
    )}</tr></thead><tbody>${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')}</tbody></table></div>`;
}

function overview(results: readonly SystemResult[]): string {
  const figures = results.map(figuresOf);
  const measures = [...new Set(figures.flatMap(({ metrics }) => Object.keys(metrics)))].filter(
    (name) => name !== 'MB/h',
  );
  return table(
    ['system', ...measures, 'MB/h', 'ms/question', 'tokens/question', 'indexing, s'],
    figures.map(({ name, metrics, secondsPerQuestion, tokensPerQuestion }, n) => [
      name,
      ...measures.map((measure) => share(metrics[measure])),
      metrics['MB/h']?.toFixed(2) ?? '–',
      (1000 * secondsPerQuestion).toFixed(1),
      tokensPerQuestion.toFixed(0),
      results[n]!.indexSeconds.toFixed(1),
    ]),
  );
}

function byKind(results: readonly SystemResult[], measure: string): string {
  const kinds = [...new Set(results[0]!.outcomes.map(({ question }) => question.kind))].sort();
  const rows = kinds.flatMap((kind) => {
    const of = (outcomes: readonly Outcome[]): Outcome[] =>
      outcomes.filter(({ question, scores }) => question.kind === kind && scores[measure] !== undefined);
    const n = of(results[0]!.outcomes).length;
    if (n === 0) return [];
    return [[kind, String(n), ...results.map(({ outcomes }) => share(meansOf(of(outcomes))[measure]))]];
  });
  return rows.length === 0 ? '' : table(['kind', 'questions', ...results.map(({ name }) => name)], rows);
}

function anyCurve(results: readonly SystemResult[]): CurvePoint[] {
  return results.flatMap(({ name, outcomes }) => {
    const judged = outcomes.filter(({ question }) => hasEvidence(question));
    return Array.from({ length: K_MAX }, (_, n) => {
      const hits = judged.map(({ question, ranked }) =>
        anyAt(
          ranked.map(({ episodeId }) => episodeId),
          question.evidence,
          n + 1,
        ),
      );
      return { system: name, x: n + 1, y: hits.reduce((sum, hit) => sum + hit, 0) / judged.length };
    });
  });
}

function coverageCurve(results: readonly SystemResult[], set: EvalSet): CurvePoint[] {
  const episodes = new Map<string, EvalEpisode>(
    set.streams.flatMap((stream) => stream.episodes.map((episode) => [episode.id, episode] as const)),
  );
  return results.flatMap(({ name, outcomes }) => {
    const judged = outcomes.filter(({ question }) => hasEvidence(question));
    return Array.from({ length: LAST_BUDGET_S / BUDGET_STEP_S }, (_, n) => {
      const budget = (n + 1) * BUDGET_STEP_S;
      const sum = judged.reduce((total, { question, ranked }) => {
        const spans = ranked.map(({ episodeId, startMs, endMs }) => ({
          video: episodes.get(episodeId)?.video ?? null,
          startMs,
          endMs,
        }));
        return total + coverageAt(spans, question.intervals, budget);
      }, 0);
      return { system: name, x: budget, y: sum / judged.length };
    });
  });
}

/** Each system against the first one, and every pair in a table. */
function significance({ results, pairs }: ReportInput): string {
  const first = results[0]!.name;
  const measures = [...new Set(pairs.map(({ metric }) => metric))];
  const plots = measures.map((metric) => {
    const rows = pairs
      .filter((pair) => pair.metric === metric && pair.a === first)
      .map(({ a, b, difference, ci95 }) => ({ label: `${a} − ${b}`, difference, ci95 }));
    return `<h3>${safe(metric)}</h3><figure role="img" aria-label="Differences of ${safe(first)} to the others, ${safe(metric)}">${intervals(rows)}</figure>`;
  });
  const rows = pairs.map(({ a, b, metric, difference, ci95, p }) => [
    `${a} − ${b}`,
    metric,
    `${difference >= 0 ? '+' : ''}${share(difference)}`,
    `${share(ci95[0])} to ${share(ci95[1])}`,
    p < 0.001 ? p.toExponential(1) : p.toFixed(3),
  ]);
  return `${plots.join('')}<details><summary>Every pair</summary>${table(['systems', 'measure', 'difference', '95 % interval', 'p'], rows)}</details>`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}table{border-collapse:collapse;font-size:.85rem}
th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #e3e3e3;white-space:nowrap}th:first-child{text-align:left}
.legend span{margin-right:1.2rem;white-space:nowrap}.legend i{display:inline-block;width:.9rem;height:.9rem;margin-right:.35rem;vertical-align:-.1rem}
.wide{overflow-x:auto}figure{margin:1rem 0}dt{font-weight:600}dd{margin:0 0 .6rem 1rem}`;

/** The report as one HTML text. */
export function reportHtml(input: ReportInput): string {
  const { set, results, pairs, embedding, seed } = input;
  const counts = countsOf(set);
  const episodes = set.streams.reduce((sum, stream) => sum + stream.episodes.length, 0);
  const leader = [...results].sort(
    (a, b) => (meansOf(b.outcomes)[LEADING] ?? 0) - (meansOf(a.outcomes)[LEADING] ?? 0),
  )[0]!;
  const key = legend(results.map(({ name }) => safe(name)));
  const retrieval =
    counts.withEvidence === 0
      ? '<p>No question of this set tells its evidence, so retrieval is not measured.</p>'
      : `<h2>Evidence among the first k (any@k)</h2>${key}<figure role="img" aria-label="any@k by system">${curves(anyCurve(results), 'k')}</figure>
<h2>Evidence covered within a budget of video (C@B)</h2>${key}<figure role="img" aria-label="C@B by system">${curves(coverageCurve(results, set), 'budget, s of video')}</figure>
<p>Highest ${LEADING} of this run: <strong>${safe(leader.name)}</strong>, ${share(meansOf(leader.outcomes)[LEADING])} %.</p>`;
  const kinds = ['any@5', 'C@300', 'accuracy'].map((measure) => {
    const rows = byKind(results, measure);
    return rows === '' ? '' : `<h3>${measure}, %</h3>${rows}`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Footnote evaluation: ${safe(set.name)}</title><style>${STYLE}</style></head><body>
<h1>Footnote evaluation: ${safe(set.name)}</h1>
<p>${counts.asked} questions on ${episodes} episodes in ${set.streams.length} ${set.streams.length === 1 ? 'stream' : 'streams'}; ${counts.withEvidence} with evidence, ${counts.withOptions} with options. Text embedding: ${safe(embedding)}. Seed ${seed}. A question is asked of its own stream, and of nothing that ended after it was asked.</p>
${set.notes.map((note) => `<p>${safe(note)}</p>`).join('')}
<h2>Systems</h2><p>Measures in %.</p>${overview(results)}
${retrieval}
<h2>By kind of question</h2>${kinds.join('')}
<h2>Differences</h2>${pairs.length === 0 ? '<p>One system alone has none.</p>' : significance(input)}
<h2>What the measures mean</h2><dl>${DEFINITIONS.map(([name, text]) => `<dt>${safe(name)}</dt><dd>${safe(text)}</dd>`).join('')}</dl>
<h2>What was chosen</h2><ul>
<li>Questions that cannot be answered, or whose evidence is not told, count for no retrieval measure.</li>
<li>R@k is told tersely in the paper; here it is the covered share of the evidence time, which agrees with the paper’s R@5 ≈ C@150 for 30-second records.</li>
<li>Intervals: paired bootstrap over questions, 2,000 resamples, percentiles. p: exact McNemar; for R@k and C@B a question counts as right when any of its evidence time is covered. No correction for many comparisons.</li>
<li>Options are chosen without a language model, by one scorer for all systems: words and meaning that the first five episodes share with each option.</li>
<li>An EgoLife target time that joins two times is one range; a single time stands for the episode that holds it. Times without a zone are UTC.</li>
<li>Keywords, reasons, triggers, question ids and kinds reach no system.</li></ul>
<h2>What the systems do</h2><dl>${results.map(({ name, about }) => `<dt>${safe(name)}</dt><dd>${safe(about)}</dd>`).join('')}</dl>
</body></html>
`;
}
