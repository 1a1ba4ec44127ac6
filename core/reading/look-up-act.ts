/** One act looked up whole: every occasion of it that the budget finds, for counting, comparing and habits. */
import type { DaySummary, TimeSpan } from '../contract/index.ts';
import { sameActScores } from './answers/act-answer.ts';
import { type Chosen, chooseReading, gather, searchByDay } from './gather.ts';
import { judge } from './judge.ts';
import type { Look } from './look.ts';
import { type Occasion, occasionsOf } from './occasions.ts';
import { type Question, readQuestion } from './question.ts';
import type { AskOptions } from './reader.ts';

export interface ActFound {
  question: Question;
  occasions: Occasion[];
  /** False when there may be more than was looked at. */
  complete: boolean;
}

/** @param days days that hold episodes before the question's instant, oldest first */
export async function lookUpAct(
  text: string,
  look: Look,
  days: readonly DaySummary[],
  extent: TimeSpan,
  options: AskOptions,
): Promise<ActFound> {
  const question = readQuestion(text, { ...options, recordedDays: days.map(({ day }) => day) });
  const everything: Chosen = { reading: null, episodes: [], more: 0 };
  const { time } = question;
  if (time.impossible || time.future) return { question, occasions: [], complete: true };
  const chosen = time.readings.length > 0 ? await chooseReading(question, look, days) : everything;
  if (chosen.reading && chosen.episodes.length === 0) return { question, occasions: [], complete: true };
  const pool = await gather(question, chosen, look);
  const within = chosen.reading?.span ?? { startMs: extent.startMs, endMs: options.nowMs };
  const complete = await searchByDay(question, pool, look, days, within);
  const scored = sameActScores(judge(question.terms, pool.candidates(), question));
  return { question, occasions: occasionsOf(scored.map(({ unit }) => unit)), complete };
}
