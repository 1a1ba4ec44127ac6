/** How well a ranking holds the evidence of one question. Pure; all of them lie in [0, 1]. */

/** A piece of time in one video; `video` null stands for whichever video. Epoch ms. */
export interface VideoSpan {
  video: string | null;
  startMs: number;
  endMs: number;
}

/**
 * any@k: 1 when one of the first k episodes is evidence. With one evidence record this is EM²Mem's strict event recall (paper,
 * section on event recall: one of the top-k anchors is the annotated 30-s record).
 */
export function anyAt(ranked: readonly string[], evidence: readonly string[], k: number): number {
  return ranked.slice(0, k).some((id) => evidence.includes(id)) ? 1 : 0;
}

/** all@k: 1 when every evidence episode is among the first k. */
export function allAt(ranked: readonly string[], evidence: readonly string[], k: number): number {
  const first = new Set(ranked.slice(0, k));
  return evidence.length > 0 && evidence.every((id) => first.has(id)) ? 1 : 0;
}

const sameVideo = (a: VideoSpan, b: VideoSpan): boolean =>
  a.video === null || b.video === null || a.video === b.video;

/** Any-overlap recall (MemLife): 1 when any of the returned spans shares time with a target in the same video. */
export function overlapRecall(returned: readonly VideoSpan[], targets: readonly VideoSpan[]): number {
  const hit = (a: VideoSpan, b: VideoSpan): boolean =>
    sameVideo(a, b) && a.startMs < b.endMs && a.endMs > b.startMs;
  return returned.some((span) => targets.some((target) => hit(span, target))) ? 1 : 0;
}

/** Spans of each video merged where they touch, in time order. */
export function merged(spans: readonly VideoSpan[]): VideoSpan[] {
  const result: VideoSpan[] = [];
  const ordered = [...spans]
    .filter(({ startMs, endMs }) => endMs > startMs)
    .sort((a, b) => (a.video ?? '').localeCompare(b.video ?? '') || a.startMs - b.startMs);
  for (const span of ordered) {
    const last = result.at(-1);
    if (last && last.video === span.video && span.startMs <= last.endMs)
      last.endMs = Math.max(last.endMs, span.endMs);
    else result.push({ ...span });
  }
  return result;
}

/** Total length of overlaps of `spans` with one target, ms; what two spans share counts once. */
function coveredOf(target: VideoSpan, spans: readonly VideoSpan[]): number {
  const inside = spans
    .filter((span) => sameVideo(span, target))
    .map((span) => ({
      video: null,
      startMs: Math.max(span.startMs, target.startMs),
      endMs: Math.min(span.endMs, target.endMs),
    }));
  return merged(inside).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** |retrieved ∩ target| / |target| in time, over the union of the targets. 0 when there is no target. */
export function coverage(retrieved: readonly VideoSpan[], targets: readonly VideoSpan[]): number {
  const wanted = merged(targets);
  const length = wanted.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  if (length === 0) return 0;
  return wanted.reduce((sum, target) => sum + coveredOf(target, retrieved), 0) / length;
}

/** Items in rank order until `budgetMs` of video is used; the item that crosses the budget keeps its beginning. */
export function withinBudget(ranked: readonly VideoSpan[], budgetMs: number): VideoSpan[] {
  const taken: VideoSpan[] = [];
  let left = budgetMs;
  for (const span of ranked) {
    if (left <= 0) break;
    const length = Math.min(left, span.endMs - span.startMs);
    taken.push({ ...span, endMs: span.startMs + length });
    left -= length;
  }
  return taken;
}

/** C@B (EM²Mem): share of the target's time that the ranking covers within a budget of B seconds of video. */
export function coverageAt(
  ranked: readonly VideoSpan[],
  targets: readonly VideoSpan[],
  budgetS: number,
): number {
  return coverage(withinBudget(ranked, budgetS * 1000), targets);
}

/** R@k: share of the target's time that the first k items cover, however long they are. */
export function recallAt(ranked: readonly VideoSpan[], targets: readonly VideoSpan[], k: number): number {
  return coverage(ranked.slice(0, k), targets);
}

/** Accuracy of one question: 1 when exactly the right options were chosen. */
export function exactSet(chosen: readonly number[], correct: readonly number[]): number {
  const unique = new Set(chosen);
  return unique.size === new Set(correct).size && correct.every((n) => unique.has(n)) ? 1 : 0;
}
