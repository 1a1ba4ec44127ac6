#!/usr/bin/env node
// The engine is TypeScript and is run as it is: the loader is registered here, then the command line takes over.
import { register } from 'tsx/esm/api';

// The store's own log would name folders on the person's screen.
process.env.LANCEDB_LOG ??= 'error';
register();
const { main } = await import('../cli.ts');
process.exitCode = await main(process.argv.slice(2));
// A closed engine leaves nothing to wait for; native libraries may hold threads open all the same.
process.exit();
