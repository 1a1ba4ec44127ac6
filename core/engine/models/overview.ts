import { totalmem } from 'node:os';
import { MODEL_TASKS, sizeOf } from '../../../models/catalogue/index.ts';
import type { Listed, Location, ModelStore, Plan } from '../../../models/store/index.ts';
import type { Model, ModelOrigin, ModelsOverview, ModelTaskView } from '../../contract/models.ts';
import { isSupported } from './supported.ts';

const MB = 1e6;

/** Damage that reading a model through has found, by its id. */
export type KnownDamage = ReadonlyMap<string, string>;

/** Every task, what does it and what could. Looks on this computer only. */
export async function overviewOf(
  store: ModelStore,
  damage: KnownDamage,
): Promise<Omit<ModelsOverview, 'jobs'>> {
  const [listed, locations] = await Promise.all([
    store.list(),
    Promise.all(MODEL_TASKS.map((task) => store.locate(task))),
  ]);
  const plans = new Map(
    await Promise.all(listed.map(async ({ entry }) => [entry.id, await store.plan(entry.id)] as const)),
  );
  const tasks = locations.map((location) => {
    const models = listed.filter(({ entry }) => entry.task === location.task);
    return taskView(location, models, plans, damage);
  });
  const [anyPlan] = plans.values();
  return {
    dir: store.dir,
    computerMemoryMb: Math.round(totalmem() / MB),
    freeBytes: anyPlan?.freeBytes ?? 0,
    tasks,
  };
}

function taskView(
  location: Location,
  models: readonly Listed[],
  plans: ReadonlyMap<string, Plan>,
  damage: KnownDamage,
): ModelTaskView {
  const uses = usedIn(location, models);
  const offer = location.offer && location.offer.id !== uses ? location.offer.id : null;
  return {
    task: location.task,
    uses,
    chosen: location.chosen,
    problem: location.problem,
    without: location.without,
    offer,
    takenUp: models.some(({ entry }) => isSupported(entry) && entry.bundled === null),
    models: models.map((one) => modelView(one, one.entry.id === uses, plans.get(one.entry.id)!, damage)),
  };
}

/** What the engine really works with in a task. */
function usedIn({ model }: Location, models: readonly Listed[]): string | null {
  if (model && isSupported(model.entry)) return model.id;
  return models.find(({ state }) => state.state === 'built-in')?.entry.id ?? null;
}

function modelView(
  { entry, state, bytesHere }: Listed,
  used: boolean,
  plan: Plan,
  damage: KnownDamage,
): Model {
  const { id, task, title, licence, memoryMb, languages, adds } = entry;
  const found = state.state === 'installed' ? (damage.get(id) ?? null) : null;
  return {
    id,
    task,
    title,
    state: found === null ? state.state : 'damaged',
    problem: found ?? ('problem' in state ? state.problem : null),
    used,
    supported: isSupported(entry),
    ...sizeOf(entry),
    bytesHere,
    licence,
    memoryMb,
    languages: [...languages],
    adds,
    origin: originOf(plan),
  };
}

function originOf({ nowhere, hosts }: Plan): ModelOrigin {
  if (nowhere.length > 0) return 'unknown-folder';
  return hosts.length > 0 ? 'network' : 'folder';
}
