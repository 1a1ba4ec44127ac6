#!/usr/bin/env node
import { register } from 'tsx/esm/api';

// The store's own log would name folders on the person's screen.
process.env.LANCEDB_LOG ??= 'error';
register();
const { main } = await import('../../evaluation/bench/main.ts');
process.exitCode = await main(process.argv.slice(2));
process.exit();
