/** The answer when nothing supports one: it says what was looked through and never more. */
import type { TimeSpan } from '../contract/index.ts';
import type { Chosen } from './gather.ts';
import type { Question } from './question.ts';
import { sayDay, sayDuring, saySpan } from './say-time.ts';

const plural = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** "red bicycle", in the question's own words. */
function about(question: Question): string | null {
  const terms = [...question.terms, ...question.anchor];
  const things = terms.filter(({ kind }) => kind !== 'particle' && kind !== 'light' && kind !== 'verb');
  const shown = (things.length > 0 ? things : terms).map((term) => term.text);
  return shown.length > 0 ? `“${shown.join(' ')}”` : null;
}

/** The person whose words were asked for, as the question writes the name. */
function voiceAsked({ speaker, text }: Question): string | null {
  if (speaker === null || speaker === 'i') return null;
  const at = text.toLowerCase().indexOf(speaker);
  return at < 0 ? null : text.slice(at, at + speaker.length);
}

/**
 * Why there is no answer, in words.
 * @param extent first and last remembered instant up to the question's, null when nothing is remembered by then
 * @param looked how many episodes were looked through
 */
export function nothingFound(
  question: Question,
  chosen: Chosen | null,
  extent: TimeSpan | null,
  looked: number,
  asker: { nowMs: number; zone: string },
): string {
  if (question.time.impossible) return `There is no such time as “${question.time.impossible}”.`;
  if (!extent) return 'Nothing had been recorded by then.';
  if (question.time.future && !chosen?.reading) {
    return `“${question.time.words}” is still to come: nothing is recorded about it yet.`;
  }
  const reading = chosen?.reading ?? null;
  if (reading && chosen?.episodes.length === 0) {
    const from = sayDay(extent.startMs, asker.zone, asker.nowMs);
    const to = sayDay(extent.endMs, asker.zone, asker.nowMs);
    const during = sayDuring(reading.span, asker, reading.part);
    return `Nothing was recorded ${during}. I remember ${from === to ? from : `${from} to ${to}`}.`;
  }
  const subject = about(question);
  const voice = voiceAsked(question);
  let found = subject ? `found nothing about ${subject}` : 'found nothing that answers this';
  if (voice) found = `found nothing that ${voice} said${subject ? ` about ${subject}` : ''}`;
  const where = reading ? ` from ${saySpan(reading.span, asker, reading.part)}` : '';
  return `I looked through ${plural(looked, 'episode')}${where} and ${found}.`;
}
