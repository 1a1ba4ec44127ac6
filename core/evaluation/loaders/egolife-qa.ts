/**
 * EgoLifeQA, Ego-R1 Bench (the same row with `identity`) and EgoLife-EQA's shape (options by letter, several may be right).
 * `keywords`, `reason`, `trigger`, `last_time` and the Chinese twins are gold hints or translations: they are not read at all.
 */
import { z } from 'zod';
import type { EvalQuestion } from '../set.ts';
import { dayMs, laterOf, targetSpans, timeOfDayMs } from './egolife-time.ts';
import { correctOptions, malformed, type Row, readRecords, shaped } from './read.ts';

const Texts = z.union([z.string(), z.array(z.string())]);
const Row_ = z.object({
  ID: z.union([z.string(), z.number()]).optional(),
  example_id: z.union([z.string(), z.number()]).optional(),
  identity: z.string().nullish(),
  p_id: z.string().nullish(),
  query_time: z.union([z.object({ date: z.string(), time: z.string() }), z.string()]),
  type: z.string().nullish(),
  query_type: z.string().nullish(),
  question: z.string().min(1),
  choice_a: z.string().nullish(),
  choice_b: z.string().nullish(),
  choice_c: z.string().nullish(),
  choice_d: z.string().nullish(),
  options: z.record(z.string(), z.string()).nullish(),
  answer: Texts.nullish(),
  target_time: z.object({ date: Texts, time: Texts.nullish(), time_list: Texts.nullish() }).nullish(),
});

export interface EgoLifeOptions {
  /** Stream of rows that name no wearer. */
  stream: string;
  /** How HHMMSSFFDAYn_HHMMSSFF is read; default: one range. */
  joined?: 'range' | 'instants';
}

/** "DAY7, 19:00:00" or {date, time}; of "a-b" the later. Epoch ms. */
function queryMs(time: { date: string; time: string } | string, where: string): number {
  if (typeof time !== 'string') return dayMs(time.date, where) + timeOfDayMs(laterOf(time.time), where);
  const m = /^(DAY\s*\d+)[,\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?$/i.exec(time.trim());
  if (!m) throw malformed(where, `"${time.slice(0, 40)}" is not a time such as "DAY7, 19:00:00"`);
  return dayMs(m[1]!, where) + ((Number(m[2]) * 60 + Number(m[3])) * 60 + Number(m[4] ?? 0)) * 1000;
}

function questionOf(row: Row, options: EgoLifeOptions): EvalQuestion {
  const it = shaped(Row_, row);
  const lettered = it.options
    ? Object.keys(it.options)
        .sort()
        .map((letter) => it.options![letter]!)
    : [it.choice_a, it.choice_b, it.choice_c, it.choice_d].filter((choice) => typeof choice === 'string');
  const stream = it.identity ?? it.p_id ?? options.stream;
  const correct =
    it.answer === null || it.answer === undefined ? null : correctOptions(it.answer, lettered, row.where);
  const spans = it.target_time ? targetSpans(it.target_time, options.joined ?? 'range', row.where) : [];
  const id = it.ID ?? it.example_id;
  if (id === undefined) throw malformed(row.where, '"ID" is missing');
  return {
    id: `${stream}/${id}`,
    stream,
    question: it.question,
    choices: lettered,
    multiple: it.options !== null && it.options !== undefined,
    correct,
    answer: correct ? correct.map((n) => lettered[n]!).join('; ') : null,
    askedAtMs: queryMs(it.query_time, row.where),
    evidence: [],
    intervals: spans.map((span) => ({ stream, video: null, ...span })),
    kind: it.type ?? it.query_type ?? 'question',
    unanswerable: false,
  };
}

/** @throws FootnoteError FILE_MISSING, BAD_REQUEST with the record */
export function readEgoLifeQuestions(file: string, options: EgoLifeOptions): EvalQuestion[] {
  return readRecords(file).map((row) => questionOf(row, options));
}
