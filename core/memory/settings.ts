import type { FusionSetting, PictureSetting } from './fusion.ts';

/**
 * One setting for every kind of footage: the middle of the range (0.25 to 0.6) in which the fusion is below full text alone on none of
 * the sets core/evaluation/retrieval.ts measures; see docs/decisions.md.
 */
export const FUSION: FusionSetting = { vectorWeight: 0.45 };

/**
 * Pictures beside the text: at most as much as the best match of words. core/evaluation/pictures.ts: from weights of 0.5 over 1 to 1.5 the
 * right picture comes first for 32, 95 and 98 % of questions; 1.5 costs questions about words 6 %, 1 nothing. A picture counts in full from this strength on (spreads above what texts about nothing there reach, see
 * pictures/background.ts), nothing at 0 and below.
 */
export const PICTURES: PictureSetting = { weight: 1, full: 2 };
