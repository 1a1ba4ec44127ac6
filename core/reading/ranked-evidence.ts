/**
 * Evidence for a question, best first: what an agent would look at, in the order in which it should. Everything rests on the reader's two
 * tools, so it is causal and within their budget.
 *
 * - time words of the question choose a span first (MemLife's time anchor); what lies elsewhere comes last
 * - the words asked for decide (rerank.ts); among equals of first and last, time does
 * - "the last two times you saw the bowl": sightings of the thing itself, the latest ahead
 * - "right after …": where the act ends what its episode tells, the next episode holds the answer
 */
import { type DaySummary, type Episode, SEARCH_MAX, type TimeSpan } from '../contract/index.ts';
import type { MemoryReader } from '../memory/memory.ts';
import { chooseReading, gather, gatherByWord } from './gather.ts';
import { candidateOf } from './judge.ts';
import { type Look, lookFor } from './look.ts';
import { type Question, readQuestion } from './question.ts';
import type { AskOptions } from './reader.ts';
import type { Reranked, RerankParts } from './rerank.ts';
import { LATER_MS, NEXT_MS } from './spans.ts';

/** What ranks; each part can be left out to be measured. */
export interface EvidenceParts extends RerankParts {
  /** Time words of the question as anchor. */
  time: boolean;
  /** First and last by time. */
  order: boolean;
  /** The latest sightings of a thing. */
  sightings: boolean;
  /** The episode beside an act that something was after or before. */
  beside: boolean;
}

export const EVIDENCE_PARTS: EvidenceParts = {
  wording: true,
  exchange: true,
  time: true,
  order: true,
  sightings: true,
  beside: true,
};

/** Scores of at least this share of the best are as good: of these the time asked for decides. */
const AS_GOOD = 0.85;
/** Of sightings, how much the latest is ahead of the best match; the one before half as much, and so on. */
const RECENT = 0.3;
/** An episode is looked for this close before an act first. */
const JUST_BEFORE_MS = 60_000;

const inTime = (a: Episode, b: Episode): number => a.startMs - b.startMs || a.endMs - b.endMs;

/**
 * Episodes best first, each once.
 * @param extra added to the score of an episode by id, to measure other sources; none by default
 */
export async function rankEvidence(
  memory: MemoryReader,
  text: string,
  options: AskOptions,
  parts: EvidenceParts = EVIDENCE_PARTS,
  extra: ReadonlyMap<string, number> = new Map(),
): Promise<Episode[]> {
  const days = (await memory.days()).filter((day) => day.startMs < options.nowMs);
  if (days.length === 0) return [];
  const question = readQuestion(text, { ...options, recordedDays: days.map(({ day }) => day) });
  const look = lookFor(memory, options, parts);
  const anchored = parts.time && question.time.readings.length > 0 && !question.time.future;
  const chosen = anchored
    ? await chooseReading(question, look, days)
    : { reading: null, episodes: [], more: 0 };
  const pool = await gather(question, chosen, look);
  if (pool.candidates().length === 0) await gatherByWord(question, chosen, pool, look);
  const byId = new Map(
    pool.candidates().map(({ episode, found }) => [episode.id, { episode, score: found }]),
  );
  for (const [id, more] of extra) {
    const known = byId.get(id);
    if (known) byId.set(id, { ...known, score: known.score + more });
  }
  const ranked = [...byId.values()].sort((a, b) => b.score - a.score || inTime(b.episode, a.episode));
  let best = ranked.map(({ episode }) => episode);
  if (chosen.reading === null) {
    if (parts.order) best = inOrder(ranked, question);
    if (parts.sightings) best = await sightingsFirst(best, ranked, question, look, days, options.nowMs);
  } else {
    if (parts.order && question.order && question.kind === 'list') best = byEnd(best, question.order);
    const anywhere = await look.search(question.search, null);
    best.push(...[...anywhere].sort((a, b) => b.score - a.score).map(({ episode }) => episode));
  }
  if (parts.beside) best = await withNeighbour(best, pool.whole, question, look);
  const seen = new Set<string>();
  return best.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function byEnd(episodes: readonly Episode[], end: 'first' | 'last'): Episode[] {
  return [...episodes].sort(end === 'first' ? inTime : (a, b) => inTime(b, a));
}

interface Ranked {
  episode: Episode;
  score: number;
}

function inOrder(ranked: readonly Ranked[], { order }: Question): Episode[] {
  const least = (ranked[0]?.score ?? 0) * AS_GOOD;
  const good = ranked.filter(({ score }) => score >= least).map(({ episode }) => episode);
  const rest = ranked.filter(({ score }) => score < least).map(({ episode }) => episode);
  return order ? [...byEnd(good, order), ...rest] : [...good, ...rest];
}

/** Sightings of the thing a question is about, as many of the latest as it asks for ahead, then by match and nearness in time. */
async function sightingsFirst(
  best: readonly Episode[],
  ranked: readonly Ranked[],
  question: Question,
  look: Look,
  days: readonly DaySummary[],
  nowMs: number,
): Promise<Episode[]> {
  const thing = question.terms.find(({ kind }) => kind === 'thing' || kind === 'name');
  if (!question.occasions || !thing) return [...best];
  const shows = (episode: Episode): boolean => {
    const { forms } = candidateOf(episode, 0);
    return [...thing.matches].some((form) => forms.has(form));
  };
  const scores = new Map(ranked.map(({ episode, score }) => [episode.id, score]));
  const found = new Map(best.filter(shows).map((episode) => [episode.id, episode]));
  let within: TimeSpan = { startMs: days[0]!.startMs, endMs: nowMs };
  // Ever later, until nothing more turns up: the latest sighting may match least.
  while (look.roundsLeft() > 2 && within.startMs < within.endMs) {
    const hits = (await look.search(thing.text, within)).map(({ episode }) => episode).filter(shows);
    for (const episode of hits) found.set(episode.id, episode);
    const last = hits.at(-1);
    if (!last || hits.length < SEARCH_MAX / 2) break;
    within = { startMs: last.endMs, endMs: nowMs };
  }
  const latest = byEnd([...found.values()], 'last');
  const whole = ranked[0]?.score || 1;
  const worth = new Map(
    latest.map(({ id }, n) => [id, RECENT / (1 + n) + (scores.get(id) ?? 0) / whole] as const),
  );
  const byWorth = [...latest].sort((a, b) => worth.get(b.id)! - worth.get(a.id)!);
  return [...latest.slice(0, question.howMany), ...byWorth, ...best];
}

/** Puts the next (or previous) episode right behind the best, where the act asked about ends (or begins) what that one tells. */
async function withNeighbour(
  best: readonly Episode[],
  found: readonly Reranked[],
  question: Question,
  look: Look,
): Promise<Episode[]> {
  const first = best[0];
  if (!first || (question.kind !== 'after' && question.kind !== 'before')) return [...best];
  const wording = found.find(({ episode }) => episode.id === first.id)?.wording;
  if (!(question.kind === 'after' ? wording?.closes : wording?.opens)) return [...best];
  const other = question.kind === 'after' ? await nextOf(first, look) : await previousOf(first, look);
  return other ? [first, other, ...best.slice(1)] : [...best];
}

async function nextOf({ id, endMs }: Episode, look: Look): Promise<Episode | null> {
  const { episodes } = await look.fetch({ startMs: endMs, endMs: endMs + LATER_MS }, 2);
  return episodes.find((episode) => episode.id !== id) ?? null;
}

async function previousOf({ id, startMs }: Episode, look: Look): Promise<Episode | null> {
  for (const reach of [JUST_BEFORE_MS, NEXT_MS]) {
    const { episodes } = await look.fetch({ startMs: startMs - reach, endMs: startMs });
    const last = episodes.filter((episode) => episode.id !== id).at(-1);
    if (last) return last;
  }
  return null;
}
