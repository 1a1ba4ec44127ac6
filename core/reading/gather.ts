/** Which episodes to judge: the span the question's time words stand for, and what search and fetch bring from it. */
import type { DaySummary, Episode, TimeSpan } from '../contract/index.ts';
import { FETCH_MAX, SEARCH_MAX } from '../contract/index.ts';
import { type Candidate, candidateOf } from './judge.ts';
import type { Look } from './look.ts';
import type { Question } from './question.ts';
import { askedWords, type Reranked } from './rerank.ts';
import type { TimeReading } from './time-words.ts';

/** Readings of ambiguous time words that are tried before giving up. */
const READINGS_MAX = 4;

export interface Chosen {
  reading: TimeReading | null;
  /** Episodes of the span, when they were fetched. */
  episodes: Episode[];
  /** How many more the span holds. */
  more: number;
}

const overlaps = (span: TimeSpan, other: TimeSpan): boolean =>
  span.startMs < other.endMs && span.endMs > other.startMs;

/** The first reading of the question's time that holds episodes; its first reading, empty, when none does. */
export async function chooseReading(
  question: Question,
  look: Look,
  days: readonly DaySummary[],
): Promise<Chosen> {
  const { readings } = question.time;
  const possible = readings
    .filter(({ span }) => days.some((day) => overlaps(span, day)))
    .slice(0, READINGS_MAX);
  for (const reading of possible) {
    const { episodes, more } = await look.fetch(reading.span, FETCH_MAX, reading.part);
    if (episodes.length > 0) return { reading, episodes, more };
  }
  return { reading: readings[0] ?? null, episodes: [], more: 0 };
}

export class Pool {
  readonly #byId = new Map<string, Candidate>();
  /** What the search for the whole question brought: a picture is like all of it, or not. */
  whole: readonly Reranked[] = [];

  add(episode: Episode, found = 0): void {
    const known = this.#byId.get(episode.id);
    if (!known) this.#byId.set(episode.id, candidateOf(episode, found));
    else if (found > known.found) this.#byId.set(episode.id, { ...known, found });
  }

  /** In time order. */
  candidates(): Candidate[] {
    return [...this.#byId.values()].sort((a, b) => a.episode.startMs - b.episode.startMs);
  }
}

/** Searches the chosen span (or everything) and pools what comes with what was fetched. */
export async function gather(
  question: Question,
  chosen: Chosen,
  look: Look,
  query = question.search,
): Promise<Pool> {
  const pool = new Pool();
  for (const episode of chosen.episodes) pool.add(episode);
  const span = chosen.reading?.span ?? null;
  if (chosen.reading === null || chosen.more > 0 || question.terms.length > 0) {
    const asked = askedWords(question.text, question.kind === 'after' || question.kind === 'before');
    pool.whole = await look.search(query, span, chosen.reading?.part, SEARCH_MAX, asked);
    for (const { episode, score } of pool.whole) pool.add(episode, score);
  }
  return pool;
}

/** How many words are searched one by one when the whole question finds nothing. */
const SINGLE_WORDS = 3;

/** Searches the weightiest words one by one, each with what people say in its place: ranking by all words may bury one. */
export async function gatherByWord(
  question: Question,
  chosen: Chosen,
  pool: Pool,
  look: Look,
): Promise<void> {
  const words = question.terms.filter((term) => term.kind !== 'light' && term.kind !== 'particle');
  if (words.length < 2 && words.every((term) => term.matches.size <= 1)) return;
  const heaviest = [...words].sort((a, b) => b.weight - a.weight).slice(0, SINGLE_WORDS);
  for (const term of heaviest) {
    const query = [...new Set([term.text, ...term.matches])].join(' ');
    const found = await look.search(query, chosen.reading?.span ?? null, chosen.reading?.part);
    for (const { episode, score } of found) pool.add(episode, score);
  }
}

/**
 * For the last or first of many: looks again beyond the outermost hit until nothing more turns up.
 * @param hit the instant of the outermost hit so far, or null when there is none
 */
export async function reachOut(
  question: Question,
  pool: Pool,
  look: Look,
  within: TimeSpan,
  hit: () => { startMs: number; endMs: number } | null,
): Promise<void> {
  for (let outermost = hit(); outermost && look.roundsLeft() > 1; ) {
    const beyond: TimeSpan =
      question.order === 'first'
        ? { startMs: within.startMs, endMs: outermost.startMs }
        : { startMs: outermost.endMs, endMs: within.endMs };
    const found = await look.search(question.search, beyond);
    for (const { episode, score } of found) pool.add(episode, score);
    const next = hit();
    if (!next || next.startMs === outermost.startMs || found.length === 0) return;
    outermost = next;
  }
}

/** For counting: when a search came back full, searches each day (the busiest budget allows) by itself. */
export async function searchByDay(
  question: Question,
  pool: Pool,
  look: Look,
  days: readonly DaySummary[],
  within: TimeSpan,
): Promise<boolean> {
  if (pool.candidates().filter(({ found }) => found > 0).length < SEARCH_MAX) return true;
  const inside = days.filter((day) => overlaps(within, day));
  if (inside.length === 0) return true;
  const rounds = look.roundsLeft() - 1;
  const parts = Math.min(rounds, Math.max(inside.length, 2));
  let complete = parts >= inside.length;
  for (let n = 0; n < parts; n++) {
    const from = Math.max(within.startMs, inside[Math.floor((n * inside.length) / parts)]!.startMs);
    const last = inside[Math.ceil(((n + 1) * inside.length) / parts) - 1]!;
    const found = await look.search(question.search, {
      startMs: from,
      endMs: Math.min(within.endMs, last.endMs),
    });
    if (found.length >= SEARCH_MAX) complete = false;
    for (const { episode, score } of found) pool.add(episode, score);
  }
  return complete;
}
