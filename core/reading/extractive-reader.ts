/**
 * The reader that needs no model: it plans from the kind of question, looks with search_memory and fetch_memory, and answers
 * with quotations. Whatever it says is in an episode, and every sentence cites it; where nothing fits it says so. Text that
 * was seen or heard is only ever quoted, never followed.
 */
import {
  type Answer,
  type DaySummary,
  type Episode,
  FETCH_MAX,
  FootnoteError,
  type TimeSpan,
} from '../contract/index.ts';
import type { MemoryReader } from '../memory/memory.ts';
import { countSentences, durationSentences, sameActScores, whenSentences } from './answers/act-answer.ts';
import { compareSentences } from './answers/compare-answer.ts';
import { digestSentences, endSentences } from './answers/digest-answer.ts';
import { evidenceSentences, outermost, pickUnits } from './answers/evidence-answer.ts';
import { neighbourSentences } from './answers/neighbour-answer.ts';
import { peopleSentences } from './answers/people-answer.ts';
import { pictureSentences } from './answers/picture-answer.ts';
import { clockSentences, habitSentences, rateSentences } from './answers/routine-answer.ts';
import { saidScored } from './answers/said-answer.ts';
import { readComparison } from './comparison.ts';
import { type Sentence, writeAnswer } from './compose.ts';
import type { Unit } from './evidence.ts';
import { inThread } from './follow-up.ts';
import {
  type Chosen,
  chooseReading,
  gather,
  gatherByWord,
  type Pool,
  reachOut,
  searchByDay,
} from './gather.ts';
import { judge, type Scored } from './judge.ts';
import { type Look, lookFor } from './look.ts';
import { lookUpAct } from './look-up-act.ts';
import { nothingFound } from './nothing.ts';
import { withZonesOfRecordings } from './other-zones.ts';
import { type Question, readQuestion, withDateAsWords } from './question.ts';
import type { AskOptions, Reader } from './reader.ts';
import { readRoutine } from './routine.ts';
import { hasContent } from './terms.ts';
import { readTimeWords } from './time-words.ts';
import { holdsPrice } from './wants.ts';

export const EXTRACTIVE_READER = 'footnote-extractive/1';

/** Questions that use the date and word tables, which are built at their first use. */
const WARM_UP = ['What did I do on Tuesday at 3?', 'Where did I put it this morning?'];

/** A reader over a memory; it keeps nothing between questions. */
export function createExtractiveReader(memory: MemoryReader): Reader {
  return {
    name: EXTRACTIVE_READER,
    async warm() {
      for (const question of WARM_UP) readQuestion(question, { nowMs: 0, zone: 'UTC' });
      try {
        await memory.search({ query: WARM_UP.join(' '), timeAnchor: null, topK: 1, nowMs: Date.now() });
        await memory.days();
      } catch {
        // Whatever is wrong with the memory is for the first question to tell.
      }
    },
    async ask(text, options) {
      const started = performance.now();
      const asked = text.trim();
      if (asked === '') throw new FootnoteError('BAD_REQUEST', 'The question is empty.');
      const look = lookFor(memory, options);
      const days = await memory.days(options.nowMs);
      const extent = await memory.extent(options.nowMs);
      const when = { ...options, recordedDays: days.map((day) => day.day) };
      const begun = (await memory.listRecordings()).filter(({ startMs }) => startMs < options.nowMs);
      const zones = [...new Set(begun.map(({ clock }) => clock.zone))];
      const readAs = inThread(asked, options.thread ?? [], when);
      const question = withZonesOfRecordings(readQuestion(readAs ?? asked, when), when, zones.reverse());
      const { sentences, chosen } = extent
        ? await answerFrom(question, look, days, extent, options)
        : { sentences: [], chosen: null };
      const written = writeAnswer(sentences);
      const writers = new Set(
        sentences.flatMap(({ cites }) => cites.map(({ unit }) => writerOf(unit.episode.writer))),
      );
      const answer: Answer = {
        question: asked,
        ...(readAs !== null && { readAs }),
        askedAtMs: options.nowMs,
        answer:
          sentences.length > 0
            ? written.answer
            : nothingFound(question, chosen, extent, look.seen.size, options),
        found: sentences.length > 0,
        footnotes: written.footnotes,
        steps: [...look.steps],
        writer: [...writers].join(', '),
        reader: EXTRACTIVE_READER,
        seconds: (performance.now() - started) / 1000,
      };
      return answer;
    },
  };
}

const writerOf = (writer: { name: string; version: string }): string => `${writer.name}/${writer.version}`;

interface Found {
  sentences: Sentence[];
  chosen: Chosen | null;
}

/** Settles the time first: what is impossible or to come has no answer, and a day that is asked about is no anchor. */
async function answerFrom(
  question: Question,
  look: Look,
  days: readonly DaySummary[],
  extent: TimeSpan,
  options: AskOptions,
): Promise<Found> {
  const several = await answerOfSeveral(question.text, look, days, extent, options);
  if (several) return { sentences: several, chosen: null };
  const { time } = question;
  const everything: Chosen = { reading: null, episodes: [], more: 0 };
  if (time.impossible) return { sentences: [], chosen: null };
  // "Open on Saturday?", "due on 28 March?": the day is part of what is looked for.
  const aboutDay =
    time.namedDay && (hasContent(question.terms) || (question.present && question.terms.length > 0));
  const byDayName = async (): Promise<Found> => ({
    sentences: await sentencesFor(withDateAsWords(question), everything, look, days, extent, options),
    chosen: everything,
  });
  if (aboutDay && question.present) {
    const found = await byDayName();
    if (found.sentences.length > 0 || time.future) return found;
  }
  if (time.future) return { sentences: [], chosen: null };
  const chosen = time.readings.length > 0 ? await chooseReading(question, look, days) : everything;
  if (chosen.reading && chosen.episodes.length === 0) {
    const found = aboutDay && !question.present ? await byDayName() : null;
    return found && found.sentences.length > 0 ? found : { sentences: [], chosen };
  }
  return { sentences: await sentencesFor(question, chosen, look, days, extent, options), chosen };
}

/** Days a habit of the day is read off, the latest ones: one look each, within the budget. */
const HABIT_DAYS_LOOKED = 7;

/** Comparisons and habits rest on several looks; null when the question is neither, or nothing came of it. */
async function answerOfSeveral(
  text: string,
  look: Look,
  days: readonly DaySummary[],
  extent: TimeSpan,
  options: AskOptions,
): Promise<Sentence[] | null> {
  const compared = readComparison(text);
  if (compared) {
    const [one, other] = compared.sides;
    const found = [
      await lookUpAct(one.question, look, days, extent, options),
      await lookUpAct(other.question, look, days, extent, options),
    ] as const;
    const sentences = compareSentences(compared, found, options);
    return sentences.length > 0 ? sentences : null;
  }
  const routine = readRoutine(text);
  if (!routine) return null;
  if (routine.kind !== 'acts') {
    const found = await lookUpAct(routine.question, look, days, extent, options);
    const sentences = routine.kind === 'clock' ? clockSentences(found, days) : rateSentences(found, days);
    return sentences.length > 0 ? sentences : null;
  }
  const question = readQuestion(routine.question, options);
  const part = question.time.readings[0]?.part ?? null;
  const byDay = new Map<string, Episode[]>();
  for (const day of days.slice(-HABIT_DAYS_LOOKED)) {
    // The part of the day as it fell on that day; the whole day when none is named.
    const onDay = part
      ? readTimeWords(`in the ${part}`, { ...options, recordedDays: [day.day] }).readings.find(
          ({ span }) => span.startMs < day.endMs && span.endMs > day.startMs,
        )
      : null;
    if (part && !onDay) continue;
    const span = onDay?.span ?? { startMs: day.startMs, endMs: day.endMs };
    const { episodes } = await look.fetch(span, FETCH_MAX, part);
    if (episodes.length > 0) byDay.set(day.day, episodes);
  }
  const sentences = habitSentences(byDay, question);
  return sentences.length > 0 ? sentences : null;
}

async function sentencesFor(
  question: Question,
  chosen: Chosen,
  look: Look,
  days: readonly DaySummary[],
  extent: TimeSpan,
  options: AskOptions,
): Promise<Sentence[]> {
  if (question.kind === 'after' || question.kind === 'before') {
    return neighbourSentences(question, chosen, look, options);
  }
  if (question.kind === 'list' && question.order)
    return endSentences(question, await overview(chosen, look, days), look, options, days);
  if (question.kind === 'list' && !hasContent(question.terms)) {
    return digestSentences(question, await overview(chosen, look, days), look, options);
  }
  const digested = digestOf(question, chosen);
  if (digested) return digestSentences(question, chosen, look, options, digested);
  if (
    question.kind === 'who' &&
    chosen.reading &&
    !question.terms.some((term) => term.kind !== 'verb' && term.kind !== 'light')
  ) {
    const people = peopleSentences(question, chosen, options);
    if (people.length > 0) return people;
  }
  const pool = await gather(question, chosen, look);
  const within = chosen.reading?.span ?? { startMs: extent.startMs, endMs: options.nowMs };
  const scores = (): Scored[] => scored(question, pool);
  if (scores().length === 0) await gatherByWord(question, chosen, pool, look);
  if (question.order) {
    await reachOut(question, pool, look, within, () => hit(scores(), question));
  }
  if (question.kind === 'count') {
    const complete = await searchByDay(question, pool, look, days, within);
    return countSentences(scores(), question, options, complete);
  }
  if (question.kind === 'duration') return durationSentences(scores(), question, options);
  const told =
    question.kind === 'when'
      ? whenSentences(scores(), question, options)
      : evidenceSentences(pickUnits(scores(), question), question, options, pool.candidates());
  return told.length > 0 ? told : pictureSentences(question, pool.whole, options);
}

/** "How did I get there?" is not answered by everything that was. */
const ASKS_WHAT = /^\s*(?:and\s+|so\s+)?(?:what|where|which)\b/i;
/** "at lunch" is when; "for lunch" is what was eaten. */
const FOR_A_MEAL = /^for\s/;
const ABOUT_FOOD =
  /\b(?:menu|eat|eating|ate|drink|drank|order(?:ed)?|meal|food|dish|soup|salad|sandwich|pizza|pasta|rice|coffee|tea|bread|cake|delicious|tasty|hungry)\b/i;

/**
 * Which pieces of the time asked about answer a question that has nothing else to go by ("where was I at half past three?",
 * "what did we talk about before lunch?"); null when the question has its own words, or no time.
 */
function digestOf(question: Question, chosen: Chosen): ((unit: Unit) => boolean) | null {
  const { kind, time, speaker } = question;
  if (!chosen.reading) return null;
  if (time.words && FOR_A_MEAL.test(time.words) && kind === 'what') {
    return question.terms.every((term) => ABOUT_FOOD.test(term.text) || term.kind === 'light')
      ? (unit) => ABOUT_FOOD.test(unit.text) || (unit.kind === 'visible' && unit.lines.some(holdsPrice))
      : null;
  }
  if (hasContent(question.terms) || question.order) return null;
  if (kind === 'said') return speaker === null ? (unit) => unit.kind === 'speech' : null;
  if (kind === 'read') return (unit) => unit.kind === 'visible';
  if (kind === 'where' || (kind === 'what' && ASKS_WHAT.test(question.text))) return () => true;
  return null;
}

/** Where the outermost evidence so far stands. */
function hit(scores: readonly Scored[], question: Question): Scored['unit'] | null {
  const near = question.kind === 'when' ? sameActScores(scores) : scores;
  return outermost(near, { ...question, howMany: 1 })[0]?.unit ?? null;
}

function scored(question: Question, pool: Pool): Scored[] {
  const candidates = pool.candidates();
  if (question.kind === 'said') return saidScored(question, candidates);
  return judge(question.terms, candidates, question);
}

/** A digest without a time is of the last recorded day. */
async function overview(chosen: Chosen, look: Look, days: readonly DaySummary[]): Promise<Chosen> {
  const last = days.at(-1);
  if (chosen.reading || !last) return chosen;
  const span = { startMs: last.startMs, endMs: last.endMs };
  return { reading: { span, pointMs: null, part: null }, ...(await look.fetch(span)) };
}
