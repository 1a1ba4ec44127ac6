import { ModelStore, type StoreOptions } from './store.ts';

export type { LocatedModel, Location, ModelOffer } from './locate.ts';
export type { ModelState } from './manifest.ts';
export type { Plan } from './plan.ts';
export type { OnProgress, Progress } from './progress.ts';
export type { PackageClient } from './sources.ts';
export type { GetOptions, Listed, ModelStore, StoreOptions } from './store.ts';
export type { FileReport } from './verify.ts';

/** Opens the store of a folder. Touches neither the folder nor a network. */
export function openStore(options: StoreOptions): ModelStore {
  return new ModelStore(options);
}
