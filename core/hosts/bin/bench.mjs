#!/usr/bin/env node
import { register } from 'tsx/esm/api';

register();
const { main } = await import('../../evaluation/bench/main.ts');
process.exitCode = await main(process.argv.slice(2));
process.exit();
