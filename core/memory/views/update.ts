import type { Episode } from '../../contract/index.ts';
import { byTime } from '../rows.ts';
import { below, DAY_MAX_MS, LEVELS, type Level, WINDOW_MS } from './levels.ts';
import type { Summarise } from './summary.ts';
import { type Child, type ContextView, childOfEpisode, summarisedView, viewId, viewOf } from './view.ts';
import { windowStart } from './windows.ts';

/** Where episodes and views are read from while views are brought up to date. */
export interface ViewSource {
  /** Episodes of a wearer that start in [fromMs, toMs). */
  episodes(wearer: string, fromMs: number, toMs: number): Promise<Episode[]>;
  /** Views of a wearer and level that start in [fromMs, toMs). */
  views(wearer: string, level: Level, fromMs: number, toMs: number): Promise<ContextView[]>;
}

/** A window of the finest level in which an episode came, went or changed. */
export interface TouchedWindow {
  wearer: string;
  windowMs: number;
}

export interface ViewChanges {
  put: ContextView[];
  /** Ids of views that are no more. */
  remove: string[];
}

const lengthOf = (level: Level): number => (level === 'day' ? DAY_MAX_MS : WINDOW_MS[level]);

/** A source seen through what has been rebuilt so far. */
class Overlay {
  readonly #source: ViewSource;
  readonly put = new Map<string, ContextView>();
  readonly removed = new Set<string>();

  constructor(source: ViewSource) {
    this.#source = source;
  }

  async views(wearer: string, level: Level, fromMs: number, toMs: number): Promise<ContextView[]> {
    const stored = await this.#source.views(wearer, level, fromMs, toMs);
    const own = [...this.put.values()].filter(
      (view) =>
        view.wearer === wearer && view.level === level && view.startMs >= fromMs && view.startMs < toMs,
    );
    return [...stored.filter(({ id }) => !this.put.has(id) && !this.removed.has(id)), ...own];
  }

  /** What a window holds now: episodes, or views of the level below, in time order. */
  async children(level: Level, wearer: string, windowMs: number): Promise<Child[]> {
    const from = below(level);
    const toMs = windowMs + lengthOf(level);
    const inside = (of: { startMs: number; zone: string }) =>
      windowStart(level, of.startMs, of.zone) === windowMs;
    if (from === null) {
      const episodes = await this.#source.episodes(wearer, windowMs, toMs);
      return episodes.filter(inside).sort(byTime).map(childOfEpisode);
    }
    return (await this.views(wearer, from, windowMs, toMs)).filter(inside).sort(byTime);
  }
}

/**
 * Rebuilds the views of touched windows and of every window above them, and nothing else. Footage may arrive late, out of order, move
 * or be forgotten: the result is the one that building everything anew would give.
 * @param source as it is after the change
 * @param summarise a model's summaries; null for the extractive rule
 */
export async function updateViews(
  source: ViewSource,
  touched: readonly TouchedWindow[],
  summarise: Summarise | null = null,
): Promise<ViewChanges> {
  const overlay = new Overlay(source);
  let windows = new Map(touched.map((one) => [`${one.wearer} ${one.windowMs}`, one]));
  for (const level of LEVELS) {
    const above = LEVELS[LEVELS.indexOf(level) + 1];
    const next = new Map<string, TouchedWindow>();
    const touch = (view: ContextView) => {
      if (!above) return;
      const windowMs = windowStart(above, view.startMs, view.zone);
      next.set(`${view.wearer} ${windowMs}`, { wearer: view.wearer, windowMs });
    };
    for (const { wearer, windowMs } of windows.values()) {
      const id = viewId(level, wearer, windowMs);
      const near = await overlay.views(wearer, level, windowMs, windowMs + lengthOf(level));
      const old = near.find((view) => view.id === id);
      const children = await overlay.children(level, wearer, windowMs);
      if (old) touch(old);
      if (children.length === 0) {
        if (old) overlay.removed.add(id);
        continue;
      }
      const view = await summarisedView(level, wearer, children, summarise);
      overlay.put.set(id, view);
      touch(view);
    }
    windows = next;
  }
  return { put: [...overlay.put.values()], remove: [...overlay.removed] };
}

/** An episode may reach this far beyond the window it starts in. */
const REACH_MS = 60 * 60_000;

/**
 * Views of the windows in progress at an instant, from the children that had ended by then: a stored view may be read only once its
 * last child has ended, and what is still filling must not be missing either. Together with the stored views that had ended (of one
 * id, the one given here) these are the views of the episodes that had ended.
 */
export async function viewsInProgress(
  source: ViewSource,
  wearer: string,
  nowMs: number,
): Promise<ContextView[]> {
  const overlay = new Overlay(source);
  const all: ContextView[] = [];
  let finer: ContextView[] = [];
  for (const level of LEVELS) {
    const near = await source.views(wearer, level, nowMs - lengthOf(level) - REACH_MS, nowMs);
    const windows = new Set([
      ...near.filter(({ endMs }) => endMs > nowMs).map(({ windowMs }) => windowMs),
      ...finer.map((view) => windowStart(level, view.startMs, view.zone)),
    ]);
    const partial: ContextView[] = [];
    for (const windowMs of windows) {
      const filling = finer.filter((view) => windowStart(level, view.startMs, view.zone) === windowMs);
      const ended = (await overlay.children(level, wearer, windowMs)).filter(
        ({ id, endMs }) => endMs <= nowMs && !filling.some((view) => view.id === id),
      );
      const children = [...ended, ...filling].sort(byTime);
      if (children.length > 0) partial.push(viewOf(level, wearer, children));
    }
    all.push(...partial);
    finer = partial;
  }
  return all;
}
