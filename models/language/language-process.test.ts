import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelClient, type ModelClient } from '../client.ts';
import type { SpawnProcess } from '../port.ts';
import { TINY_WRITER } from '../writer/testing/scenes.ts';
import type { ChatMessage } from './chat.ts';
import type { GenerateRequest, LanguageSource } from './language-host.ts';

const ENTRY = fileURLToPath(new URL('../process.ts', import.meta.url));
const MODEL: LanguageSource = { folder: TINY_WRITER, dtype: 'q8', threads: 1 };
const ASK: ChatMessage[] = [{ role: 'user', text: 'Describe what I see.' }];
const REQUEST: GenerateRequest = { model: MODEL, messages: ASK, maxNewTokens: 24, deadlineMs: 60_000 };

const started: ChildProcess[] = [];
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
    kill: () => child.kill('SIGKILL'),
  };
};

afterEach(async () => {
  client?.close();
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      await new Promise((resolve) => child.once('exit', resolve));
    }
  }
});

describe('a language model in the model process', () => {
  it('tells its reply piece by piece while it generates, and then whole', async () => {
    client = createModelClient(spawn);
    const pieces: string[] = [];
    let settled = false;
    const early: boolean[] = [];
    const reply = await client
      .generate(REQUEST, {
        onText: (piece) => {
          pieces.push(piece);
          early.push(!settled);
        },
      })
      .finally(() => {
        settled = true;
      });
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(reply.text);
    expect(early.every(Boolean)).toBe(true);
    // Nobody listens: the same reply.
    expect((await client.generate(REQUEST)).text).toBe(reply.text);
  });

  it('scores, chooses and judges many at once, in order', async () => {
    client = createModelClient(spawn);
    const replies = ['I see a red cup.', 'I see nothing.', ''];
    const scores = await client.score(
      MODEL,
      replies.map((reply) => ({ messages: ASK, reply })),
    );
    expect(scores.map(({ pieces }) => pieces.join('').trim())).toEqual(replies);
    const answers = [
      ['I', 'kitchen'],
      ['kitchen', 'I'],
    ];
    const [one, other] = await client.choose(
      MODEL,
      answers.map((some) => ({ messages: ASK, answers: some })),
    );
    expect(one!.probabilities[0]).toBeCloseTo(other!.probabilities[1]!, 6);
    const judged = await client.entail({ kind: 'language', model: MODEL }, [
      { premise: 'I see a red cup.', hypothesis: 'There is a cup.' },
      { premise: 'I see a red cup.', hypothesis: 'There is a book.' },
    ]);
    expect(judged).toHaveLength(2);
    const nli = join(import.meta.dirname, '../entailment/testing/tiny-nli');
    const byEncoder = await client.entail(
      { kind: 'entailment', model: { folder: nli, dtype: 'fp32', threads: 1 } },
      Array.from({ length: 20 }, (_, n) => ({
        premise: 'A red cup is on the table.',
        hypothesis: n % 2 === 0 ? 'The cup is red.' : 'The cup is blue.',
      })),
    );
    byEncoder.forEach(({ entailment, contradiction }, n) => {
      expect(n % 2 === 0 ? entailment : contradiction).toBeGreaterThan(0.9);
    });
    for (const { entailment, neutral } of judged) {
      expect(entailment).toBeGreaterThan(0);
      expect(entailment).toBeLessThan(1);
      expect(neutral).toBeNull();
    }
  });

  it('is repeated when the process dies before its first word, and not once it has told one', async () => {
    let kill = true;
    client = createModelClient((entry) => {
      const port = spawn(entry);
      const child = started.at(-1)!;
      return {
        ...port,
        post: (message) => {
          port.post(message);
          if (kill) child.kill('SIGKILL');
          kill = false;
        },
      };
    });
    const first = await client.generate(REQUEST);
    expect(first.text).not.toBe('');
    expect(started).toHaveLength(2);
    const pieces: string[] = [];
    const broken = client.generate(REQUEST, {
      onText: (piece) => {
        if (pieces.length === 0) started.at(-1)!.kill('SIGKILL');
        pieces.push(piece);
      },
    });
    await expect(broken).rejects.toMatchObject({ code: 'process-died' });
    expect(first.text.startsWith(pieces.join(''))).toBe(true);
    expect((await client.generate(REQUEST)).text).toBe(first.text);
  });

  it('says what is wrong, stops when told to, and goes on', async () => {
    client = createModelClient(spawn);
    const nowhere = { ...MODEL, folder: `${TINY_WRITER}-not-here` };
    await expect(client.generate({ ...REQUEST, model: nowhere })).rejects.toMatchObject({
      code: 'load-failed',
    });
    await expect(client.entail({ kind: 'entailment', model: MODEL }, [])).resolves.toEqual([]);
    await expect(
      client.entail({ kind: 'entailment', model: MODEL }, [{ premise: 'a', hypothesis: 'b' }]),
    ).rejects.toMatchObject({ code: 'load-failed' });
    await expect(client.generate({ ...REQUEST, maxPromptTokens: 2 })).rejects.toMatchObject({
      code: 'too-long',
    });
    const abort = new AbortController();
    const stopped = client.generate(REQUEST, { signal: abort.signal, onText: () => abort.abort() });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect((await client.generate(REQUEST)).text).not.toBe('');
    expect(started).toHaveLength(1);
  });
});
