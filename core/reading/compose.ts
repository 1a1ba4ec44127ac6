/** From evidence to an answer: sentences, each resting on units, become text with footnotes numbered in time order. */
import { DateTime } from 'luxon';
import { clipMediaId, type Episode, type Footnote, keyframeMediaId } from '../contract/index.ts';
import { isWearer, type Unit } from './evidence.ts';
import type { Question } from './question.ts';
import { quoteOf } from './quote.ts';
import { isElsewhere, sayClock, sayDay } from './say-time.ts';

export interface Cite {
  unit: Unit;
  /** The words of the episode that are shown. */
  text: string;
}

/** A sentence with what it rests on. Never without a citation. */
export interface Sentence {
  text: string;
  cites: [Cite, ...Cite[]];
}

export interface Asker {
  nowMs: number;
  zone: string;
}

/** Two citations of one episode this close are one footnote. */
const SAME_FOOTNOTE_MS = 5_000;

export const cite = (unit: Unit, question: Question): Cite => ({ unit, text: quoteOf(unit, question) });

/** How a quotation is introduced, by what it is. */
export function introduce(unit: Unit, quote: string): string {
  if (unit.kind === 'speech') {
    return `${voiceOf(unit)} said: “${quote}”`;
  }
  return unit.kind === 'visible' ? `you could read: “${quote}”` : `“${quote}”`;
}

/** Who spoke, as a sentence names them. */
function voiceOf(unit: Unit): string {
  if (unit.speaker === null) return unit.voice ? `voice ${unit.voice}` : 'someone';
  return isWearer(unit.speaker) ? 'you' : unit.speaker;
}

/** Said once in an answer, where the clock of the recording is not the asker's. */
export const elsewhere = (unit: Unit, asker: Asker): string =>
  isElsewhere(unit.startMs, unit.episode.zone, asker.zone) ? ' (local time there)' : '';

/** The first instant of a sentence's first unit in words; the day is left out when the sentence before names it. */
export function when(unit: Unit, asker: Asker, dayBefore: string | null): { words: string; day: string } {
  const day = sayDay(unit.startMs, unit.episode.zone, asker.nowMs);
  const clock = sayClock(unit.startMs, unit.episode.zone);
  const there = dayBefore === null ? elsewhere(unit, asker) : '';
  return { words: day === dayBefore ? `At ${clock}` : `On ${day} at ${clock}${there}`, day };
}

/** One sentence a unit, in time order: "On Friday 14 March at 09:15 Anna said: “…”". */
export function quoteSentences(units: readonly Unit[], question: Question, asker: Asker): Sentence[] {
  let day: string | null = null;
  return [...units]
    .sort((a, b) => a.startMs - b.startMs)
    .map((unit) => {
      const at = when(unit, asker, day);
      day = at.day;
      const cited = cite(unit, question);
      const colon = unit.kind === 'speech' || unit.kind === 'visible' ? '' : ':';
      return { text: `${at.words}${colon} ${introduce(unit, cited.text)}`, cites: [cited] };
    });
}

function iso(ms: number, zone: string): string {
  return (
    DateTime.fromMillis(ms, { zone }).toISO({ suppressMilliseconds: true }) ?? new Date(ms).toISOString()
  );
}

function nearestKeyframe(episode: Episode, atMs: number): string | null {
  let best = -1;
  for (const [n, keyframe] of episode.keyframes.entries()) {
    if (best < 0 || Math.abs(keyframe.atMs - atMs) < Math.abs(episode.keyframes[best]!.atMs - atMs)) best = n;
  }
  return best < 0 ? null : keyframeMediaId(episode.id, best);
}

function footnoteOf(number: number, unit: Unit, texts: readonly string[]): Footnote {
  const { episode } = unit;
  const atMs = Math.min(
    Math.max(unit.startMs, episode.startMs),
    Math.max(episode.startMs, episode.endMs - 1),
  );
  return {
    number,
    episodeId: episode.id,
    recordingId: episode.recordingId,
    startMs: episode.startMs,
    endMs: episode.endMs,
    start: iso(episode.startMs, episode.zone),
    end: iso(episode.endMs, episode.zone),
    zone: episode.zone,
    text: [...new Set(texts)].join(' … '),
    atMs,
    keyframe: nearestKeyframe(episode, atMs),
    clip: episode.clip === null ? null : clipMediaId(episode.id),
    clipOffset: (atMs - episode.startMs) / 1000,
  };
}

/** Numbers what the sentences rest on in time order and writes the answer. */
export function writeAnswer(sentences: readonly Sentence[]): { answer: string; footnotes: Footnote[] } {
  const cites = sentences
    .flatMap((sentence) => sentence.cites)
    .sort((a, b) => a.unit.startMs - b.unit.startMs);
  const groups: { unit: Unit; cites: Cite[] }[] = [];
  for (const one of cites) {
    const same = groups.find(
      ({ unit }) =>
        unit.episode.id === one.unit.episode.id &&
        Math.abs(unit.startMs - one.unit.startMs) <= SAME_FOOTNOTE_MS,
    );
    if (same) same.cites.push(one);
    else groups.push({ unit: one.unit, cites: [one] });
  }
  const numbers = new Map<Cite, number>();
  for (const [n, group] of groups.entries()) for (const one of group.cites) numbers.set(one, n + 1);
  const text = sentences.map((sentence) => {
    const marks = [...new Set(sentence.cites.map((one) => numbers.get(one)!))].sort((a, b) => a - b);
    return `${sentence.text} ${marks.map((mark) => `[${mark}]`).join('')}`;
  });
  return {
    answer: text.join('\n'),
    footnotes: groups.map((group, n) =>
      footnoteOf(
        n + 1,
        group.unit,
        group.cites.map((one) => one.text),
      ),
    ),
  };
}
