import type { Question } from './question.ts';
import { type AskedWhen, readTimeWords } from './time-words.ts';

/** Zones of recordings tried beside the asker's; a long journey has a few. */
const MAX_ZONES = 3;

/**
 * Reads the question's time words by the clocks of the places recorded in as well: "at quarter to four" of a day abroad
 * means the clock there. Such readings come after the asker's own, which win where they hold anything.
 * @param zones zones of the recordings, the likeliest first
 */
export function withZonesOfRecordings(
  question: Question,
  asked: AskedWhen,
  zones: readonly string[],
): Question {
  const { time } = question;
  if (time.readings.length === 0) return question;
  const readings = [...time.readings];
  const known = new Set(readings.map(({ span }) => `${span.startMs} ${span.endMs}`));
  for (const zone of zones.filter((other) => other !== asked.zone).slice(0, MAX_ZONES)) {
    for (const reading of readTimeWords(question.text, { ...asked, zone }).readings) {
      const key = `${reading.span.startMs} ${reading.span.endMs}`;
      if (known.has(key)) continue;
      known.add(key);
      readings.push(reading);
    }
  }
  return { ...question, time: { ...time, readings } };
}
