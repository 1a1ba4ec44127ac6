import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testFolder, writeFiles, writeSmallSet } from '../../evaluation/testing/small-set.ts';
import { main } from '../cli.ts';
import { EXIT } from '../exit-codes.ts';

let folder: string;
let out: string;
let err: string;
beforeEach(() => {
  folder = testFolder();
  out = '';
  err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

async function evaluate(...more: string[]): Promise<number> {
  const { episodes, questions } = writeSmallSet(folder);
  const files = ['--episodes', episodes, '--questions', questions, '--report', join(folder, 'report.html')];
  return main(['evaluate', ...files, ...more]);
}

interface Output {
  systems: {
    name: string;
    metrics: Record<string, number>;
    secondsPerQuestion: number;
    tokensPerQuestion: number;
  }[];
  paired: { a: string; b: string; metric: string; difference: number; ci95: number[]; p: number }[];
}

describe('footnote evaluate', () => {
  it('prints systems and pairs, and nothing else, and writes a report that needs nothing else', async () => {
    expect(await evaluate('--systems', 'memlife,bm25,flat', '--json')).toBe(EXIT.ok);
    const printed = JSON.parse(out) as Output;
    expect(Object.keys(printed)).toEqual(['systems', 'paired']);
    expect(printed.systems.map(({ name }) => name)).toEqual(['memlife', 'bm25', 'flat']);
    for (const { metrics, secondsPerQuestion, tokensPerQuestion } of printed.systems) {
      expect(metrics).toMatchObject({ 'any@5': 1, 'all@32': 1, 'C@300': 1, recall: 1 });
      expect(metrics.accuracy).toBeGreaterThanOrEqual(0);
      expect(secondsPerQuestion).toBeGreaterThan(0);
      expect(tokensPerQuestion).toBeGreaterThan(0);
    }
    expect(printed.paired.filter(({ metric }) => metric === 'C@300')).toEqual([
      { a: 'memlife', b: 'bm25', metric: 'C@300', difference: 0, ci95: [0, 0], p: 1 },
      { a: 'memlife', b: 'flat', metric: 'C@300', difference: 0, ci95: [0, 0], p: 1 },
      { a: 'bm25', b: 'flat', metric: 'C@300', difference: 0, ci95: [0, 0], p: 1 },
    ]);
    expect(err).toContain('3 questions, 2 with evidence, 1 with options');
    const html = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(html.match(/<svg/g)!.length).toBeGreaterThanOrEqual(2);
    expect(html).toContain('mean share of the evidence time');
    expect(html).not.toMatch(/<script|<link|(?:src|href)="(?!#)/);
  });

  it('gives the same figures again', async () => {
    const figures = async () => {
      out = '';
      await evaluate('--systems', 'worldmm,egorag', '--seed', '9', '--json');
      const { systems, paired } = JSON.parse(out) as Output;
      return { systems: systems.map(({ name, metrics }) => ({ name, metrics })), paired };
    };
    expect(await figures()).toEqual(await figures());
  });

  it('prints a table without --json', async () => {
    expect(await evaluate('--systems', 'flat')).toBe(EXIT.ok);
    expect(out).toMatch(/^flat +any@1 100\.0/);
  });

  it.each([
    [['--systems', 'flat,oracle'], /no system "oracle"/],
    [['--embedding', 'word2vec'], /no text embedding "word2vec"/],
    [['--format', 'csv'], /no format "csv"/],
    [['--joined', 'maybe'], /"range" or as "instants"/],
    [['--seed', 'x'], /"x" is not a whole number/],
  ])('refuses %j in words', async (args, message) => {
    expect(await evaluate(...args, '--json')).toBe(EXIT.usage);
    expect((JSON.parse(out) as { error: { message: string } }).error.message).toMatch(message);
  });

  it('says which line of which file is malformed, and which file is missing', async () => {
    const { episodes, questions } = writeSmallSet(folder);
    writeFiles(folder, { 'questions.jsonl': `${readFileSync(questions, 'utf8')}{\n` });
    expect(await main(['evaluate', '--episodes', episodes, '--questions', questions, '--json'])).toBe(
      EXIT.usage,
    );
    expect(out).toContain('questions.jsonl, line 4: this is not JSON');
    out = '';
    const gone = join(folder, 'gone.jsonl');
    expect(await main(['evaluate', '--episodes', gone, '--questions', questions, '--json'])).toBe(
      EXIT.failed,
    );
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'FILE_MISSING' } });
  });

  it('says how to get a model that is not here', async () => {
    const library = ['--library', join(folder, 'library')];
    expect(await evaluate('--embedding', 'minilm', '--models', folder, ...library, '--json')).toBe(
      EXIT.missing,
    );
    expect(out).toContain('footnote models get minilm-l6-int8');
    expect(existsSync(join(folder, 'library'))).toBe(false);
  });
});
