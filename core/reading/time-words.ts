/**
 * When a question is about: the words that say so are understood in the asker's zone at the question's instant and taken
 * out, so that the search is left with what the question is about. MemLife's time anchor is the span that comes of it.
 */
import { DateTime } from 'luxon';
import { FootnoteError, type TimeSpan } from '../contract/index.ts';
import { impossibleDate } from './calendar-dates.ts';
import {
  type ClockWords,
  DAY_MINUTES,
  type DayPartWords,
  findClock,
  findDayPart,
  onNamedDay,
  type Place,
  within,
} from './clock-words.ts';
import { findDate } from './date-words.ts';
import type { DateWords, Days } from './days.ts';
import { findElapsed } from './elapsed-words.ts';
import { findRange } from './range-words.ts';

/** One reading of the time words. */
export interface TimeReading {
  /** [startMs, endMs), already clipped to the question's instant. */
  span: TimeSpan;
  /** The instant itself when the words point at one ("at 8:15"), epoch ms. */
  pointMs: number | null;
  /** Part of the day in words ("afternoon"), for telling what is looked at. */
  part: string | null;
}

export interface TimeWords {
  /** The likeliest first; empty when the question names no time, or none that has begun. */
  readings: TimeReading[];
  /** The question without its time words. */
  rest: string;
  /** The time words as asked ("yesterday after lunch"), or null. */
  words: string | null;
  /** Set when the time named lies wholly after the question's instant. */
  future: boolean;
  /** A date that no calendar has ("31 February"), or null. */
  impossible: string | null;
  /** True when the words name a weekday or a date, which may also be what is asked about ("due on 28 March"). */
  namedDay: boolean;
}

export interface AskedWhen {
  nowMs: number;
  /** IANA name or fixed offset in luxon's form. */
  zone: string;
  /** Days (YYYY-MM-DD) that hold episodes: a time of day without a day is looked for on them. Newest last. */
  recordedDays?: readonly string[];
}

/** How many recorded days a time of day without a day is tried on. */
const MAX_CANDIDATE_DAYS = 40;
/** A weekday by itself; "last Tuesday" is only ever a time. */
const WEEKDAY = /^(?!.*\b(?:last|past|this|previous)\b).*\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i;
/** Before this hour "today" may still mean the day that has just ended. */
const DAY_BEGINS_HOUR = 5;
/** "before Tuesday" has no beginning. */
const BEGINNING_MS = 0;

/** Epoch ms of a wall-clock minute on a day; where a clock change makes it happen twice, the earlier or the later one. */
function wallMs(day: DateTime, minutes: number, edge: 'earlier' | 'later'): number {
  const shift = Math.floor(minutes / DAY_MINUTES);
  const date = day.plus({ days: shift });
  const minute = minutes - shift * DAY_MINUTES;
  const wall = DateTime.fromObject(
    { year: date.year, month: date.month, day: date.day, hour: Math.floor(minute / 60), minute: minute % 60 },
    { zone: day.zone },
  );
  const both = wall.getPossibleOffsets().map((possible) => possible.toMillis());
  return edge === 'earlier' ? Math.min(...both) : Math.max(...both);
}

interface Part {
  from: number;
  to: number;
  point: number | null;
  name: string | null;
}

/** The spans of the day that a clock time with its relation stands for, minutes from midnight. */
function clockParts(clock: ClockWords, part: DayPartWords | null): Part[] {
  return within(clock.minutes, part).map((minute) => {
    const name = part?.name ?? null;
    if (clock.relation === 'before' || clock.relation === 'until')
      return { from: 0, to: minute, point: null, name };
    if (clock.relation === 'after' || clock.relation === 'since')
      return { from: minute, to: Math.max(DAY_MINUTES, minute), point: null, name };
    return { from: minute - clock.before, to: minute + clock.after, point: minute, name };
  });
}

function candidateDays(now: DateTime, asked: AskedWhen, onlyToday: boolean): DateTime[] {
  const today = now.startOf('day');
  const days = [today];
  if (!onlyToday || now.hour < DAY_BEGINS_HOUR) days.push(today.minus({ days: 1 }));
  if (!onlyToday) {
    for (const iso of (asked.recordedDays ?? []).slice(-MAX_CANDIDATE_DAYS).reverse()) {
      const day = DateTime.fromISO(iso, { zone: now.zone });
      if (day.isValid && day < today.minus({ days: 1 })) days.push(day.startOf('day'));
    }
  }
  return days;
}

function spanOnDays(days: Days, relation: DateWords['relation'], nowMs: number): TimeSpan {
  const from = days.from.toMillis();
  const to = days.to.toMillis();
  if (relation === 'before') return { startMs: BEGINNING_MS, endMs: from };
  if (relation === 'after') return { startMs: to, endMs: Math.max(nowMs, to) };
  if (relation === 'since') return { startMs: from, endMs: Math.max(nowMs, to) };
  if (relation === 'until') return { startMs: BEGINNING_MS, endMs: to };
  return { startMs: from, endMs: to };
}

function partOnDay(day: DateTime, part: Part): TimeReading {
  return {
    span: { startMs: wallMs(day, part.from, 'earlier'), endMs: wallMs(day, part.to, 'later') },
    pointMs: part.point === null ? null : wallMs(day, part.point, 'earlier'),
    part: part.name,
  };
}

/** Every reading of the date, clock and day part found, not yet clipped. */
function readingsOf(
  date: DateWords | null,
  parts: Part[],
  dayPart: DayPartWords | null,
  now: DateTime,
  asked: AskedWhen,
): TimeReading[] {
  if (parts.length === 0) {
    const whole = date?.days ?? [];
    return whole.map((days) => ({
      span: spanOnDays(days, date!.relation, asked.nowMs),
      pointMs: null,
      part: null,
    }));
  }
  if (dayPart?.anchor === 'last-night') {
    // Asked in the small hours, "last night" is the one still going on.
    const evening = now.startOf('day').minus({ days: 1 });
    return parts.map((part) => partOnDay(evening, part));
  }
  if (!date) {
    const days = candidateDays(now, asked, dayPart?.anchor === 'today');
    return days.flatMap((day) => parts.map((part) => partOnDay(day, part)));
  }
  return date.days.flatMap((days) => {
    const singleDay = days.to.diff(days.from, 'days').days < 1.5;
    if (!singleDay)
      return [{ span: spanOnDays(days, date.relation, asked.nowMs), pointMs: null, part: null }];
    return parts.map((part) => {
      const on = partOnDay(days.from, part);
      if (date.relation === 'since' || date.relation === 'after')
        return {
          ...on,
          span: { startMs: on.span.startMs, endMs: Math.max(asked.nowMs, on.span.endMs) },
          pointMs: null,
        };
      if (date.relation === 'before')
        return { ...on, span: { startMs: BEGINNING_MS, endMs: on.span.startMs }, pointMs: null };
      if (date.relation === 'until')
        return { ...on, span: { startMs: BEGINNING_MS, endMs: on.span.endMs }, pointMs: null };
      return on;
    });
  });
}

/** Quoted words, and what follows "this:", are what is asked about and never when. */
function unquoted(text: string): string {
  return text.replace(/["“][^"”]*["”]|(?<=\bthis:).*$/g, (quoted) => ' '.repeat(quoted.length));
}

/** Blanks words that are understood, keeping every other position. */
function blank(text: string, place: Place | null): string {
  if (!place) return text;
  return text.slice(0, place.index) + ' '.repeat(place.length) + text.slice(place.index + place.length);
}

function remove(text: string, places: readonly Place[]): string {
  let rest = text;
  for (const place of places) rest = blank(rest, place);
  return rest
    .replace(/\s+/g, ' ')
    .replace(/\s+([?.!,])/g, '$1')
    .replace(/^[\s,]+/, '')
    .trim();
}

function wordsAt(text: string, places: readonly Place[]): string | null {
  if (places.length === 0) return null;
  return [...places]
    .sort((a, b) => a.index - b.index)
    .map((place) => text.slice(place.index, place.index + place.length).trim())
    .join(' ');
}

/**
 * Reads the time words of a question.
 * @param question as typed; English
 * @param asked the question's instant and zone; spans never reach past the instant
 * @throws FootnoteError BAD_REQUEST when the instant or the zone is not valid
 */
export function readTimeWords(question: string, asked: AskedWhen): TimeWords {
  const now = DateTime.fromMillis(asked.nowMs, { zone: asked.zone });
  if (!now.isValid) {
    throw new FootnoteError(
      'BAD_REQUEST',
      `The question's instant or zone is not valid: ${now.invalidExplanation ?? asked.zone}`,
    );
  }
  const lower = question
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2013\u2014]/g, '-')
    .toLowerCase();
  // Lower case of a few letters is longer than the letter; positions would no longer be the question's.
  const text = unquoted(lower.length === question.length ? lower : question);

  const none: TimeWords = {
    readings: [],
    rest: question,
    words: null,
    future: false,
    impossible: null,
    namedDay: false,
  };
  const impossible = impossibleDate(text);
  if (impossible) return { ...none, impossible, words: impossible };

  const elapsed = findElapsed(text, asked.nowMs);
  const range = elapsed ? null : findRange(text, now);
  let left = blank(text, elapsed ?? range);
  const clock = elapsed || range ? null : findClock(left);
  left = blank(left, clock);
  const dayPart = elapsed ? null : findDayPart(left);
  left = blank(left, dayPart);
  const base = clock?.utc ? now.setZone('utc') : now;
  const date = elapsed || range?.kind === 'days' ? null : findDate(left, base);

  const places = [elapsed, range, clock, dayPart, date].filter(
    (place): place is NonNullable<typeof place> => place !== null,
  );
  let found: TimeReading[];
  if (elapsed) found = [{ span: elapsed.span, pointMs: elapsed.pointMs, part: null }];
  else if (range?.kind === 'days') found = [{ span: range.span, pointMs: null, part: null }];
  else {
    let parts: Part[] = [];
    if (range) parts = range.parts.map((part) => ({ ...part, point: null, name: null }));
    else if (clock) parts = clockParts(clock, dayPart);
    else if (dayPart) {
      const reach = date ? onNamedDay(dayPart) : dayPart;
      const name = dayPart.relation === 'at' ? dayPart.name : `${dayPart.relation} ${dayPart.name}`;
      parts = [{ from: reach.from, to: reach.to, point: null, name }];
    }
    found = readingsOf(date, parts, dayPart, base, asked);
  }
  const begun = found.filter((reading) => reading.span.startMs < asked.nowMs);
  const readings = begun.map((reading) => ({
    ...reading,
    span: { startMs: reading.span.startMs, endMs: Math.min(reading.span.endMs, asked.nowMs) },
  }));
  return {
    readings,
    rest: remove(question, places),
    words: wordsAt(question, places),
    future: found.length > 0 && readings.length === 0,
    impossible: null,
    namedDay:
      date !== null && (date.explicit || WEEKDAY.test(question.slice(date.index, date.index + date.length))),
  };
}
