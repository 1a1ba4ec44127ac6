/** A made-up set of two days in the common form, with its gold hints in every field that may hold one. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LINES: [string, string][] = [
  ['2024-03-01T08:00:00', 'I open the fridge. I take the milk.'],
  ['2024-03-01T08:00:30', 'I pour milk into a blue bowl. I put the bowl on the table.'],
  ['2024-03-01T08:01:00', 'I feed the cat. The cat sleeps on the sofa.'],
  ['2024-03-01T09:30:00', 'I lock the front door. I put the keys in my coat pocket.'],
  ['2024-03-01T18:00:00', 'I cook rice with tomatoes. I wash the pan.'],
  ['2024-03-02T08:10:00', 'I slice bread on the wooden board. I butter the bread.'],
  ['2024-03-02T08:10:30', 'I water the plants by the window.'],
  ['2024-03-02T19:00:00', 'I repair the bicycle in the garage. I pump the tyre.'],
];

export const SMALL_EPISODES = LINES.map(([start, text], n) => ({
  id: `kitchen#${n}`,
  stream: 'kitchen',
  start,
  end: `${start.slice(0, 17)}${start.endsWith('00') ? '30' : '59'}`,
  text,
}));

export const SMALL_QUESTIONS = [
  {
    id: 'kitchen/when-0',
    stream: 'kitchen',
    question: 'When did I feed the cat?',
    asked_at: '2024-03-02T20:00:00',
    answer: '2024-03-01T08:01:00',
    evidence: ['kitchen#2'],
    kind: 'when',
  },
  {
    id: 'kitchen/where-0',
    stream: 'kitchen',
    question: 'Where did I put the keys?',
    asked_at: '2024-03-02T20:00:00',
    answer: 'in my coat pocket',
    choices: ['in the garage', 'in my coat pocket', 'on the table'],
    correct: 1,
    evidence: ['kitchen#3'],
    kind: 'where',
  },
  {
    id: 'kitchen/where-1',
    stream: 'kitchen',
    question: 'Where did I repair the bicycle?',
    asked_at: '2024-03-02T10:00:00',
    answer: null,
    unanswerable: true,
    evidence: [],
    kind: 'unanswerable',
  },
];

export const jsonLines = (rows: readonly unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** An empty folder for a test's files. */
export const testFolder = (): string => mkdtempSync(path.join(tmpdir(), 'footnote-evaluation-test-'));

/** Writes files below a folder; what is no text is written as JSON. */
export function writeFiles(folder: string, files: Record<string, unknown>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** The small set on disk. */
export function writeSmallSet(folder: string): { episodes: string; questions: string } {
  writeFiles(folder, {
    'episodes.jsonl': jsonLines(SMALL_EPISODES),
    'questions.jsonl': jsonLines(SMALL_QUESTIONS),
  });
  return { episodes: path.join(folder, 'episodes.jsonl'), questions: path.join(folder, 'questions.jsonl') };
}
