/** episodes.jsonl and questions.jsonl: one object a line, ISO times without a zone (read as UTC). */
import { z } from 'zod';
import type { EvalEpisode, EvalQuestion } from '../set.ts';
import { correctOptions, instant, malformed, type Row, readRecords, shaped } from './read.ts';

const ObjectState = z.object({
  object_name: z.string(),
  status: z.array(z.string()).nullish(),
  location: z.string().nullish(),
  interaction: z.string().nullish(),
});

export const EpisodeRow = z.object({
  id: z.string().min(1),
  stream: z.string().min(1),
  start: z.string(),
  end: z.string(),
  text: z.string(),
  text_with_objects: z.string().nullish(),
  video: z.string().nullish(),
  wearer: z.string().nullish(),
  speaker: z.string().nullish(),
  transcript: z.string().nullish(),
  captions: z.array(z.string()).nullish(),
  visual: z.array(z.string()).nullish(),
  objects: z.array(ObjectState).nullish(),
  start_s: z.number().nullish(),
  narrations: z.array(z.object({ start_s: z.number(), text: z.string() })).nullish(),
});

const QuestionRow = z.object({
  id: z.string().min(1),
  stream: z.string().min(1),
  question: z.string().min(1),
  asked_at: z.string(),
  answer: z.union([z.string(), z.number()]).nullish(),
  unanswerable: z.boolean().nullish(),
  choices: z.array(z.string()).nullish(),
  correct: z.union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))]).nullish(),
  multiple: z.boolean().nullish(),
  evidence: z.array(z.string()).nullish(),
  evidence_intervals: z.array(z.tuple([z.string(), z.string()])).nullish(),
  kind: z.string().nullish(),
});

/** "[shares a picture: …]" in a conversation is what was seen. */
const SHARED_PICTURE = /\s*\[shares a picture: ([^\]]*)\]/g;

/** A turn of a conversation split into what was said and what was shown. */
export function spoken(speaker: string, text: string): { said: string; shown: string[] } {
  const prefix = `${speaker}: `;
  const whole = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return {
    said: whole.replace(SHARED_PICTURE, '').trim(),
    shown: [...whole.matchAll(SHARED_PICTURE)].map((m) => m[1]!),
  };
}

function episodeOf(row: Row): EvalEpisode {
  const it = shaped(EpisodeRow, row);
  const startMs = instant(it.start, row.where);
  const endMs = instant(it.end, row.where);
  if (endMs < startMs) throw malformed(row.where, 'the episode ends before it starts');
  const turn = it.speaker ? spoken(it.speaker, it.text) : null;
  const said = turn?.said ?? it.transcript ?? null;
  const objects = (it.objects ?? []).map(
    (object) =>
      `${object.object_name}: ${[(object.status ?? []).join(', '), object.location, object.interaction]
        .filter(Boolean)
        .join('; ')}`,
  );
  const captions = it.captions ?? (turn ? [] : [it.text]);
  const moments = it.narrations
    ? it.narrations.map(({ text, start_s }) => ({
        text: `I ${text}.`,
        atMs: Math.round(startMs + (start_s - (it.start_s ?? 0)) * 1000),
      }))
    : [...captions, ...objects].map((text) => ({ text, atMs: null }));
  return {
    id: it.id,
    stream: it.stream,
    startMs,
    endMs,
    video: it.video ?? null,
    wearer: it.wearer ?? null,
    text: it.text_with_objects ?? it.text,
    caption: captions.join(' '),
    transcript: said ? [{ speaker: it.speaker ?? null, text: said }] : [],
    visual: [...(it.visual ?? []), ...(turn?.shown ?? [])],
    structured: objects,
    moments,
  };
}

function questionOf(row: Row): EvalQuestion {
  const it = shaped(QuestionRow, row);
  const choices = it.choices ?? [];
  const correct =
    choices.length > 0 && it.correct !== null && it.correct !== undefined
      ? correctOptions(it.correct, choices, row.where)
      : null;
  return {
    id: it.id,
    stream: it.stream,
    question: it.question,
    choices,
    multiple: it.multiple ?? false,
    correct,
    answer: it.answer === null || it.answer === undefined ? null : String(it.answer),
    askedAtMs: instant(it.asked_at, row.where),
    evidence: it.evidence ?? [],
    intervals: (it.evidence_intervals ?? []).map(([start, end]) => ({
      stream: it.stream,
      video: null,
      startMs: instant(start, row.where),
      endMs: instant(end, row.where),
    })),
    kind: it.kind ?? 'question',
    unanswerable: it.unanswerable ?? it.answer === null,
  };
}

/** @throws FootnoteError FILE_MISSING, BAD_REQUEST with the line */
export function readEpisodeRows(file: string): EvalEpisode[] {
  return readRecords(file).map(episodeOf);
}

/** @throws FootnoteError FILE_MISSING, BAD_REQUEST with the line */
export function readQuestionRows(file: string): EvalQuestion[] {
  const rows = readRecords(file);
  const questions = rows.map(questionOf);
  // Whether several may be right is told of a whole set: told of one question it would give part of its answer away.
  const several = rows.some(({ value }) => Array.isArray((value as { correct?: unknown } | null)?.correct));
  for (const question of questions) question.multiple ||= several && question.choices.length > 0;
  return questions;
}
