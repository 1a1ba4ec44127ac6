/**
 * Measures the reader that needs no model.
 *
 *     npx tsx core/evaluation/reading.ts --data FOLDER_OF_SETS [--sets epic,hd-epic,egolife] [--half a|b] [--show KIND] [--json]
 *     npx tsx core/evaluation/reading.ts --day GROUND_TRUTH_JSON [--show all] [--json]
 *
 * Of sets in the common form: how much of the evidence the footnotes cite, how many answerable questions are called not found,
 * and how many unanswerable ones are refused. Of a rendered day: answers that hold an accepted string with a footnote in the
 * evidence, and refusals. --half keeps the questions whose id hashes to one half: rules are tuned on a, figures read on b.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import type { Answer, Episode } from '../contract/index.ts';
import { openMemory } from '../memory/lance-memory.ts';
import { createExtractiveReader } from '../reading/extractive-reader.ts';
import type { Reader } from '../reading/reader.ts';
import { searchText } from '../writing/search-text.ts';
import { type CommonQuestion, readCommonSet } from './common-form.ts';
import { type DayQuestion, judgeDayAnswer, readDay } from './day-truth.ts';

type Half = 'a' | 'b' | null;

interface Figures {
  questions: number;
  answerable: number;
  /** Of answerable questions: some evidence cited; mean share of the evidence cited; called not found. */
  anyEvidence: number;
  evidenceRecall: number;
  falseNotFound: number;
  /** Of counting questions: the number named is the right one. */
  countRight: number;
  unanswerable: number;
  refused: number;
  secondsP50: number;
  secondsMax: number;
}

function inHalf(id: string, half: Half): boolean {
  if (half === null) return true;
  const even = createHash('sha256').update(id).digest()[0]! % 2 === 0;
  return even === (half === 'a');
}

/** A reader over a real memory of these episodes; `done` removes it. */
async function readerOf(
  episodes: Episode[],
  embedder: TextEmbedder,
): Promise<{ reader: Reader; done: () => Promise<void> }> {
  const dir = mkdtempSync(path.join(tmpdir(), 'footnote-reading-'));
  const memory = await openMemory({ dir, embedder, searchText });
  await memory.putEpisodes(episodes);
  await memory.maintain();
  return {
    reader: createExtractiveReader(memory),
    done: async () => {
      await memory.close();
      rmSync(dir, { recursive: true });
    },
  };
}

interface Outcome {
  question: CommonQuestion;
  answer: Answer;
  recall: number;
}

function countNamed(answer: Answer): number {
  const named = /I found (?:at least )?(?:(once)|(\d+) times)/.exec(answer.answer);
  return named?.[1] ? 1 : Number(named?.[2] ?? 0);
}

function figuresOf(outcomes: readonly Outcome[]): Figures {
  const answerable = outcomes.filter(
    ({ question }) => question.answer !== null && question.evidence.length > 0,
  );
  const not = outcomes.filter(({ question }) => question.answer === null);
  const counting = answerable.filter(({ question }) => question.kind === 'count');
  const share = (count: number, of: number): number =>
    of === 0 ? Number.NaN : Math.round((1000 * count) / of) / 10;
  const seconds = outcomes.map(({ answer }) => answer.seconds).sort((a, b) => a - b);
  return {
    questions: outcomes.length,
    answerable: answerable.length,
    anyEvidence: share(answerable.filter(({ recall }) => recall > 0).length, answerable.length),
    evidenceRecall: share(
      answerable.reduce((sum, { recall }) => sum + recall, 0),
      answerable.length,
    ),
    falseNotFound: share(answerable.filter(({ answer }) => !answer.found).length, answerable.length),
    countRight: share(
      counting.filter((one) => countNamed(one.answer) === Number(one.question.answer)).length,
      counting.length,
    ),
    unanswerable: not.length,
    refused: share(not.filter(({ answer }) => !answer.found).length, not.length),
    secondsP50: seconds[Math.floor(seconds.length / 2)] ?? 0,
    secondsMax: seconds.at(-1) ?? 0,
  };
}

async function measureSet(
  folder: string,
  half: Half,
  embedder: TextEmbedder,
  show: string | undefined,
): Promise<Record<string, Figures>> {
  const outcomes: Outcome[] = [];
  for (const { episodes, questions } of readCommonSet(folder).streams.values()) {
    const asked = questions.filter(({ id }) => inHalf(id, half));
    if (asked.length === 0) continue;
    const { reader, done } = await readerOf(episodes, embedder);
    for (const question of asked) {
      const answer = await reader.ask(question.question, { nowMs: question.askedAtMs, zone: 'UTC' });
      const cited = new Set(answer.footnotes.map(({ episodeId }) => episodeId));
      const hits = question.evidence.filter((id) => cited.has(id)).length;
      const recall = question.evidence.length === 0 ? 0 : hits / question.evidence.length;
      outcomes.push({ question, answer, recall });
      const miscounted = question.kind === 'count' && countNamed(answer) !== Number(question.answer);
      const wrong = question.answer === null ? answer.found : recall === 0 || miscounted;
      if (show && (show === 'all' || show === question.kind) && wrong) {
        process.stderr.write(
          `${question.kind} | ${question.question} | expected ${question.answer}\n    ${answer.answer.replaceAll('\n', '\n    ')}\n`,
        );
      }
    }
    await done();
  }
  const kinds = new Set(outcomes.map(({ question }) => question.kind));
  const byKind = [...kinds].map(
    (kind) => [kind, figuresOf(outcomes.filter(({ question }) => question.kind === kind))] as const,
  );
  return { all: figuresOf(outcomes), ...Object.fromEntries(byKind) };
}

async function measureDay(
  file: string,
  embedder: TextEmbedder,
  show: string | undefined,
): Promise<Record<string, unknown>> {
  const { episodes, questions } = await readDay(JSON.parse(readFileSync(file, 'utf8')));
  const { reader, done } = await readerOf(episodes, embedder);
  const results: { question: DayQuestion; right: boolean; answer: Answer }[] = [];
  for (const question of questions) {
    const answer = await reader.ask(question.question, { nowMs: question.askedAtMs, zone: 'UTC' });
    const right = judgeDayAnswer(question, answer);
    results.push({ question, right, answer });
    if (show)
      process.stderr.write(
        `${right ? 'right' : 'WRONG'} | ${question.id} (${question.needs.join(', ')}) | ${question.question} | expected ${question.answer}\n    ${answer.answer.replaceAll('\n', '\n    ')}\n`,
      );
  }
  await done();
  const count = (of: typeof results): string => `${of.filter(({ right }) => right).length} of ${of.length}`;
  const answerable = results.filter(({ question }) => question.answer !== null);
  return {
    all: count(results),
    answerable: count(answerable),
    speechAndTextOnly: count(
      answerable.filter(({ question }) =>
        question.needs.every((need) => need === 'speech' || need === 'text'),
      ),
    ),
    unanswerable: count(results.filter(({ question }) => question.answer === null)),
    secondsMax: Math.max(...results.map(({ answer }) => answer.seconds)),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      sets: { type: 'string', default: 'epic,hd-epic,egolife' },
      half: { type: 'string' },
      day: { type: 'string' },
      show: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.data && !values.day) throw new Error('Say what to measure on: --data FOLDER or --day FILE');
  const embedder = await createStaticEmbedder();
  const report: Record<string, unknown> = {};
  const half: Half = values.half === 'a' || values.half === 'b' ? values.half : null;
  for (const set of values.data ? values.sets.split(',') : []) {
    report[set] = await measureSet(path.join(values.data!, set), half, embedder, values.show);
  }
  if (values.day) report.day = await measureDay(values.day, embedder, values.show);
  if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else
    for (const [set, figures] of Object.entries(report)) {
      process.stdout.write(`${set}\n`);
      for (const [kind, row] of Object.entries(figures as Record<string, unknown>)) {
        process.stdout.write(
          `  ${kind.padEnd(24)} ${
            typeof row === 'object'
              ? Object.entries(row as Figures)
                  .map(([name, value]) => `${name} ${value}`)
                  .join('  ')
              : row
          }\n`,
        );
      }
    }
}

await main();
