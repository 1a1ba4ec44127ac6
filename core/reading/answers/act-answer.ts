/** When, how often and how long. */
import { type Asker, cite, elsewhere, introduce, quoteSentences, type Sentence, when } from '../compose.ts';
import type { Unit } from '../evidence.ts';
import type { Scored } from '../judge.ts';
import { type Occasion, occasionsOf, runAround } from '../occasions.ts';
import type { Question } from '../question.ts';
import { sayClock, sayDay, sayDuration, sayList } from '../say-time.ts';
import { outermost } from './evidence-answer.ts';

/** Units that match about as well as the best: the same act, not a similar one. */
const SAME_ACT = 0.97;
const SAME_SURROUNDINGS = 0.9;
const MOST_TIMES = 5;
const MOST_COUNTED_SHOWN = 20;
/** Occasions of so few days are told in one sentence. */
const DAYS_A_SENTENCE = 2;
const SPOKEN_DURATION =
  /\b(?:\d+(?:[.,]\d+)?|an?|half an?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|sixty|ninety)\s+(?:and\s+a\s+half\s+)?(?:seconds?|minutes?|hours?|days?|weeks?)\b/i;

/** The evidence that shows the very act asked about. */
export function sameActScores(scored: readonly Scored[]): Scored[] {
  const best = Math.max(0, ...scored.map((one) => one.coverage));
  const bestOwn = Math.max(0, ...scored.map((one) => one.own));
  // Where the words stand in the unit itself they decide; where only its surroundings hold them, those do.
  return scored.filter((one) =>
    bestOwn >= best * SAME_SURROUNDINGS
      ? one.own >= bestOwn * SAME_ACT
      : one.coverage >= best * SAME_SURROUNDINGS,
  );
}

const sameActs = (scored: readonly Scored[]): Unit[] => sameActScores(scored).map((one) => one.unit);

/** "On Friday 14 March at 08:18: “…”", for up to five occasions. */
export function whenSentences(scored: readonly Scored[], question: Question, asker: Asker): Sentence[] {
  if (question.order) {
    return quoteSentences(
      outermost(sameActScores(scored), question).map((one) => one.unit),
      question,
      asker,
    );
  }
  const occasions = occasionsOf(sameActs(scored));
  const best = scored[0]?.unit;
  // With many occasions the best match and the latest ones say more than the first five.
  const firsts = occasions.map((occasion) => occasion.units[0]!);
  const shown = firsts.length <= MOST_TIMES ? firsts : firsts.slice(-MOST_TIMES);
  if (best && !shown.some((unit) => unit === best) && firsts.includes(best)) shown[0] = best;
  return quoteSentences(shown, question, asker);
}

/** "Twice: at 08:30 and 17:20 on Friday 15 May.", with a line for each day when there are several. */
export function countSentences(
  scored: readonly Scored[],
  question: Question,
  asker: Asker,
  complete: boolean,
): Sentence[] {
  const occasions = occasionsOf(sameActs(scored));
  const byDay = new Map<string, Occasion[]>();
  for (const occasion of occasions) {
    const day = sayDay(occasion.startMs, occasion.units[0]!.episode.zone, asker.nowMs);
    byDay.set(day, [...(byDay.get(day) ?? []), occasion]);
  }
  const total = capital(`${complete ? '' : 'at least '}${times(occasions.length)}`);
  let left = MOST_COUNTED_SHOWN;
  const told = [...byDay].map(([day, ofDay]) => {
    const shown = ofDay.slice(0, Math.max(1, left));
    left -= shown.length;
    const clocks = shown.map((one) => sayClock(one.startMs, one.units[0]!.episode.zone));
    if (ofDay.length > shown.length) clocks.push(`${ofDay.length - shown.length} times more`);
    const cites = shown.map((one) => cite(one.units[0]!, question));
    return { day, count: ofDay.length, at: `at ${sayList(clocks)}`, cites };
  });
  const first = told[0]?.cites[0];
  if (!first) return [];
  const there = elsewhere(first.unit, asker);
  if (told.length <= DAYS_A_SENTENCE) {
    const when = sayList(told.map(({ day, at }) => `${at} on ${day}`));
    const cites = told.flatMap((one) => one.cites) as Sentence['cites'];
    return [{ text: `${total}: ${when}${there}.`, cites }];
  }
  return told.map(({ day, count, at, cites }, n) => ({
    text: `${n === 0 ? `${total}${there}. ` : ''}${capital(times(count))} on ${day}, ${at}.`,
    cites: cites as Sentence['cites'],
  }));
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** "once", "twice", "3 times". */
export function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

/** How long: said in so many words, or from the first to the last moment of one stretch. */
export function durationSentences(scored: readonly Scored[], question: Question, asker: Asker): Sentence[] {
  const best = scored[0];
  if (!best) return [];
  const acts = sameActs(scored);
  const spoken = acts.find((unit) => SPOKEN_DURATION.test(unit.text));
  if (spoken) return quoteSentences([spoken], question, asker);
  // How long a sentence about something takes to say is not how long the thing took.
  const shown = acts.filter((unit) => unit.kind !== 'speech');
  if (shown.length === 0) return [];
  const start =
    question.order === 'last'
      ? shown.reduce((a, b) => (b.startMs > a.startMs ? b : a))
      : (shown[0] ?? best.unit);
  const run = runAround(start, shown);
  const first = run.units[0]!;
  const last = run.units.at(-1)!;
  const { zone } = first.episode;
  const at = when(first, asker, null);
  const cites: Sentence['cites'] = [cite(first, question)];
  if (last !== first) cites.push(cite(last, question));
  return [
    {
      text: `${at.words}, until ${sayClock(run.endMs, zone)}: about ${sayDuration(run.endMs - run.startMs)} (${introduce(first, cites[0].text)})`,
      cites,
    },
  ];
}
