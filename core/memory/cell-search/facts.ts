import { entityOfKey } from '../graph/entities.ts';
import type { SemanticFact } from '../graph/semantic-graph.ts';
import { factsAt, factText, type Observed } from '../graph/semantic-graph.ts';
import type { CellIndex, CellQuery } from './cell-index.ts';
import { FACT_WEIGHT, K_S, PPR_DAMPING } from './constants.ts';
import { overlap, tellingWords } from './words.ts';

/** A fact with how well it fits the question, 0..1. */
export interface RankedFact extends SemanticFact {
  score: number;
}

/** Min-max over a list; equal values are all 1 (MemoryCell.py). */
export function minMax(values: readonly number[]): number[] {
  const least = Math.min(...values);
  const spread = Math.max(...values) - least;
  return values.map((value) => (spread > 0 ? (value - least) / spread : 1));
}

const ITERATIONS = 30;

/**
 * Personalised PageRank over the undirected graph of the facts' entities; pair weight Σ confidence·(1 + 0.10·min(support, 5)), reset
 * uniform on `seeds` (EM2Memory.py).
 */
export function pageRank(facts: readonly SemanticFact[], seeds: ReadonlySet<string>): Map<string, number> {
  const links = new Map<string, Map<string, number>>();
  const link = (from: string, to: string, weight: number) => {
    const out = links.get(from) ?? new Map<string, number>();
    out.set(to, (out.get(to) ?? 0) + weight);
    links.set(from, out);
  };
  for (const { subject, object, confidence, support } of facts) {
    const weight = confidence * (1 + 0.1 * Math.min(support, 5));
    link(subject.key, object.key, weight);
    link(object.key, subject.key, weight);
  }
  const start = [...links.keys()].filter((key) => seeds.has(key));
  if (start.length === 0) return new Map();
  const reset = new Map(start.map((key) => [key, 1 / start.length]));
  let rank = reset;
  for (let n = 0; n < ITERATIONS; n++) {
    const next = new Map([...reset].map(([key, share]) => [key, share * (1 - PPR_DAMPING)]));
    for (const [from, share] of rank) {
      const out = links.get(from)!;
      const whole = [...out.values()].reduce((sum, weight) => sum + weight, 0);
      for (const [to, weight] of out) {
        next.set(to, (next.get(to) ?? 0) + (PPR_DAMPING * share * weight) / whole);
      }
    }
    rank = next;
  }
  return rank;
}

function textOf({ subject, verb, object }: Observed): string {
  const [who, what] = [entityOfKey(subject), entityOfKey(object)];
  return who && what ? factText(who, verb, what) : '';
}

/** Triplets compared by meaning; of a person one may know thousands. */
const COMPARED = 128;

/** Those that share most words with the question, of equal ones the best supported by its instant. */
function likeliest(observed: readonly Observed[], { question, nowMs }: CellQuery): Observed[] {
  if (observed.length <= COMPARED) return [...observed];
  const asked = new Set(tellingWords(question));
  const judged = observed.map((one) => ({
    one,
    shared: overlap(asked, new Set(tellingWords(textOf(one)))),
    support: one.evidence.filter(({ endMs }) => endMs <= nowMs).length,
  }));
  return judged
    .filter(({ support }) => support > 0)
    .sort((a, b) => b.shared - a.shared || b.support - a.support || (textOf(a.one) < textOf(b.one) ? -1 : 1))
    .slice(0, COMPARED)
    .map(({ one }) => one);
}

/** The K_S facts that fit a question best, as of its instant: 0.55·cosine + 0.30·PPR of both ends + 0.15·confidence, each min-max. */
export async function rankFacts(
  index: CellIndex,
  query: CellQuery,
  keys: readonly string[],
  most = K_S,
): Promise<RankedFact[]> {
  const observed = likeliest(await index.observed(keys, query), query);
  if (observed.length === 0) return [];
  const texts = [...new Set(observed.map(textOf))];
  const vectors = new Map((await index.embed(texts)).map((vector, i) => [texts[i]!, vector]));
  const facts = factsAt(observed, { nowMs: query.nowMs, vectors });
  if (facts.length === 0) return [];
  const near = facts.map(({ text, subject, verb, object }) => {
    const vector = vectors.get(text) ?? vectors.get(factText(subject, verb, object));
    let sum = 0;
    if (vector && query.vector) for (let i = 0; i < vector.length; i++) sum += vector[i]! * query.vector[i]!;
    return sum;
  });
  const cosine = minMax(near);
  const best = facts.map((_, i) => i).sort((a, b) => near[b]! - near[a]!);
  const seeds = new Set(
    best.slice(0, Math.max(2 * most, 8)).flatMap((i) => [facts[i]!.subject.key, facts[i]!.object.key]),
  );
  const rank = pageRank(facts, seeds);
  const ppr = minMax(
    facts.map(({ subject, object }) => (rank.get(subject.key) ?? 0) + (rank.get(object.key) ?? 0)),
  );
  const confidence = minMax(facts.map((fact) => fact.confidence));
  return facts
    .map((fact, i) => ({
      ...fact,
      score:
        FACT_WEIGHT.cosine * cosine[i]! + FACT_WEIGHT.ppr * ppr[i]! + FACT_WEIGHT.confidence * confidence[i]!,
    }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, most);
}
