import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createModelClient, type ModelClient } from '../client.ts';
import type { SpawnProcess } from '../port.ts';
import { drawFrames, TINY_WRITER } from './testing/scenes.ts';
import type { DescribeRequest } from './writer-host.ts';

const ENTRY = fileURLToPath(new URL('../process.ts', import.meta.url));
const CUP = { place: 'table', object: 'cup', colour: 'red', count: 1, seed: 3 } as const;

const started: ChildProcess[] = [];
let client: ModelClient | null = null;
let request: DescribeRequest;

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
    kill: () => child.kill('SIGKILL'),
  };
};

/** A process that is killed as soon as it is asked to describe, `deaths` times in all. */
function spawnDying(deaths: number): SpawnProcess {
  let left = deaths;
  return (entry) => {
    const port = spawn(entry);
    const child = started.at(-1)!;
    return {
      ...port,
      post: (message) => {
        port.post(message);
        if ((message as { task?: string }).task === 'describe' && left-- > 0) child.kill('SIGKILL');
      },
    };
  };
}

beforeAll(async () => {
  const frames: Uint8Array[] = [];
  for (const { rgb, width, height } of await drawFrames(CUP, 8)) {
    frames.push(
      await sharp(rgb, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 90 })
        .toBuffer(),
    );
  }
  request = {
    model: { folder: TINY_WRITER, dtype: 'q8', threads: 1 },
    system: null,
    frames,
    text: 'Describe what I see.',
    maxNewTokens: 64,
    deadlineMs: 60_000,
  };
});

afterEach(async () => {
  client?.close();
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      await new Promise((resolve) => child.once('exit', resolve));
    }
  }
});

describe('describing in the model process', () => {
  it('gives the frames of JPEGs to the model and brings its answer back', async () => {
    client = createModelClient(spawn);
    const answer = await client.describe(request);
    expect(answer).toMatchObject({ text: 'I see a red cup on a wooden table.', ended: 'complete' });
    expect(answer.seconds).toBeGreaterThan(0);
  });

  it('goes on with other tasks beside it', async () => {
    client = createModelClient(spawn);
    const [answer, vectors] = await Promise.all([
      client.describe(request),
      client.textEmbedder().embed(['cup'], 'query'),
    ]);
    expect(answer.text).toContain('cup');
    expect(vectors).toHaveLength(1);
  });

  it('describes again in a fresh process when the first dies over it', async () => {
    client = createModelClient(spawnDying(1));
    expect((await client.describe(request)).text).toContain('cup');
    expect(started).toHaveLength(2);
  });

  it('describes again when it dies in the middle of writing', async () => {
    // Long lists: a second or more of writing, and the kill falls into the middle of it.
    const lists = ['one', 'two', 'three'].map((key) => ({ key, most: 40 }));
    const long = { ...request, record: { lists, textTokens: 16, tokens: 300 } };
    client = createModelClient(spawn);
    const whole = await client.describe(long);
    let killed = 0;
    const first = started.at(-1)!;
    const timer = setTimeout(() => {
      killed = performance.now();
      first.kill('SIGKILL');
    }, whole.seconds * 500);
    const again = await client.describe(long);
    clearTimeout(timer);
    expect(killed).toBeGreaterThan(0);
    expect(started).toHaveLength(2);
    expect({ ...again, seconds: 0 }).toEqual({ ...whole, seconds: 0 });
  });

  it('gives up when it dies twice, and when no answer comes in time', async () => {
    client = createModelClient(spawnDying(2));
    await expect(client.describe(request)).rejects.toMatchObject({ code: 'process-died' });
    expect((await client.describe(request)).text).toContain('cup');
    client.close();
    client = createModelClient(spawn, { describeGraceMs: 1 });
    await expect(client.describe({ ...request, deadlineMs: 0 })).rejects.toMatchObject({ code: 'timed-out' });
  });

  it('says what is wrong with a folder or a frame, and describes on', async () => {
    client = createModelClient(spawn);
    const nowhere = { ...request, model: { ...request.model, folder: `${TINY_WRITER}-not-here` } };
    await expect(client.describe(nowhere)).rejects.toMatchObject({ code: 'load-failed' });
    const broken = { ...request, frames: [new Uint8Array([1, 2, 3])] };
    await expect(client.describe(broken)).rejects.toMatchObject({ code: 'run-failed' });
    expect((await client.describe(request)).text).toContain('cup');
    expect(started).toHaveLength(1);
  });

  it('stops writing when aborted', async () => {
    client = createModelClient(spawn);
    await client.describe(request);
    const abort = new AbortController();
    const work = client.describe(request, abort.signal);
    abort.abort();
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
    expect((await client.describe(request)).text).toContain('cup');
    expect(started).toHaveLength(1);
  });
});
