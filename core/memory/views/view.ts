import { type Episode, wearerOf } from '../../contract/index.ts';
import { analyse } from '../graph/analysis.ts';
import { CRITICAL_MOST } from './critical-speech.ts';
import { type Level, SCENE_RULES, SPEAKER_RULES } from './levels.ts';
import { extractiveSummary, type Summarise, type SummaryInput, visualTemplate } from './summary.ts';
import { type Thread, type ThreadSource, threadsOf } from './threads.ts';
import { windowStart } from './windows.ts';

/** Summary of a stretch of one wearer's time: EM²Mem's context view h = (text, visual, metadata, span, level). */
export interface ContextView {
  /** Says level, wearer and window: a view rebuilt is the same view. */
  id: string;
  level: Level;
  wearer: string;
  /** Start of its window by the wall clock, epoch ms. */
  windowMs: number;
  /** Start of its first child, and the last end of any: until then the view must not be read. */
  startMs: number;
  endMs: number;
  /** Of its first child. */
  zone: string;
  text: string;
  visual: string | null;
  actions: Thread[];
  objects: Thread[];
  topics: Thread[];
  critical: string[];
  /** Shares add up to 1, largest first. */
  scenes: { label: string; share: number }[];
  speakers: { name: string; lines: number }[];
  childIds: string[];
  /** All episodes beneath, in time order: the provenance. */
  episodeIds: string[];
}

/** What a view is made of: an episode, or a view of the level below. */
export interface Child {
  id: string;
  startMs: number;
  endMs: number;
  zone: string;
  text: string;
  actions: ThreadSource['threads'];
  objects: ThreadSource['threads'];
  topics: ThreadSource['threads'];
  critical: readonly string[];
  scenes: readonly { label: string; share: number }[];
  speakers: readonly { name: string; lines: number }[];
  episodeIds: readonly string[];
}

/** An episode as a child: every label once. */
export function childOfEpisode(episode: Episode): Child {
  const { id, startMs, endMs, zone } = episode;
  const { actions, objects, topics, scenes, speakers, critical } = analyse(episode);
  const threads = (labels: readonly string[]) =>
    labels.map((label) => ({ label, support: 1, firstMs: startMs, lastMs: endMs }));
  return {
    id,
    startMs,
    endMs,
    zone,
    text: episode.record.caption || episode.text,
    actions: threads(actions),
    objects: threads(objects),
    topics: threads(topics),
    critical,
    scenes: scenes.map((label) => ({ label, share: 1 / scenes.length })),
    speakers: [...speakers].map(([name, lines]) => ({ name, lines })),
    episodeIds: [id],
  };
}

/** Id of the view of a window. */
export function viewId(level: Level, wearer: string, windowMs: number): string {
  return `v${level}-${wearer}-${windowMs}`;
}

/** Shares to three places (released code). */
const round = (share: number): number => Math.round(share * 1000) / 1000;

function scenesOf(level: Level, children: readonly Child[]): ContextView['scenes'] {
  const telling = children.filter(({ scenes }) => scenes.length > 0);
  const shares = new Map<string, number>();
  for (const { scenes } of telling) {
    for (const { label, share } of scenes)
      shares.set(label, (shares.get(label) ?? 0) + share / telling.length);
  }
  const { least, most } = SCENE_RULES[level];
  const kept = [...shares]
    .filter(([, share]) => share >= least)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most);
  const whole = kept.reduce((sum, [, share]) => sum + share, 0);
  return kept.map(([label, share]) => ({ label, share: round(share / whole) }));
}

function speakersOf(level: Level, children: readonly Child[]): ContextView['speakers'] {
  const lines = new Map<string, number>();
  for (const { speakers } of children) {
    for (const speaker of speakers) lines.set(speaker.name, (lines.get(speaker.name) ?? 0) + speaker.lines);
  }
  const { least, most } = SPEAKER_RULES[level];
  return [...lines]
    .filter(([, count]) => count >= least)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
    .map(([name, count]) => ({ name, lines: count }));
}

/** Critical lines of all children in turn, so that none is silenced by a talkative one. */
function criticalOf(level: Level, children: readonly Child[]): string[] {
  const most = level === '3min' ? CRITICAL_MOST['3min'] : CRITICAL_MOST.coarser;
  const kept: { line: string; child: number }[] = [];
  const known = new Set<string>();
  for (let n = 0; kept.length < most && children.some(({ critical }) => critical.length > n); n++) {
    for (const [child, { critical }] of children.entries()) {
      const line = critical[n];
      if (line === undefined || known.has(line) || kept.length >= most) continue;
      known.add(line);
      kept.push({ line, child });
    }
  }
  return kept.sort((a, b) => a.child - b.child).map(({ line }) => line);
}

interface Draft {
  view: ContextView;
  input: SummaryInput;
}

function draft(level: Level, wearer: string, children: readonly Child[]): Draft {
  const first = children[0]!;
  const windowMs = windowStart(level, first.startMs, first.zone);
  const threads = (kind: 'actions' | 'objects' | 'topics') =>
    threadsOf(
      kind,
      level,
      children.map((child) => ({ startMs: child.startMs, endMs: child.endMs, threads: child[kind] })),
    );
  const [actions, objects, topics] = [threads('actions'), threads('objects'), threads('topics')];
  const scenes = scenesOf(level, children);
  const scene = scenes[0]?.label ?? null;
  const critical = criticalOf(level, children);
  const labels = [...actions, ...objects, ...topics].map(({ label }) => label);
  const input: SummaryInput = { level, texts: children.map(({ text }) => text), critical, labels, scene };
  const view: ContextView = {
    id: viewId(level, wearer, windowMs),
    level,
    wearer,
    windowMs,
    startMs: first.startMs,
    // The released code takes the last child's end; of overlapping cameras an earlier one may end later.
    endMs: Math.max(...children.map(({ endMs }) => endMs)),
    zone: first.zone,
    text: extractiveSummary(input),
    visual: visualTemplate(
      scene,
      objects.map(({ label }) => label),
    ),
    actions,
    objects,
    topics,
    critical,
    scenes,
    speakers: speakersOf(level, children),
    childIds: children.map(({ id }) => id),
    episodeIds: children.flatMap(({ episodeIds }) => episodeIds),
  };
  return { view, input };
}

/**
 * The view of one window, summarised by rule.
 * @param children at least one, in time order, all of one wearer and one window
 */
export function viewOf(level: Level, wearer: string, children: readonly Child[]): ContextView {
  return draft(level, wearer, children).view;
}

/** The same, summarised by a model where it has something to say. */
export async function summarisedView(
  level: Level,
  wearer: string,
  children: readonly Child[],
  summarise: Summarise | null,
): Promise<ContextView> {
  const { view, input } = draft(level, wearer, children);
  const summary = (await summarise?.(input)) ?? null;
  return summary ? { ...view, text: summary.text, visual: summary.visual ?? view.visual } : view;
}

/** The window an episode falls into at the finest level. */
export function windowOfEpisode(episode: Episode): { wearer: string; windowMs: number } {
  return {
    wearer: wearerOf(episode),
    windowMs: windowStart('3min', episode.startMs, episode.zone),
  };
}

/** Labels of one line of the embedded text (released code: six), and critical lines in it (four). */
const LABELS_EMBEDDED = 6;
const CRITICAL_EMBEDDED = 4;

/** The words of a view that are embedded and searched (released code, 1.7): summaries, critical lines, labels, scene. */
export function viewSearchText(view: ContextView): string {
  const labels = (name: string, threads: readonly Thread[]) =>
    threads.length === 0
      ? []
      : [
          `${name}: ${threads
            .slice(0, LABELS_EMBEDDED)
            .map(({ label }) => label)
            .join(', ')}.`,
        ];
  return [
    view.text,
    ...(view.level === '3min' && view.visual ? [view.visual] : []),
    ...view.critical.slice(0, CRITICAL_EMBEDDED).filter((line) => !view.text.includes(line)),
    ...labels('Actions', view.actions),
    ...labels('Objects', view.objects),
    ...labels('Topics', view.topics),
    ...(view.scenes[0] ? [`Scene: ${view.scenes[0].label}.`] : []),
  ].join('\n');
}
