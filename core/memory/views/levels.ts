/** Scales of temporal context (EM²Mem B.2: 3 minutes, 10 minutes, 1 hour; a day added for a life). */
export const LEVELS = ['3min', '10min', '1h', 'day'] as const;
export type Level = (typeof LEVELS)[number];

const MINUTE_MS = 60_000;

/** Window lengths, ms: W = 180, 600, 3600 s (generate_temporal_context_views.py); a day has the length its zone gives it. */
export const WINDOW_MS: Record<Exclude<Level, 'day'>, number> = {
  '3min': 3 * MINUTE_MS,
  '10min': 10 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
};
/** The longest a day can be: the clocks go back. */
export const DAY_MAX_MS = 25 * 60 * MINUTE_MS;

/** What a thread needs to be told of at a level: enough support, or a large enough share of the children. */
export interface ThreadRule {
  minSupport: number;
  minCoverage: number;
  most: number;
}
export type ThreadKind = 'actions' | 'objects' | 'topics';

/** (min_support, min_coverage, top_k) by level, from the released code; a day asks for twice an hour's support. */
export const THREAD_RULES: Record<Level, Record<ThreadKind, ThreadRule>> = {
  '3min': {
    actions: { minSupport: 1, minCoverage: 0, most: 10 },
    objects: { minSupport: 1, minCoverage: 0, most: 12 },
    topics: { minSupport: 1, minCoverage: 0, most: 10 },
  },
  '10min': {
    actions: { minSupport: 2, minCoverage: 0.34, most: 8 },
    objects: { minSupport: 2, minCoverage: 0.34, most: 10 },
    topics: { minSupport: 1, minCoverage: 0.25, most: 8 },
  },
  '1h': {
    actions: { minSupport: 3, minCoverage: 0.25, most: 6 },
    objects: { minSupport: 3, minCoverage: 0.25, most: 8 },
    topics: { minSupport: 2, minCoverage: 0.2, most: 6 },
  },
  day: {
    actions: { minSupport: 6, minCoverage: 0.25, most: 6 },
    objects: { minSupport: 6, minCoverage: 0.25, most: 8 },
    topics: { minSupport: 4, minCoverage: 0.2, most: 6 },
  },
};
/** Threads kept before the level's filter (released code). */
export const THREADS_MOST = 16;

/** Scenes of less than this share are dropped, and so many kept, by level (released code). */
export const SCENE_RULES: Record<Level, { least: number; most: number }> = {
  '3min': { least: 0.08, most: 4 },
  '10min': { least: 0.1, most: 4 },
  '1h': { least: 0.12, most: 3 },
  day: { least: 0.12, most: 3 },
};
/** Speakers kept by level, and the lines they need (released code: 8, 6, 5; at 1 h two lines). */
export const SPEAKER_RULES: Record<Level, { least: number; most: number }> = {
  '3min': { least: 1, most: 8 },
  '10min': { least: 1, most: 6 },
  '1h': { least: 2, most: 5 },
  day: { least: 2, most: 5 },
};

/** Texts joined when no model summarises (released code: the first eight). */
export const SUMMARY_TEXTS = 8;
/** Characters of a view's summary: it is searched, and read by a small model, but never quoted. */
export const SUMMARY_CHARACTERS: Record<Level, number> = { '3min': 480, '10min': 560, '1h': 640, day: 720 };

/** The level whose nodes a level is made of; null when it is made of episodes. */
export function below(level: Level): Level | null {
  return LEVELS[LEVELS.indexOf(level) - 1] ?? null;
}
