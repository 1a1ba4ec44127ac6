import type { FusionSetting } from './fusion.ts';

/**
 * One setting for every kind of footage: the middle of the range (0.25 to 0.6) in which the fusion is below full text alone on none of
 * the sets core/evaluation/retrieval.ts measures; see docs/decisions.md.
 */
export const FUSION: FusionSetting = { vectorWeight: 0.45 };
