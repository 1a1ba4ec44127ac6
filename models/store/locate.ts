import { type ModelEntry, type ModelTask, sizeOf, TASKS } from '../catalogue/index.ts';
import type { ModelState } from './manifest.ts';

/** A model that is here whole. */
export interface LocatedModel {
  readonly id: string;
  readonly title: string;
  readonly entry: ModelEntry;
  /** Folder its files are in, laid out as in the catalogue. */
  readonly folder: string;
  readonly builtIn: boolean;
}

/** A model that could be fetched, and what for. */
export interface ModelOffer {
  readonly id: string;
  readonly title: string;
  readonly bytes: number;
  readonly exact: boolean;
  /** Bytes an earlier try left. */
  readonly hereBytes: number;
  /** What the person would get by it. */
  readonly adds: string;
}

/** How a task can be done on this machine, now and without any network. */
export interface Location {
  readonly task: ModelTask;
  /** The model to use; null when there is none. */
  readonly model: LocatedModel | null;
  /** Id of the model the person chose; null when it is left to the catalogue. */
  readonly chosen: string | null;
  /** Why a model that should be used is not; null when nothing is wrong. */
  readonly problem: string | null;
  /** Id of the model that would do it, were it not damaged; null when none is. */
  readonly damaged: string | null;
  /** The model that would do the task, or do it better; null when it is here. */
  readonly offer: ModelOffer | null;
  /** What works meanwhile. */
  readonly without: string;
}

/** One model and how it stands. */
export interface Standing {
  readonly entry: ModelEntry;
  readonly state: ModelState;
}

export function located(entry: ModelEntry, folder: string, builtIn: boolean): LocatedModel {
  return { id: entry.id, title: entry.title, entry, folder, builtIn };
}

/** The model, when it is here whole. */
export function usable({ entry, state }: Standing): LocatedModel | null {
  if (state.state !== 'installed' && state.state !== 'built-in') return null;
  return located(entry, state.folder, state.state === 'built-in');
}

function problemOf({ entry, state }: Standing, chosen: boolean): string | null {
  if (state.state === 'damaged') return `${entry.title} is damaged: ${state.problem}. Fetch it again.`;
  if (state.state === 'outdated') return `${entry.title} is of an older catalogue. Fetch it again.`;
  if (chosen && (state.state === 'absent' || state.state === 'partial')) {
    return `${entry.title} was chosen and is not here.`;
  }
  return null;
}

function offerOf({ entry, state }: Standing): ModelOffer {
  return {
    id: entry.id,
    title: entry.title,
    ...sizeOf(entry),
    hereBytes: state.state === 'partial' ? state.bytes : 0,
    adds: entry.adds,
  };
}

/**
 * Decides which model does a task: the one chosen when it is here, else the one of the lowest rank that is.
 * @param standings of the task's models
 */
export function decide(task: ModelTask, standings: readonly Standing[], chosen: string | null): Location {
  const wanted = standings.find(({ entry }) => entry.id === chosen) ?? null;
  const ranked = standings
    .filter(({ entry }) => entry.rank !== null)
    .sort((a, b) => a.entry.rank! - b.entry.rank!);
  let model = wanted ? usable(wanted) : null;
  for (const standing of ranked) model ??= usable(standing);
  const order = [...(wanted ? [wanted] : []), ...ranked];
  const broken = order.map((one) => problemOf(one, one === wanted));
  const before = model
    ? order.slice(
        0,
        order.findIndex(({ entry }) => entry.id === model.id),
      )
    : order;
  const recommended = standings.find(({ entry }) => entry.id === TASKS[task].recommended) ?? null;
  const missing = wanted && !usable(wanted) ? wanted : recommended;
  // Nothing is offered to somebody who has, or chose, something better than what stands in.
  const settled = model !== null && (model.id === chosen || !standsIn(model, standings));
  return {
    task,
    model,
    chosen,
    problem: broken.find((problem) => problem !== null) ?? null,
    damaged: before.find(({ state }) => state.state === 'damaged')?.entry.id ?? null,
    offer: missing && !settled && model?.id !== missing.entry.id ? offerOf(missing) : null,
    without: model ? `${model.title} does it meanwhile. ${model.entry.adds}` : TASKS[task].without,
  };
}

/** Whether a model only stands in for others of its task. */
function standsIn(model: LocatedModel, standings: readonly Standing[]): boolean {
  return standings.some(({ entry }) => entry.standIn === model.id);
}
