/**
 * Follow-ups made to stand alone: "and on Tuesday?", "what about my wallet?", "when was that?", "and the day before?" are read
 * with the question before them. Pure: words in, a whole question out.
 */
import { DateTime } from 'luxon';
import type { ThreadTurn } from '../contract/index.ts';
import { hasContent, termsOf } from './terms.ts';
import { type AskedWhen, readTimeWords } from './time-words.ts';

const LEAD = /^(?:(?:and|so|but|ok|okay|well)[\s,]+)*/i;
const ABOUT = /^(?:(?:and|so|but|ok|okay|well)[\s,]+)*(?:what|how)\s+about\s+/i;
/** What makes a piece a clause of its own. */
const CLAUSE =
  /\b(?:did|do|does|was|were|is|are|am|has|have|had|will|would|can|could|should|must)\b|^(?:what|where|when|who|whom|whose|why|which|how)\b/i;
const WH =
  /^(?:(?:where|when|who|whom|why)\b|how\s+(?:often|long|many\s+times)\b|(?:at\s+)?what\s+time\b|what\b)/i;
/** "When was that?", "where did it happen?", "how often?" ask the same of something else. */
const SAME_ASKED =
  /^(when|where|who|why|how\s+often|how\s+long|how\s+many\s+times|(?:at\s+)?what\s+time)(?:\s+(?:was|is|did|were)\s+(?:that|it|this|they|those)(?:\s+(?:happen|be|take|last))?(?:\s+(?:exactly|then))?)?$/i;
const NEIGHBOUR_DAY =
  /\b(?:on\s+)?the\s+(?:(?:day|morning|afternoon|evening|night)\s+(before|after)(?:\s+that)?|(next|following|previous)\s+(?:day|morning|afternoon|evening))\b/i;
const SAME_DAY = /\b(?:on\s+)?(?:that|the\s+same)\s+(?:day|morning|afternoon|evening)\b/i;
const NEXT_TO_THAT = /\b(?:right\s+|just\s+)?(before|after)\s+(?:that|then|this)\b|\b(?:and\s+)?then\s*\?*$/i;
const THING = /\b(?:it|that|this|them|those|these|one)\b/i;
const PERSON = /\b(?:he|she|him|her)\b/i;
const OWN = /\b(?:his|hers?|their)\s+\p{L}/iu;
/** A thing with what stands before it: "my spare keys", "the blue bowl"; up to what is no longer part of it. */
const NOUN_PHRASE =
  /\b(?:my|the|an?|our|some|any)\s+(?:(?!\b(?:on|at|in|from|to|with|for|by|of|before|after|yesterday|today|last|this|when|while|and|or)\b)[\p{L}\p{N}'’-]+\s*){1,4}/giu;

/**
 * A question as it stands alone.
 * @param thread turns before it, oldest first
 * @returns the whole question, or null when it stands alone already or nothing before it helps
 */
export function inThread(text: string, thread: readonly ThreadTurn[], asked: AskedWhen): string | null {
  const last = thread.at(-1);
  if (!last) return null;
  const before = inThread(last.question, thread.slice(0, -1), asked) ?? last.question;
  return resolve(text.trim(), before, last, asked);
}

function resolve(text: string, before: string, turn: ThreadTurn, asked: AskedWhen): string | null {
  const about = ABOUT.test(text);
  const bare = text
    .replace(about ? ABOUT : LEAD, '')
    .replace(/[\s?!.]+$/, '')
    .trim();
  if (bare === '') return null;
  const same = SAME_ASKED.exec(bare);
  if (same) return WH.test(before) ? before.replace(WH, capital(same[1]!)) : null;
  // Without evidence "the day before" has nothing to count from.
  if (!turn.evidence && (NEIGHBOUR_DAY.test(bare) || SAME_DAY.test(bare))) return null;
  const dated = withDay(bare, turn);
  if (!CLAUSE.test(bare)) {
    const time = readTimeWords(dated, asked);
    if (time.words !== null && !hasContent(termsOf(time.rest, false)))
      return `${withoutEnd(readTimeWords(before, asked).rest)} ${time.words}?`;
    if (dated !== bare && readTimeWords(dated, asked).words === null) return null;
    return about || LEAD.exec(text)![0] !== '' ? withOther(bare, before) : null;
  }
  const whole = withAntecedents(dated, before);
  return whole === bare ? null : `${capital(whole)}?`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const withoutEnd = (text: string): string => text.replace(/[\s?!.]+$/, '');

/** "the day before", "that day", "before that": as dates, from where the last answer's evidence lies. */
function withDay(text: string, { evidence }: ThreadTurn): string {
  if (!evidence) return text;
  const first = DateTime.fromMillis(evidence.startMs, { zone: evidence.zone });
  const last = DateTime.fromMillis(evidence.endMs, { zone: evidence.zone });
  const date = (day: DateTime) => `on ${day.setLocale('en-GB').toFormat('d LLLL yyyy')}`;
  const neighbour = NEIGHBOUR_DAY.exec(text);
  if (neighbour) {
    const back = neighbour[1]?.toLowerCase() === 'before' || neighbour[2]?.toLowerCase() === 'previous';
    const part = /morning|afternoon|evening|night/i.exec(neighbour[0])?.[0].toLowerCase();
    const day = back ? first.minus({ days: 1 }) : last.plus({ days: 1 });
    return text.replace(neighbour[0], `${date(day)}${part ? ` in the ${part}` : ''}`);
  }
  const sameDay = SAME_DAY.exec(text);
  if (sameDay) return text.replace(sameDay[0], date(last));
  const next = NEXT_TO_THAT.exec(text);
  if (!next) return text;
  const back = next[1]?.toLowerCase() === 'before';
  const at = back ? first : last;
  return text.replace(next[0], `${back ? 'before' : 'after'} ${at.toFormat('HH:mm')} ${date(at)}`).trim();
}

/** What the question before was about: its last thing with its article, else its last name or word. */
function thingOf(question: string): string | null {
  const phrases = question.match(NOUN_PHRASE);
  if (phrases) return phrases.at(-1)!.trim();
  const terms = termsOf(question, false).filter(({ kind }) => kind === 'thing' || kind === 'name');
  return terms.at(-1)?.text ?? null;
}

function personOf(question: string): string | null {
  const names = termsOf(question, false).filter(({ kind }) => kind === 'name');
  if (names.length > 0) return names[0]!.text.replace(/['’]s$/, '');
  return /\b(?:did|does|was|has)\s+((?:the|my|our)\s+[\p{L}'-]+)\s+\p{L}/iu.exec(question)?.[1] ?? null;
}

/** The question before with another thing or person in the place of its own. */
function withOther(other: string, before: string): string | null {
  const isName = /^\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*$/u.test(other);
  const old = isName ? (personOf(before) ?? thingOf(before)) : thingOf(before);
  if (old === null) return null;
  const at = before.lastIndexOf(old);
  return `${withoutEnd(before.slice(0, at) + other + before.slice(at + old.length))}?`;
}

/** "it" and "she" as what they stand for in the question before; what is left open stays. */
function withAntecedents(text: string, before: string): string {
  let whole = text;
  const person = personOf(before);
  if (person && PERSON.test(whole) && !OWN.test(whole)) whole = whole.replace(PERSON, person);
  const thing = thingOf(before);
  // A question with a thing of its own means that one by "it".
  const pointed = THING.exec(whole);
  if (thing && pointed && !hasContent(termsOf(whole.replace(THING, ' '), false).filter(isThing)))
    whole = `${whole.slice(0, pointed.index)}${thing}${whole.slice(pointed.index + pointed[0].length)}`;
  return whole;
}

const isThing = ({ kind }: { kind: string }): boolean => kind === 'thing';
