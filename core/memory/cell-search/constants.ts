/** Episodic anchors handed to the reader (EM²Mem B.2: K_E = 5), facts (K_S = 8), keyframes of each anchor (K_V = 3). */
export const K_E = 5;
export const K_S = 8;
export const K_V = 3;

/** Scales that are ranked, with their weights (B.2: 1.00 for the record, 0.65/0.45/0.30 for 3 min, 10 min, 1 h). */
export const SCALES = ['event', '3min', '10min', '1h'] as const;
export type Scale = (typeof SCALES)[number];
export const SCALE_WEIGHT: Record<Scale, number> = { event: 1, '3min': 0.65, '10min': 0.45, '1h': 0.3 };

/** Units of each scale that are kept: max(4K, 10), max(3K, 6), max(2K, 5), max(K, 3) with K = K_E (MemoryCell.py). */
export const TOP_K: Record<Scale, number> = { event: 4 * K_E, '3min': 3 * K_E, '10min': 2 * K_E, '1h': K_E };
/** Twice as many are looked at before the words decide (MemoryCell.py). */
export const LOOKED_AT = 2;

/** Weights of word overlap with a unit's text, its graph labels, all of its words, its triples (MemoryCell.py). */
export const OVERLAP = { text: 0.18, graph: 0.22, all: 0.12, triples: 0.22 } as const;

/** One-hop graph expansion decay (B.2). */
export const HOP_DECAY = 0.6;
/** Seeds that are expanded, neighbours each, decay of a shared entity and the time after which it fades, ms (MemoryCell.py). */
export const ENTITY_HOP = { seeds: 4, neighbours: 6, decay: 0.75, fadeMs: 300_000 } as const;

/** Facts: PPR damping, weights of nearness, PPR and confidence (EM2Memory.py). */
export const PPR_DAMPING = 0.85;
export const FACT_WEIGHT = { cosine: 0.55, ppr: 0.3, confidence: 0.15 } as const;

/** Candidates shown to the selector, and by role: best scores, triggers, antecedents, broader context (EM2Memory.py). */
export const POOL = 12;
export const POOL_SHARES = { score: 10, trigger: 4, antecedent: 4, broader: 3 } as const;
export const ROLE = {
  trigger: { score: 0.6, overlap: 0.2, near: 0.2, fadeMs: 600_000 },
  antecedent: { earlier: 0.45, shared: 0.35, semantic: 0.2, reachMs: 1_800_000 },
  broader: { crowd: 0.6, overlap: 0.25, score: 0.15 },
} as const;
/** Best anchors that roles are measured against. */
export const ROLE_SEEDS = 3;
