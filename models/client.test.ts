import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelClient, type ModelClient } from './client.ts';
import { STATIC_EMBEDDER } from './embedding/static-identity.ts';
import type { ProcessPort, SpawnProcess } from './port.ts';

const ENTRY = fileURLToPath(new URL('./process.ts', import.meta.url));

/** Children a test started; `started.length` counts them. */
const started: ReturnType<typeof fork>[] = [];
let client: ModelClient | null = null;

const spawn: SpawnProcess = () => {
  const child = fork(ENTRY, [], {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
    stdio: 'inherit',
  });
  started.push(child);
  return {
    post: (message) => child.connected && child.send(message as object, () => undefined),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.once('exit', listener),
    kill: () => child.kill(),
  };
};

/** A process that is gone before it can answer. */
const spawnDying: SpawnProcess = () => {
  const port = spawn('models');
  port.kill();
  return port;
};

function ended(child: ReturnType<typeof fork>): Promise<void> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));
}

afterEach(async () => {
  client?.close();
  for (const child of started.splice(0)) await ended(child);
});

describe('the model client', () => {
  it('knows the embedder without starting a process, and starts one at the first text', async () => {
    client = createModelClient(spawn);
    const embedder = client.textEmbedder();
    expect(embedder).toMatchObject(STATIC_EMBEDDER);
    expect(await embedder.embed([], 'passage')).toEqual([]);
    expect(started).toHaveLength(0);
    const [vector] = await embedder.embed(['I make coffee.'], 'query');
    expect(vector).toBeInstanceOf(Float32Array);
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
    expect(started).toHaveLength(1);
  });

  it('keeps many texts and overlapping calls in order', async () => {
    client = createModelClient(spawn);
    const embedder = client.textEmbedder();
    const texts = Array.from({ length: 150 }, (_, n) => `Moment number ${n}`);
    const [all, one] = await Promise.all([
      embedder.embed(texts, 'passage'),
      embedder.embed(['Moment number 70'], 'query'),
    ]);
    expect(all).toHaveLength(150);
    expect([...all[70]!].map((x) => x.toFixed(5))).toEqual([...one[0]!].map((x) => x.toFixed(5)));
  });

  it('repeats what was in flight when the process dies, once, in a fresh one', async () => {
    let first = true;
    client = createModelClient((entry) => {
      const start = first ? spawnDying : spawn;
      first = false;
      return start(entry);
    });
    expect(await client.textEmbedder().embed(['coffee'], 'query')).toHaveLength(1);
    expect(started).toHaveLength(2);
  });

  it('gives up with a coded error when the process dies twice, and starts anew for the next request', async () => {
    let deaths = 2;
    client = createModelClient((entry) => (deaths-- > 0 ? spawnDying : spawn)(entry));
    const embedder = client.textEmbedder();
    await expect(embedder.embed(['coffee'], 'query')).rejects.toMatchObject({ code: 'process-died' });
    expect(await embedder.embed(['coffee'], 'query')).toHaveLength(1);
  });

  it('rejects an aborted request at once and answers the next', async () => {
    client = createModelClient(spawn);
    const embedder = client.textEmbedder();
    const abort = new AbortController();
    const work = embedder.embed(['coffee'], 'query', abort.signal);
    abort.abort();
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
    await expect(embedder.embed(['tea'], 'query', abort.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await embedder.embed(['tea'], 'query')).toHaveLength(1);
  });

  it('ends an idle process and starts it again when needed', async () => {
    client = createModelClient(spawn, { idleMs: 50 });
    const embedder = client.textEmbedder();
    await embedder.embed(['coffee'], 'query');
    await ended(started[0]!);
    expect(await embedder.embed(['coffee'], 'query')).toHaveLength(1);
    expect(started).toHaveLength(2);
  });

  it('fails open and later requests once it is closed', async () => {
    client = createModelClient(spawn);
    const open = client.textEmbedder().embed(['coffee'], 'query');
    client.close();
    await expect(open).rejects.toMatchObject({ code: 'closed' });
    await expect(client.textEmbedder().embed(['coffee'], 'query')).rejects.toMatchObject({ code: 'closed' });
    await ended(started[0]!);
  });

  it('passes a failure inside the process on with its code', async () => {
    const broken: ProcessPort[] = [];
    client = createModelClient((entry) => {
      const port = spawn(entry);
      broken.push(port);
      // A text that is no text reaches the tokenizer, which throws there.
      return {
        ...port,
        post: (message) => {
          const { input } = message as { input: object };
          port.post({ ...(message as object), input: { ...input, texts: [5] } });
        },
      };
    });
    await expect(client.textEmbedder().embed(['coffee'], 'query')).rejects.toMatchObject({
      code: 'run-failed',
    });
    expect(broken).toHaveLength(1);
  });
});
