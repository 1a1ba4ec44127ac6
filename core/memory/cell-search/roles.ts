import { POOL, POOL_SHARES, ROLE, ROLE_SEEDS } from './constants.ts';
import { minMax } from './facts.ts';
import { overlap } from './words.ts';

/** What a candidate may be to the question: the event itself, what led to it, or the setting (released code, step 10). */
export type Role = 'trigger' | 'antecedent' | 'broader';

/** A candidate event as the roles see it. */
export interface Candidate {
  episodeId: string;
  startMs: number;
  endMs: number;
  score: number;
  words: ReadonlySet<string>;
  hasFacts: boolean;
  /** Its 3-minute view; null when unknown. */
  parent: string | null;
}

export interface RoledCandidate extends Candidate {
  /** 0..1 by min-max. */
  ep: number;
  trigger: number;
  antecedent: number;
  broader: number;
  role: Role;
}

/** Role scores of candidates, best first by score; each min-max, the role being the largest. */
export function withRoles(candidates: readonly Candidate[], asked: ReadonlySet<string>): RoledCandidate[] {
  if (candidates.length === 0) return [];
  const ep = minMax(candidates.map(({ score }) => score));
  const seeds = candidates.slice(0, ROLE_SEEDS);
  const centre = seeds.reduce((sum, { startMs }) => sum + startMs, 0) / seeds.length;
  const first = Math.min(...seeds.map(({ startMs }) => startMs));
  const crowd = new Map<string, number>();
  for (const { parent } of candidates) if (parent) crowd.set(parent, (crowd.get(parent) ?? 0) + 1);
  const scores = candidates.map((one, i) => {
    const said = overlap(asked, one.words);
    const near = Math.exp(-Math.abs(one.startMs - centre) / ROLE.trigger.fadeMs);
    const earlier = one.startMs < first ? Math.min(1, (first - one.startMs) / ROLE.antecedent.reachMs) : 0;
    const shared = Math.max(
      0,
      ...seeds.filter((seed) => seed !== one).map((seed) => overlap(seed.words, one.words)),
    );
    const together = Math.min(1, (one.parent ? (crowd.get(one.parent) ?? 0) : 0) / 3);
    return {
      trigger: ROLE.trigger.score * ep[i]! + ROLE.trigger.overlap * said + ROLE.trigger.near * near,
      antecedent:
        ROLE.antecedent.earlier * earlier +
        ROLE.antecedent.shared * shared +
        ROLE.antecedent.semantic * (one.hasFacts ? 1 : 0),
      broader: ROLE.broader.crowd * together + ROLE.broader.overlap * said + ROLE.broader.score * ep[i]!,
    };
  });
  const trigger = minMax(scores.map((score) => score.trigger));
  const antecedent = minMax(scores.map((score) => score.antecedent));
  const broader = minMax(scores.map((score) => score.broader));
  return candidates.map((one, i) => {
    const by = { trigger: trigger[i]!, antecedent: antecedent[i]!, broader: broader[i]! };
    const role = (['trigger', 'antecedent', 'broader'] as const).reduce((best, next) =>
      by[next] > by[best] ? next : best,
    );
    return { ...one, ep: ep[i]!, ...by, role };
  });
}

/** The selector's pool: the best as they stand, then triggers, antecedents and broader context, cut at POOL (step 11). */
export function poolOf(candidates: readonly RoledCandidate[]): RoledCandidate[] {
  const pool = new Set<RoledCandidate>();
  const take = (by: Role, most: number) => {
    for (const one of [...candidates].sort((a, b) => b[by] - a[by]).slice(0, most)) pool.add(one);
  };
  for (const one of candidates.slice(0, POOL_SHARES.score)) pool.add(one);
  take('trigger', POOL_SHARES.trigger);
  take('antecedent', POOL_SHARES.antecedent);
  take('broader', POOL_SHARES.broader);
  return [...pool].slice(0, POOL);
}
