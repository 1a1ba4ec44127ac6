import { RPCHandler } from '@orpc/server/message-port';
import { type ErrorCode, toFootnoteError } from '../core/contract/errors.ts';
import { createEngine, type Engine } from '../core/engine/engine.ts';
import { packageClient } from '../core/hosts/package-client.ts';
import { defaultLibraryDir } from '../core/library/default-dir.ts';
import { CONNECT, type FromEngine, type ToEngine } from './messages.ts';
import { relaySpawn } from './relayed-spawn.ts';
import { readShellArgs } from './shell-args.ts';

/** Entry of the engine's process in the desktop app. */

/** Failures that another start would only repeat. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'LIBRARY_BUSY',
  'LIBRARY_TOO_NEW',
  'LIBRARY_UNREADABLE',
  'DISK_FULL',
]);

// Whatever is written, only this person may read.
process.umask(0o077);
const { parentPort } = process;
const send = (message: FromEngine) => parentPort.postMessage(message);
const children = relaySpawn(send);

async function answerMedia(engine: Engine, request: number, mediaId: string): Promise<void> {
  // An id that cannot be looked up has no file; the window shows that, and the engine goes on.
  const file = await engine.mediaFile(mediaId).catch(() => null);
  send({ type: 'media', request, file });
}

async function run(): Promise<void> {
  const library = readShellArgs(process.argv).library ?? defaultLibraryDir();
  // Answers of children may come while the engine is still being put together.
  parentPort.on('message', ({ data }) => children.receive(data as ToEngine));
  const engine = await createEngine({ library, spawn: children.spawn, packages: packageClient });
  const rpc = new RPCHandler(engine.router);
  parentPort.on('message', ({ data, ports }) => {
    const message = data as ToEngine;
    if (message.type === CONNECT && ports[0]) {
      rpc.upgrade(ports[0]);
      ports[0].start();
    } else if (message.type === 'media') void answerMedia(engine, message.request, message.mediaId);
    else if (message.type === 'quit') void engine.close().finally(() => process.exit(0));
  });
  send({ type: 'ready' });
}

run().catch((error: unknown) => {
  const { code, message } = toFootnoteError(error);
  if (FINAL.has(code)) send({ type: 'refused', code, message });
  else process.exit(1);
});
