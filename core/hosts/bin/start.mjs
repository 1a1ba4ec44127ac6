import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWhenStale } from './build-when-stale.mjs';
import { findDesktop, runDesktop } from './desktop.mjs';

/**
 * `npm start`: the desktop app where it can be opened, else the same interface in a browser. Arguments go on to
 * whichever it is (`npm start -- --library DIR`).
 */
const root = resolve(fileURLToPath(new URL('../../..', import.meta.url)));
const args = process.argv.slice(2);
const OLDEST_NODE = 20;

/** Builds the interface if need be; ends the program when that fails, since nothing could be shown. */
function buildInterface() {
  const failure = buildWhenStale({
    label: 'Building the interface',
    product: join(root, 'dist', 'renderer', 'index.html'),
    sources: [join(root, 'renderer'), join(root, 'core', 'contract')],
    args: [
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      ...['build', '--config', 'renderer/vite.config.ts', '--logLevel', 'warn'],
    ],
    cwd: root,
  });
  if (failure === null) return;
  process.stderr.write(`The interface could not be built:\n${failure}\n`);
  process.exit(1);
}

function buildShell() {
  const failure = buildWhenStale({
    label: 'Building the desktop app',
    product: join(root, 'dist', 'electron', 'main.cjs'),
    sources: ['electron', 'core', 'models'].map((folder) => join(root, folder)),
    args: [join(root, 'electron', 'build.mjs')],
    cwd: root,
  });
  return failure === null ? null : `it could not be built (${failure.split('\n').at(-1)})`;
}

/** Opens the window; the reason when there is none to open. */
async function openWindow() {
  const desktop = await findDesktop(root);
  if ('reason' in desktop) return desktop.reason;
  const unbuilt = buildShell();
  if (unbuilt) return unbuilt;
  const result = await runDesktop(desktop.program, root, args);
  if ('reason' in result) return result.reason;
  process.exit(result.code);
}

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(`Footnote needs Node ${OLDEST_NODE} or newer; this is ${process.version}.\n`);
  process.exit(1);
}
buildInterface();
const reason = await openWindow();
process.stdout.write(`Opening in a browser instead of a window of its own: ${reason}.\n`);
// In this very process, so that signals, input and the exit code are the server's own.
process.argv = [process.argv[0], fileURLToPath(new URL('footnote.mjs', import.meta.url)), 'serve', ...args];
await import('./footnote.mjs');
