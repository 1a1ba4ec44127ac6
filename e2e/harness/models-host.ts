import { join } from 'node:path';
import { createEngine } from '../../core/engine/engine.ts';
import { spawnNodeProcess } from '../../core/engine/processes.ts';
import { serve } from '../../core/hosts/serve.ts';
import { CATALOGUE } from '../../models/catalogue/index.ts';
import { openStore } from '../../models/store/index.ts';
import { tinyEntry } from './served-model.ts';

/**
 * The real host with one more model in its catalogue: small, and to be had from the hub that HF_ENDPOINT names. Arguments are the library
 * and the port.
 */
const [library, port] = process.argv.slice(2) as [string, string];
const tiny = tinyEntry();
const catalogue = [...CATALOGUE.filter(({ id }) => id !== tiny.id), tiny];
const models = openStore({ dir: join(library, 'models'), catalogue });
const engine = await createEngine({ library, spawn: spawnNodeProcess, models });
const serving = await serve(engine, { port: Number(port) });
process.once('SIGTERM', async () => {
  await serving.close();
  await engine.close();
  process.exit(0);
});
process.stdout.write(`${JSON.stringify({ url: serving.newUrl() })}\n`);
