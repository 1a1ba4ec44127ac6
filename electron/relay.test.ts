import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { EntryName, FromEngine } from './messages.ts';
import { type Child, RelayedChildren } from './relayed-children.ts';
import { relaySpawn } from './relayed-spawn.ts';

/** A child that answers with what it was told, and says when it was ended. */
class Echo extends EventEmitter implements Child {
  ended = false;
  postMessage(message: unknown): void {
    queueMicrotask(() => this.emit('message', { echo: message }));
  }
  kill(): boolean {
    this.ended = true;
    queueMicrotask(() => this.emit('exit', 0));
    return true;
  }
}

/** Both ends with messages copied in between, as a process boundary copies them. */
function bothEnds() {
  const started: { entry: EntryName; child: Echo }[] = [];
  const toMain: ((message: FromEngine) => void)[] = [];
  const engine = relaySpawn((message) => {
    for (const receive of toMain) receive(structuredClone(message));
  });
  const main = new RelayedChildren(
    (entry) => {
      const child = new Echo();
      started.push({ entry, child });
      return child;
    },
    (message) => engine.receive(structuredClone(message)),
  );
  toMain.push((message) => main.receive(message));
  return { engine, main, started };
}
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

describe("the engine's processes in the desktop app", () => {
  it('are started by main and heard by the engine, each under its own number', async () => {
    const { engine, started } = bothEnds();
    const models = engine.spawn('models');
    const perception = engine.spawn('perception');
    const heard: unknown[] = [];
    models.onMessage((message) => heard.push(['models', message]));
    perception.onMessage((message) => heard.push(['perception', message]));
    perception.post({ vector: Float32Array.of(1, 2) });
    models.post('hello');
    await turn();
    expect(started.map(({ entry }) => entry)).toEqual(['models', 'perception']);
    expect(heard).toEqual([
      ['perception', { echo: { vector: Float32Array.of(1, 2) } }],
      ['models', { echo: 'hello' }],
    ]);
  });

  it('tell the engine when they end, whoever ended them, and hear nothing after', async () => {
    const { engine, started } = bothEnds();
    const models = engine.spawn('models');
    const ends: unknown[] = [];
    const heard: unknown[] = [];
    models.onExit((code) => ends.push(code));
    models.onMessage((message) => heard.push(message));
    started[0]!.child.emit('exit', 132);
    models.post('too late');
    await turn();
    expect(ends).toEqual([132]);
    expect(heard).toEqual([]);

    const perception = engine.spawn('perception');
    perception.onExit((code) => ends.push(code));
    perception.kill();
    await turn();
    expect(ends).toEqual([132, 0]);
  });

  it('end with the engine, without a word to it', async () => {
    const { engine, main, started } = bothEnds();
    const ends: unknown[] = [];
    engine.spawn('models').onExit((code) => ends.push(code));
    engine.spawn('perception').onExit((code) => ends.push(code));
    main.endAll();
    await turn();
    expect(started.every(({ child }) => child.ended)).toBe(true);
    expect(ends).toEqual([]);
  });
});
