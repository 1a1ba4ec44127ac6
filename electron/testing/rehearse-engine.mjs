import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';

/**
 * Plays Electron's main process to the built engine: a parent port, a message channel, and children started on request.
 * Usage: node rehearse-engine.mjs BUILT_FOLDER LIBRARY [FOOTAGE …]. Prints one JSON object.
 */
const [built, library, ...footage] = process.argv.slice(2);
const children = new Map();
const heard = { refused: null, entries: [] };

class ParentPort extends EventEmitter {
  postMessage(message) {
    // A process boundary would copy it.
    queueMicrotask(() => receive(structuredClone(message)));
  }
}
const parentPort = new ParentPort();
const tell = (data, ports = []) => parentPort.emit('message', { data, ports });

function receive(message) {
  if (message.type === 'start-child') {
    const child = fork(join(built, `${message.entry}.mjs`), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    heard.entries.push(message.entry);
    children.set(message.child, child);
    child.on('message', (said) => tell({ type: 'child-says', child: message.child, message: said }));
    child.once('exit', (code) => tell({ type: 'child-ended', child: message.child, code }));
  } else if (message.type === 'tell-child') children.get(message.child)?.send(message.message);
  else if (message.type === 'end-child') children.get(message.child)?.kill();
  else if (message.type === 'refused') finish({ refused: message.code });
  else if (message.type === 'media') finish.media?.(message.file);
  else if (message.type === 'ready') void rehearse();
}

function finish(result) {
  for (const child of children.values()) child.kill();
  process.stdout.write(`${JSON.stringify({ ...heard, ...result })}\n`, () => process.exit(0));
}

async function rehearse() {
  const { port1, port2 } = new MessageChannel();
  tell({ type: 'connect' }, [port1]);
  port2.start();
  const client = createORPCClient(new RPCLink({ port: port2 }));
  const result = { version: (await client.status()).version };
  if (footage.length > 0) {
    const { id } = await client.imports.start({ paths: footage });
    for await (const job of await client.imports.watch({ id }))
      result.job = { state: job.state, counts: job.counts };
    const [day] = await client.timeline.days();
    const { episodes } = await client.timeline.day({ day: day.day });
    result.episodes = episodes.length;
    const media = new Promise((resolve) => {
      finish.media = resolve;
    });
    tell({ type: 'media', request: 1, mediaId: `clip/${episodes[0].id}` });
    result.clip = await media;
  }
  finish(result);
}

process.parentPort = parentPort;
process.argv = [process.argv[0], join(built, 'engine.mjs'), '--library', library];
await import(join(built, 'engine.mjs'));
