/**
 * SuperMemory-VQA (`all_qa.json`). Times of a video are seconds from its start, and a video's start is Unix time; a question is
 * asked at the end of its own span. Six older rows write the span as "MM:SS" or "HH:MM:SS". `choice_types`, `answer_evidence`
 * and `correct_*` are gold.
 */
import { z } from 'zod';
import type { EvalQuestion, EvalStream } from '../set.ts';
import { malformed, type Row, readRecords, shaped } from './read.ts';

/** The option that stands for "not answerable", word for word in the set. */
export const CANNOT_BE_ANSWERED = /^this question can\s?not be answered\.?$/i;

const Clock = z.union([z.number(), z.string()]);
const Evidence = z.object({
  video_id: z.string(),
  time_span: z.object({ start_time: Clock, end_time: Clock }),
});
const Row_ = z.object({
  question_id: z.union([z.number(), z.string()]),
  question: z.string().min(1),
  choices: z.array(z.string()).min(2),
  correct_answer: z.string().nullish(),
  correct_option_index: z.number().int().nullish(),
  subject: z.union([z.number(), z.string()]),
  metadata: z
    .object({
      skill: z.string().nullish(),
      primary_video_id: z.string().nullish(),
      primary_video_start_time: z.number().nullish(),
    })
    .nullish(),
  start_time: z.number().nullish(),
  question_evidence: z.object({
    video_id: z.string().nullish(),
    start_time: z.number().nullish(),
    time_spans: z
      .array(
        z.object({
          start_time: Clock,
          end_time: Clock,
          video_id: z.string(),
          video_start_time_unix: z.number(),
        }),
      )
      .nullish(),
    time_span: z.union([z.string(), z.object({ start_time: Clock, end_time: Clock })]).nullish(),
  }),
  is_answerable: z.boolean().nullish(),
  answer_evidence: z.object({ evidence_list: z.array(Evidence).nullish() }).nullish(),
});
type Parsed = z.infer<typeof Row_>;

/** Seconds of a number, "MM:SS" or "HH:MM:SS". */
function secondsOf(clock: string | number, where: string): number {
  if (typeof clock === 'number') return clock;
  const parts = clock.trim().split(':').map(Number);
  const wrong = parts.some((part, n) => !(part >= 0) || (n > 0 && part >= 60));
  if (parts.length < 2 || parts.length > 3 || wrong)
    throw malformed(where, `"${clock.slice(0, 20)}" is not a time of the form MM:SS`);
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}

/** When the question is asked, Unix seconds: the end of its span. */
function askedSeconds(it: Parsed, where: string): number {
  const evidence = it.question_evidence;
  const ends = (evidence.time_spans ?? []).map(
    (span) => span.video_start_time_unix + secondsOf(span.end_time, where),
  );
  if (ends.length > 0) return Math.max(...ends);
  const start = evidence.start_time ?? it.start_time;
  const span = evidence.time_span;
  if (!span || start === null || start === undefined) throw malformed(where, 'the question has no time');
  const end = typeof span === 'string' ? span.split('-').at(-1)! : span.end_time;
  return start + secondsOf(end, where);
}

/** Starts of videos that the rows themselves tell, Unix seconds. */
function startsOf(rows: readonly Parsed[]): Map<string, number> {
  const starts = new Map<string, number>();
  for (const { question_evidence: evidence, metadata, start_time } of rows) {
    for (const span of evidence.time_spans ?? []) starts.set(span.video_id, span.video_start_time_unix);
    const own = evidence.start_time ?? start_time;
    if (evidence.video_id && own) starts.set(evidence.video_id, own);
    if (metadata?.primary_video_id && metadata.primary_video_start_time)
      starts.set(metadata.primary_video_id, metadata.primary_video_start_time);
  }
  return starts;
}

export interface SuperMemoryOptions {
  /** LVQA: one store for all wearers, so every question is asked of this stream. Null: each wearer's own. */
  together: string | null;
  /** For starts of videos that no row tells. */
  streams: readonly EvalStream[];
}

/**
 * Questions with evidence in epoch ms. Evidence in a video whose start nothing tells is left out.
 * @returns the questions, and how many pieces of evidence were left out
 * @throws FootnoteError FILE_MISSING, BAD_REQUEST with the record
 */
export function readSuperMemory(
  file: string,
  options: SuperMemoryOptions,
): { questions: EvalQuestion[]; left: number } {
  const rows: Row[] = readRecords(file);
  const parsed = rows.map((row) => shaped(Row_, row));
  const starts = startsOf(parsed);
  for (const { episodes } of options.streams)
    for (const { video, startMs } of episodes)
      if (video !== null && !starts.has(video)) starts.set(video, startMs / 1000);
  let left = 0;
  const questions = parsed.map((it, n): EvalQuestion => {
    const { where } = rows[n]!;
    const stream = options.together ?? String(it.subject);
    const right =
      it.correct_option_index ?? (it.correct_answer ? it.choices.indexOf(it.correct_answer) : null);
    if (right !== null && (right < 0 || right >= it.choices.length))
      throw malformed(where, 'the right answer is none of the options');
    const intervals = (it.answer_evidence?.evidence_list ?? []).flatMap(({ video_id, time_span }) => {
      const start = starts.get(video_id);
      if (start === undefined) {
        left++;
        return [];
      }
      const at = (clock: string | number): number => Math.round((start + secondsOf(clock, where)) * 1000);
      return [{ stream, video: video_id, startMs: at(time_span.start_time), endMs: at(time_span.end_time) }];
    });
    const answerable = it.is_answerable ?? (right === null || !CANNOT_BE_ANSWERED.test(it.choices[right]!));
    return {
      id: String(it.question_id),
      stream,
      question: it.question,
      choices: it.choices,
      multiple: false,
      correct: right === null ? null : [right],
      answer: right === null || !answerable ? null : it.choices[right]!,
      askedAtMs: Math.round(askedSeconds(it, where) * 1000),
      evidence: [],
      intervals: answerable ? intervals : [],
      kind: it.metadata?.skill ?? 'question',
      unanswerable: !answerable,
    };
  });
  return { questions, left };
}
