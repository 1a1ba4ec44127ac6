import { type Level, THREAD_RULES, THREADS_MOST, type ThreadKind } from './levels.ts';

/** One action, object or topic that runs through a view. */
export interface Thread {
  label: string;
  /** Episodes it is in. */
  support: number;
  firstMs: number;
  lastMs: number;
  /** Share of the view's children it is in, 0..1. */
  coverage: number;
}

/** What one child brings: labels of an episode (support 1 each), or the threads of a view. */
export interface ThreadSource {
  startMs: number;
  endMs: number;
  threads: readonly Pick<Thread, 'label' | 'support' | 'firstMs' | 'lastMs'>[];
}

/** Objects that are everywhere say nothing of ten minutes or more (released code). */
const COMMON_OBJECTS = new Set(['people', 'table', 'chair', 'stool']);

/**
 * Threads of some children: each label counts once a child, supports add up, the best THREADS_MOST by (support, first seen, label)
 * pass the level's filter.
 */
export function threadsOf(kind: ThreadKind, level: Level, children: readonly ThreadSource[]): Thread[] {
  const byLabel = new Map<string, Thread & { children: number }>();
  for (const child of children) {
    const once = new Map(child.threads.map((thread) => [thread.label, thread]));
    for (const { label, support, firstMs, lastMs } of once.values()) {
      const known = byLabel.get(label);
      if (known) {
        known.support += support;
        known.children += 1;
        known.firstMs = Math.min(known.firstMs, firstMs);
        known.lastMs = Math.max(known.lastMs, lastMs);
      } else byLabel.set(label, { label, support, firstMs, lastMs, coverage: 0, children: 1 });
    }
  }
  const rule = THREAD_RULES[level][kind];
  const dropCommon = kind === 'objects' && level !== '3min';
  return [...byLabel.values()]
    .filter(({ label }) => !(dropCommon && COMMON_OBJECTS.has(label)))
    .sort((a, b) => b.support - a.support || a.firstMs - b.firstMs || (a.label < b.label ? -1 : 1))
    .slice(0, THREADS_MOST)
    .map(({ children: held, ...thread }) => ({ ...thread, coverage: held / children.length }))
    .filter(({ support, coverage }) => support >= rule.minSupport || coverage >= rule.minCoverage)
    .slice(0, rule.most);
}
