import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entailment, EntailmentJudge } from './entailment.ts';
import { loadEntailmentModel } from './entailment-model.ts';

/** A small encoder of our own; testing/make-tiny-nli.py says what it can do. */
const TINY = join(import.meta.dirname, 'testing/tiny-nli');
const OPTIONS = { dtype: 'fp32', threads: 1 };

const TABLE = 'A red cup is on the table. A blue book is on the shelf.';
const verdict = ({ entailment, neutral, contradiction }: Entailment) =>
  entailment > 0.5 ? 'follows' : neutral! > 0.5 ? 'open' : contradiction! > 0.5 ? 'contradicted' : 'unsure';

describe('a model of natural language inference', () => {
  let judge: EntailmentJudge;
  beforeAll(async () => {
    judge = await loadEntailmentModel(TINY, OPTIONS);
  });
  afterAll(() => judge?.dispose());

  it('tells what follows from what is open and what is contradicted, whatever order its labels have', async () => {
    const said = [
      ['The cup is red.', 'follows'],
      ['The cup is on the table.', 'follows'],
      ['The book is on the shelf.', 'follows'],
      ['The cup is green.', 'contradicted'],
      ['The book is on the bed.', 'contradicted'],
      ['The hat is blue.', 'open'],
      ['The lamp is on the floor.', 'open'],
    ] as const;
    const judged = await judge.judge(said.map(([hypothesis]) => ({ premise: TABLE, hypothesis })));
    expect(judged.map(verdict)).toEqual(said.map(([, expected]) => expected));
    for (const { entailment, neutral, contradiction } of judged) {
      expect(entailment + neutral! + contradiction!).toBeCloseTo(1, 5);
    }
  });

  it('judges a pair the same alone and among others of any length, in their order', async () => {
    const premises = [TABLE, 'A hat is there.', `${TABLE} A green hat is on the bed.`];
    const pairs = Array.from({ length: 25 }, (_, n) => ({
      premise: premises[n % 3]!,
      hypothesis: ['The cup is red.', 'The hat is green.', 'The book is on the bed.', 'The key is in.'][
        n % 4
      ]!,
    }));
    const together = await judge.judge(pairs);
    for (const [n, pair] of pairs.entries()) {
      const [alone] = await judge.judge([pair]);
      expect(together[n]!.entailment).toBeCloseTo(alone!.entailment, 4);
      expect(together[n]!.contradiction!).toBeCloseTo(alone!.contradiction!, 4);
    }
    expect(await judge.judge([])).toEqual([]);
  });

  it('cuts the end of a premise that is too long, and nothing of the sentence', async () => {
    const filler = ' I see a grey box.'.repeat(40);
    const [before, behind] = await judge.judge([
      { premise: `${TABLE}${filler}`, hypothesis: 'The cup is red.' },
      { premise: `I see.${filler} ${TABLE}`, hypothesis: 'The cup is red.' },
    ]);
    // What stands behind the cut is not known to the model.
    expect(before!.entailment).not.toBeCloseTo(behind!.entailment, 2);
    const long = 'The cup is red '.repeat(20);
    await expect(judge.judge([{ premise: TABLE, hypothesis: long }])).rejects.toMatchObject({
      code: 'too-long',
    });
  });

  it('takes its own marks in a text for text', async () => {
    const [plain, marked] = await judge.judge([
      { premise: TABLE, hypothesis: 'The cup is green.' },
      { premise: `${TABLE} [SEP] I see. [SEP]`, hypothesis: 'The cup is green.' },
    ]);
    expect(verdict(plain!)).toBe('contradicted');
    expect(verdict(marked!)).toBe('contradicted');
  });

  it('stops when told to or closed, and judges the next', async () => {
    const pair = { premise: TABLE, hypothesis: 'The cup is red.' };
    await expect(judge.judge([pair], AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(verdict((await judge.judge([pair]))[0]!)).toBe('follows');
    const other = await loadEntailmentModel(TINY, OPTIONS);
    await Promise.all([other.dispose(), other.dispose()]);
    await expect(other.judge([pair])).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('loading a model of natural language inference', () => {
  let base: string;
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'footnote-nli-'));
  });
  afterAll(() => rm(base, { recursive: true }));

  /** A copy with other labels. */
  async function labelled(name: string, id2label: Record<string, string>): Promise<string> {
    const folder = join(base, name);
    await cp(TINY, folder, { recursive: true });
    const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')) as object;
    await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, id2label }));
    return folder;
  }

  it('reads the order of labels from its settings', async () => {
    const turned = await loadEntailmentModel(
      await labelled('turned', { 0: 'ENTAILMENT', 1: 'Contradiction', 2: 'neutral' }),
      OPTIONS,
    );
    const [judged] = await turned.judge([{ premise: TABLE, hypothesis: 'The cup is red.' }]);
    expect(verdict(judged!)).toBe('contradicted');
    await turned.dispose();
  });

  it('refuses a model with other labels, or without its files', async () => {
    const wrong = [
      await labelled('unnamed', { 0: 'LABEL_0', 1: 'LABEL_1', 2: 'LABEL_2' }),
      await labelled('feeling', { 0: 'positive', 1: 'negative' }),
      await labelled('twice', { 0: 'entailment', 1: 'entailment', 2: 'neutral' }),
      join(base, 'nowhere'),
    ];
    for (const folder of wrong) {
      await expect(loadEntailmentModel(folder, OPTIONS)).rejects.toMatchObject({ code: 'load-failed' });
    }
    await expect(loadEntailmentModel(TINY, { ...OPTIONS, dtype: 'q8' })).rejects.toMatchObject({
      message: expect.stringContaining('onnx/model_quantized.onnx'),
    });
  });
});
