/**
 * Measures the reader that needs no model.
 *
 *     npx tsx core/evaluation/reading.ts --data FOLDER_OF_SETS [--sets epic,hd-epic,egolife] [--half a|b] [--show KIND] [--json]
 *     npx tsx core/evaluation/reading.ts --day GROUND_TRUTH_JSON [--show all] [--json]
 *     npx tsx core/evaluation/reading.ts --library LIBRARY --questions QUESTIONS_JSON [--show wrong|all] [--json]
 *
 * Of sets in the common form: how much of the evidence the footnotes cite, how many answerable questions are called not found,
 * and how many unanswerable ones are refused. Of a rendered day: answers that hold an accepted string with a footnote in the
 * evidence, and refusals; with --library the day is one that was really imported. --half keeps the questions whose id hashes to one half: rules are tuned on a, figures read on b.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import type { Answer } from '../contract/index.ts';
import { type CommonQuestion, readCommonSet } from './common-form.ts';
import { measureDay, measureLibrary, readerOf } from './reading-day.ts';

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

interface Outcome {
  question: CommonQuestion;
  answer: Answer;
  recall: number;
}

function countNamed(answer: Answer): number {
  const named = /^(?:at least )?(?:(once)|(twice)|(\d+) times)/i.exec(answer.answer);
  if (named?.[1]) return 1;
  return named?.[2] ? 2 : Number(named?.[3] ?? 0);
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

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      sets: { type: 'string', default: 'epic,hd-epic,egolife' },
      half: { type: 'string' },
      day: { type: 'string' },
      library: { type: 'string' },
      questions: { type: 'string' },
      show: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { library, questions } = values;
  if (!values.data && !values.day && !(library && questions))
    throw new Error(
      'Say what to measure on: --data FOLDER, --day FILE, or --library FOLDER with --questions FILE',
    );
  const embedder = await createStaticEmbedder();
  const report: Record<string, unknown> = {};
  const half: Half = values.half === 'a' || values.half === 'b' ? values.half : null;
  for (const set of values.data ? values.sets.split(',') : []) {
    report[set] = await measureSet(path.join(values.data!, set), half, embedder, values.show);
  }
  if (values.day) report.day = await measureDay(values.day, embedder, values.show);
  if (library && questions) report.library = await measureLibrary(library, questions, embedder, values.show);
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
