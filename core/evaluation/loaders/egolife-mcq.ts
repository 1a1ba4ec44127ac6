/** Multiple-choice questions on EgoLife clips with the clips that prove them (`query_time` and evidence are names of 30-s clips). */
import { z } from 'zod';
import type { EvalQuestion } from '../set.ts';
import { clipStart } from './egolife-time.ts';
import { malformed, type Row, readRecords, shaped } from './read.ts';

const CLIP_MS = 30_000;
const Row_ = z.object({
  sample_id: z.string(),
  combined_sample_id: z.string().nullish(),
  template_id: z.string().nullish(),
  query_time: z.string(),
  query: z.string().min(1),
  evidence_times: z.array(z.object({ clip_id: z.string() })),
  choices: z.array(z.object({ label: z.string(), text: z.string() })),
  correct_choice: z.string(),
  answer: z.string(),
});

function questionOf(row: Row, stream: string): EvalQuestion {
  const it = shaped(Row_, row);
  const choices = it.choices.map(({ text }) => text);
  const right = it.choices.findIndex(({ label }) => label === it.correct_choice);
  if (right < 0) throw malformed(row.where, 'the right answer is none of the options');
  const clips = [...new Set(it.evidence_times.map(({ clip_id }) => clip_id))];
  return {
    id: it.combined_sample_id ?? it.sample_id,
    stream,
    question: it.query,
    choices,
    multiple: false,
    correct: [right],
    answer: it.answer,
    // The moment the question is about is in its own clip: it is asked at that clip's end.
    askedAtMs: clipStart(it.query_time, row.where).startMs + CLIP_MS,
    evidence: clips,
    intervals: clips.map((clip) => {
      const { startMs } = clipStart(clip, row.where);
      return { stream, video: null, startMs, endMs: startMs + CLIP_MS };
    }),
    kind: it.template_id ?? 'question',
    unanswerable: false,
  };
}

/** @param stream that the episodes of these clips are in. @throws FootnoteError FILE_MISSING, BAD_REQUEST with the record */
export function readEgoLifeMcq(file: string, stream: string): EvalQuestion[] {
  return readRecords(file).map((row) => questionOf(row, stream));
}
