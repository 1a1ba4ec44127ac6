/** Asks the questions of one day, of perfect perception or as it was really imported, and judges the answers. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import type { Answer, Episode } from '../contract/index.ts';
import { openMemory } from '../memory/lance-memory.ts';
import { createExtractiveReader } from '../reading/extractive-reader.ts';
import type { Reader } from '../reading/reader.ts';
import { searchText } from '../writing/search-text.ts';
import { type DayQuestion, isUnanswerable, judgeDayAnswer, readDay, readQuestions } from './day-truth.ts';

/** A reader over a real memory of these episodes; `done` removes it. */
export async function readerOf(
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

interface Result {
  question: DayQuestion;
  right: boolean;
  answer: Answer;
}

/** Asks one after the other; `show` prints what was answered: "all", or only what is "wrong". */
async function askAll(
  reader: Reader,
  questions: readonly DayQuestion[],
  show: string | undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const question of questions) {
    const answer = await reader.ask(question.question, { nowMs: question.askedAtMs, zone: question.zone });
    const right = judgeDayAnswer(question, answer);
    results.push({ question, right, answer });
    if (show && (show !== 'wrong' || !right))
      process.stderr.write(
        `${right ? 'right' : 'WRONG'} | ${question.id} | ${question.question} | expected ${expected(question)}\n    ${answer.answer.replaceAll('\n', '\n    ')}\n`,
      );
  }
  return results;
}

function expected(question: DayQuestion): string {
  const wanted = question.accept ?? question.accept_all ?? question.accept_ordered ?? [question.time ?? ''];
  return isUnanswerable(question) ? 'nothing' : wanted.join(', ');
}

function tally(results: readonly Result[]): Record<string, unknown> {
  const count = (of: readonly Result[]): string =>
    `${of.filter(({ right }) => right).length} of ${of.length}`;
  const answerable = results.filter(({ question }) => !isUnanswerable(question));
  const seconds = results.map(({ answer }) => answer.seconds).sort((a, b) => a - b);
  return {
    all: count(results),
    answerable: count(answerable),
    unanswerable: count(results.filter(({ question }) => isUnanswerable(question))),
    footnotesAnAnswer:
      answerable.reduce((sum, { answer }) => sum + answer.footnotes.length, 0) / answerable.length,
    secondsP50: seconds[Math.floor(seconds.length / 2)],
    secondsMax: seconds.at(-1),
  };
}

/** The day as perfect perception (speech and visible text) would have it. */
export async function measureDay(
  file: string,
  embedder: TextEmbedder,
  show: string | undefined,
): Promise<Record<string, unknown>> {
  const { episodes, questions } = await readDay(JSON.parse(readFileSync(file, 'utf8')));
  const { reader, done } = await readerOf(episodes, embedder);
  const results = await askAll(reader, questions, show);
  await done();
  return tally(results);
}

/** The day as this library has it. */
export async function measureLibrary(
  library: string,
  file: string,
  embedder: TextEmbedder,
  show: string | undefined,
): Promise<Record<string, unknown>> {
  const memory = await openMemory({
    dir: path.join(library, 'memory'),
    embedder,
    searchText,
    readOnly: true,
  });
  const questions = readQuestions(JSON.parse(readFileSync(file, 'utf8')));
  const results = await askAll(createExtractiveReader(memory), questions, show);
  await memory.close();
  return tally(results);
}
