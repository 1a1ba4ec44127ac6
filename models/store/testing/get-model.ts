import { openStore } from '../index.ts';
import { testModel } from './test-model.ts';

/** A process of its own that fetches the test model: arguments are the store's folder and the hub's address. */
const [dir, hub] = process.argv.slice(2) as [string, string];
const { entry } = testModel();
const store = openStore({ dir, hub, folders: [], catalogue: [entry] });
process.send?.('started');
await store.get(entry.id, {
  onProgress: ({ phase }) => process.send?.(phase),
});
process.send?.('got');
process.disconnect?.();
