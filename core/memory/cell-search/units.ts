import type { CellIndex, CellQuery, Unit, UnitHit } from './cell-index.ts';
import { ENTITY_HOP, HOP_DECAY, LOOKED_AT, OVERLAP, type Scale, TOP_K } from './constants.ts';
import { minMax } from './facts.ts';
import type { CellSettings } from './settings.ts';
import { overlap, tellingWords } from './words.ts';

/** A unit with its score on its own scale. */
export interface ScoredUnit {
  id: string;
  scale: Scale;
  startMs: number;
  endMs: number;
  score: number;
  /** Episodes beneath. */
  episodeIds: string[];
  /** What the roles look at; null for one that only expansion found. */
  words: ReadonlySet<string> | null;
  keys: readonly string[];
  from: 'search' | 'before' | 'entity';
}

/** The question, read once. */
export interface Asked {
  query: CellQuery;
  words: ReadonlySet<string>;
  keys: readonly string[];
}

/**
 * The best units of one scale: found by words and meaning, then told apart by the words they share with the question, in text, graph
 * labels and triples.
 */
export async function searchScale(
  index: CellIndex,
  scale: Scale,
  { query, words }: Asked,
  settings: CellSettings,
): Promise<ScoredUnit[]> {
  const hits = await index.search(scale, query, LOOKED_AT * TOP_K[scale]);
  if (hits.length === 0) return [];
  const units = await index.units(
    scale,
    hits.map(({ id }) => id),
    query,
  );
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const found = hits.flatMap((hit) => {
    const unit = byId.get(hit.id);
    return unit ? [{ hit, unit }] : [];
  });
  const base =
    settings.base === 'fused'
      ? found.map(({ hit }) => hit.score)
      : minMax(found.map(({ hit }) => hit.cosine ?? 0));
  return found
    .map(({ unit }, i) => scored(unit, base[i]!, words, settings))
    .sort((a, b) => b.score - a.score || b.startMs - a.startMs || (a.id < b.id ? 1 : -1))
    .slice(0, TOP_K[scale]);
}

function scored(unit: Unit, base: number, asked: ReadonlySet<string>, settings: CellSettings): ScoredUnit {
  const { id, scale, startMs, endMs, episodeIds, keys } = unit;
  const text = new Set(tellingWords(unit.text));
  const graph = new Set(tellingWords(unit.graph));
  const triples = new Set(tellingWords(unit.triples));
  const all = new Set([...text, ...graph, ...triples]);
  const shared = settings.graph
    ? OVERLAP.text * overlap(asked, text) +
      OVERLAP.graph * overlap(asked, graph) +
      OVERLAP.all * overlap(asked, all) +
      OVERLAP.triples * overlap(asked, triples)
    : OVERLAP.text * overlap(asked, text);
  const score = base + settings.overlapShare * shared;
  return { id, scale, startMs, endMs, score, episodeIds, words: all, keys, from: 'search' };
}

/** Events one hop from the best: before and after them (decay 0.60), and near ones that share entities (decay 0.75, fading with time). */
export async function expand(
  index: CellIndex,
  seeds: readonly ScoredUnit[],
  { query }: Asked,
): Promise<ScoredUnit[]> {
  const found: ScoredUnit[] = [];
  const add = (
    hit: Pick<UnitHit, 'id' | 'startMs' | 'endMs'>,
    score: number,
    from: ScoredUnit['from'],
    keys: readonly string[] = [],
  ) =>
    found.push({
      id: hit.id,
      scale: 'event',
      startMs: hit.startMs,
      endMs: hit.endMs,
      score,
      episodeIds: [hit.id],
      words: null,
      keys,
      from,
    });
  for (const seed of seeds.slice(0, ENTITY_HOP.seeds)) {
    for (const hit of await index.beside(seed, query)) add(hit, seed.score * HOP_DECAY, 'before');
    const near = await index.sharing(seed.keys, seed.startMs, query, ENTITY_HOP.neighbours + 1);
    for (const one of near.filter(({ id }) => id !== seed.id).slice(0, ENTITY_HOP.neighbours)) {
      const shared = Math.min(one.keys.length, 3) / 3;
      const fade = 1 / (1 + Math.abs(one.startMs - seed.startMs) / ENTITY_HOP.fadeMs);
      add(one, seed.score * ENTITY_HOP.decay * (0.55 + 0.45 * shared) * fade, 'entity', one.keys);
    }
  }
  return found;
}
