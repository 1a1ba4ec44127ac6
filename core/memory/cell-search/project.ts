import { SCALE_WEIGHT, type Scale } from './constants.ts';
import type { RankedFact } from './facts.ts';
import type { CellSettings } from './settings.ts';
import type { ScoredUnit } from './units.ts';

/** An event with everything that speaks for it. */
export interface Anchor {
  episodeId: string;
  score: number;
  /** The unit found for it by itself; null when only views, neighbours or facts led to it. */
  unit: ScoredUnit | null;
  facts: RankedFact[];
}

class Anchors {
  readonly found = new Map<string, Anchor>();

  of(episodeId: string): Anchor {
    const known = this.found.get(episodeId) ?? { episodeId, score: 0, unit: null, facts: [] };
    this.found.set(episodeId, known);
    return known;
  }
}

/** Units by score, of one id the best (step 6). */
function merged(units: readonly ScoredUnit[]): ScoredUnit[] {
  const best = new Map<string, ScoredUnit>();
  for (const unit of units) {
    const known = best.get(unit.id);
    if (!known || unit.score > known.score)
      best.set(unit.id, known ? { ...unit, words: unit.words ?? known.words } : unit);
  }
  return [...best.values()].sort(
    (a, b) => b.score - a.score || b.startMs - a.startMs || (a.id < b.id ? 1 : -1),
  );
}

/** Step 7: anchor[d] += score·1/(rank + 1)·w_scale/√n over one list of all scales. */
function byRank(units: readonly ScoredUnit[], anchors: Anchors): void {
  for (const [rank, unit] of units.entries()) {
    const part = (unit.score / (rank + 1)) * (SCALE_WEIGHT[unit.scale] / Math.sqrt(unit.episodeIds.length));
    for (const id of unit.episodeIds) anchors.of(id).score += part;
  }
}

/** An event's own score, what its neighbours lend it, and of each scale the best of its views, by weight. */
function byScore(units: readonly ScoredUnit[], anchors: Anchors, settings: CellSettings): void {
  const best = new Map<Scale, number>();
  for (const { scale, score, from } of units) {
    if (from === 'search') best.set(scale, Math.max(best.get(scale) ?? 0, score));
  }
  const lent = new Map<string, number>();
  for (const unit of units) {
    const share =
      unit.from === 'search' ? (unit.scale === 'event' ? 1 : settings.viewShare) : settings.hopShare;
    const part = share * SCALE_WEIGHT[unit.scale] * (unit.score / (best.get(unit.scale) || 1));
    for (const id of unit.episodeIds) {
      const key = `${unit.from === 'search' ? unit.scale : 'hop'} ${id}`;
      const known = lent.get(key) ?? 0;
      if (part <= known) continue;
      lent.set(key, part);
      anchors.of(id).score += part - known;
    }
  }
}

/** Step 9 for the fact of a rank: 1/(rank + 1)·(1 + 0.15·min(support, 5))·(0.7 + 0.3·confidence)/√n. */
function factPart(fact: RankedFact, rank: number): number {
  return (
    ((1 / (rank + 1)) * (1 + 0.15 * Math.min(fact.support, 5)) * (0.7 + 0.3 * fact.confidence)) /
    Math.sqrt(fact.evidence.length)
  );
}

/** Brings units of all scales, and facts, to the events they rest on, best first. */
export function project(
  units: readonly ScoredUnit[],
  facts: readonly RankedFact[],
  settings: CellSettings,
): Anchor[] {
  const anchors = new Anchors();
  const all = merged(units);
  if (settings.projection === 'rank') byRank(all, anchors);
  else byScore(all, anchors, settings);
  for (const unit of all) if (unit.scale === 'event' && unit.words) anchors.of(unit.id).unit = unit;
  if (settings.semantic !== 'off') {
    for (const [rank, fact] of facts.entries()) {
      for (const { episodeId } of fact.evidence) {
        const known = anchors.found.get(episodeId);
        if (settings.semantic === 'roles' && !known) continue;
        const anchor = known ?? anchors.of(episodeId);
        anchor.facts.push(fact);
        if (settings.semantic === 'candidates')
          anchor.score += settings.factShare * fact.score * factPart(fact, rank);
      }
    }
  }
  return [...anchors.found.values()].sort(
    (a, b) => b.score - a.score || (a.episodeId < b.episodeId ? 1 : -1),
  );
}
