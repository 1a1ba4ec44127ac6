/**
 * M3-Bench (robot.json, web.json): one stream a video. `before_clip` is the last 30-s clip, from 0, that had ended when the question was
 * asked (floor(timestamp / 30) - 1 in every row of robot.json); `reasoning` is gold. The set has no evidence times.
 */
import path from 'node:path';
import { z } from 'zod';
import type { EvalQuestion, EvalStream } from '../set.ts';
import { malformed, readJson, shaped } from './read.ts';

const CLIP_MS = 30_000;
/** Where a video without episodes is taken to start. */
const NOMINAL_START_MS = Date.UTC(2024, 0, 1);
const Video = z.object({
  qa_list: z.array(
    z.object({
      question: z.string().min(1),
      answer: z.string().nullish(),
      question_id: z.string(),
      timestamp: z.string().nullish(),
      type: z.array(z.string()).nullish(),
      before_clip: z.number().int().nullish(),
    }),
  ),
});

function secondsOf(clock: string, where: string): number {
  const parts = clock.trim().split(':').map(Number);
  if (parts.length < 2 || parts.length > 3 || parts.some((part) => !(part >= 0)))
    throw malformed(where, `"${clock.slice(0, 20)}" is not a time of the form MM:SS`);
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}

/** @throws FootnoteError FILE_MISSING, BAD_REQUEST with the video */
export function readM3Bench(file: string, streams: readonly EvalStream[]): EvalQuestion[] {
  const name = path.basename(file);
  const videos = readJson(file);
  if (typeof videos !== 'object' || videos === null || Array.isArray(videos))
    throw malformed(name, 'videos by name were expected');
  return Object.entries(videos).flatMap(([stream, value]) => {
    const where = `${name}, ${stream}`;
    const episodes = streams.find(({ id }) => id === stream)?.episodes ?? [];
    const startMs = episodes[0]?.startMs ?? NOMINAL_START_MS;
    const lastMs = episodes.reduce((last, { endMs }) => Math.max(last, endMs), startMs);
    return shaped(Video, { value, where }).qa_list.map((qa): EvalQuestion => {
      const askedAtMs =
        qa.before_clip !== null && qa.before_clip !== undefined
          ? startMs + (qa.before_clip + 1) * CLIP_MS
          : qa.timestamp
            ? startMs + secondsOf(qa.timestamp, where) * 1000
            : lastMs;
      return {
        id: qa.question_id,
        stream,
        question: qa.question,
        choices: [],
        multiple: false,
        correct: null,
        answer: qa.answer ?? null,
        askedAtMs,
        evidence: [],
        intervals: [],
        kind: qa.type?.join(', ') ?? 'question',
        unanswerable: false,
      };
    });
  });
}
