import { type Episode, wearerOf } from '../../contract/index.ts';
import { byTime } from '../rows.ts';
import { type TouchedWindow, updateViews, type ViewSource } from './update.ts';
import type { ContextView } from './view.ts';
import { windowOfEpisode } from './view.ts';

/** Windows that these episodes fall into, each once. */
export function windowsOf(episodes: readonly Episode[]): TouchedWindow[] {
  const windows = new Map<string, TouchedWindow>();
  for (const episode of episodes) {
    const window = windowOfEpisode(episode);
    windows.set(`${window.wearer} ${window.windowMs}`, window);
  }
  return [...windows.values()];
}

/** Episodes and their views in memory. */
export class ViewMemory implements ViewSource {
  readonly #episodes = new Map<string, Episode>();
  readonly #views = new Map<string, ContextView>();
  #sorted: Map<string, Episode[]> | null = null;
  #sortedViews: Map<string, ContextView[]> | null = null;

  /** All views, by level and time. */
  all(): ContextView[] {
    return [...this.#views.values()].sort((a, b) => byTime(a, b));
  }

  get(id: string): ContextView | undefined {
    return this.#views.get(id);
  }

  async episodes(wearer: string, fromMs: number, toMs: number): Promise<Episode[]> {
    if (!this.#sorted) {
      this.#sorted = grouped([...this.#episodes.values()].sort(byTime), wearerOf);
    }
    return between(this.#sorted.get(wearer) ?? [], fromMs, toMs);
  }

  async views(wearer: string, level: string, fromMs: number, toMs: number): Promise<ContextView[]> {
    if (!this.#sortedViews) {
      this.#sortedViews = grouped(this.all(), (view) => `${view.level} ${view.wearer}`);
    }
    return between(this.#sortedViews.get(`${level} ${wearer}`) ?? [], fromMs, toMs);
  }

  /** Puts episodes (an id that is known is replaced) and takes others away, then brings the views up to date. */
  async change(put: readonly Episode[], remove: readonly string[] = []): Promise<void> {
    const gone = [...remove, ...put.map(({ id }) => id)].flatMap((id) => this.#episodes.get(id) ?? []);
    for (const { id } of gone) this.#episodes.delete(id);
    for (const episode of put) this.#episodes.set(episode.id, episode);
    this.#sorted = null;
    const changes = await updateViews(this, windowsOf([...gone, ...put]));
    for (const id of changes.remove) this.#views.delete(id);
    for (const view of changes.put) this.#views.set(view.id, view);
    this.#sortedViews = null;
  }
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/** Those that start in [fromMs, toMs), of a list in time order. */
function between<T extends { startMs: number }>(sorted: readonly T[], fromMs: number, toMs: number): T[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.startMs < fromMs) low = middle + 1;
    else high = middle;
  }
  const found: T[] = [];
  for (let at = low; at < sorted.length && sorted[at]!.startMs < toMs; at++) found.push(sorted[at]!);
  return found;
}
