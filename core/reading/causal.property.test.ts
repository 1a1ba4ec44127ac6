import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LanceMemory } from '../memory/lance-memory.ts';
import { LEVELS } from '../memory/views/levels.ts';
import { createExtractiveReader } from './extractive-reader.ts';
import { type Life, life } from './testing/lives.ts';
import { openEmptyMemory } from './testing/told-memory.ts';

/**
 * The causal property: a library asked as of an instant says what a library says that ends there. Held to: episodes found and fetched,
 * views (those in progress too), facts with their counts, events retrieved, days, and whole answers with their steps and footnotes.
 * Not held to: `score` and `textScore` of a search. Full-text search weighs a word by how many episodes of the whole library hold it,
 * later ones included; that may order what is found otherwise, and, of more matches than a search returns, choose others among those
 * that had ended. It never brings in anything from after the instant.
 */
const DAY_MS = 86_400_000;
const ZONE = 'UTC';
const WEARERS = [undefined, 'me', 'anna'];
const QUESTIONS = [
  'When did I last drink tea?',
  'When did I first wash the blue bowl?',
  'How many times did I cut an onion?',
  'How often do I drink coffee?',
  'Did I drink more tea or coffee?',
  'What do I usually do in the morning?',
  'When do I usually read?',
  'What did Anna say?',
  'Who did I talk to today?',
  'What did I do yesterday?',
  'What did I do after I washed the blue bowl?',
  'What did I do last?',
  'How long did I repair the bicycle?',
  'What does the sign say?',
  'Where did I put the spare keys?',
  'What happened at half past nine?',
];
const FOLLOW_UPS = ['And the day before?', 'When was that?', 'What about the bicycle?'];

type Opened = Awaited<ReturnType<typeof openEmptyMemory>>;

/** @param writes in how many writes; from nine on, maintenance folds them and brings the indexes up to date */
async function stored(
  { episodes, recordings }: Pick<Life, 'episodes' | 'recordings'>,
  writes: number,
): Promise<Opened> {
  const opened = await openEmptyMemory();
  for (const recording of recordings) await opened.memory.putRecording(recording);
  const size = Math.max(1, Math.ceil(episodes.length / writes));
  for (let at = 0; at < episodes.length; at += size)
    await opened.memory.putEpisodes(episodes.slice(at, at + size));
  await opened.memory.maintain();
  return opened;
}

/** What ended by an instant, and the recordings that had begun. */
function pastOf({ episodes, recordings }: Life, nowMs: number): Pick<Life, 'episodes' | 'recordings'> {
  return {
    episodes: episodes.filter(({ endMs }) => endMs <= nowMs),
    recordings: recordings.filter(({ startMs }) => startMs < nowMs),
  };
}

/** Cosines are sums of floats whose order is the store's own. */
const near = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 1e4) / 1e4 : value;
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one) => (key === 'seconds' ? undefined : near(one))));

/** All that can be asked of a memory as of an instant, by name. */
async function everything(memory: LanceMemory, nowMs: number): Promise<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  const span = { startMs: nowMs - 10 * DAY_MS, endMs: nowMs + 10 * DAY_MS };
  for (const wearer of WEARERS) {
    const of = wearer === undefined ? {} : { wearer };
    for (const timeAnchor of [null, { startMs: nowMs - 3_600_000, endMs: nowMs + DAY_MS }]) {
      const found = await memory.search({ query: QUESTIONS[2]!, timeAnchor, topK: 32, nowMs, ...of });
      out[`search ${wearer} ${timeAnchor !== null}`] = found.map(({ episode, cosine }) => ({
        episode,
        cosine,
      }));
    }
    out[`fetch ${wearer}`] = await memory.fetch({ timeAnchor: span, limit: 64, nowMs, ...of });
  }
  for (const wearer of ['me', 'anna']) {
    for (const level of LEVELS) {
      out[`${level} views of ${wearer}`] = await memory.cells.views({ level, span, nowMs, wearer });
    }
    const { facts, ranked } = await memory.cells.retrieve({ question: QUESTIONS[3]!, nowMs, wearer });
    out[`facts of ${wearer}`] = facts;
    out[`events of ${wearer}`] = ranked.map(({ episodeId }) => episodeId).sort();
  }
  out.days = await memory.days(nowMs);
  const reader = createExtractiveReader(memory);
  for (const question of QUESTIONS) out[question] = await reader.ask(question, { nowMs, zone: ZONE });
  const { question, answer } = out[QUESTIONS[0]!] as { question: string; answer: string };
  const thread = [{ question, answer, evidence: null }];
  for (const one of FOLLOW_UPS) out[`then ${one}`] = await reader.ask(one, { nowMs, zone: ZONE, thread });
  return plain(out) as Record<string, unknown>;
}

/** Runs of one property after which no other is begun, ms; the first always runs. */
const ENOUGH_MS = 15_000;

async function holds(writes: number, seed: number): Promise<void> {
  const until = performance.now() + ENOUGH_MS;
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(life, async (one) => {
      if (ran > 0 && performance.now() > until) return;
      ran += 1;
      const whole = await stored(one, writes);
      try {
        for (const nowMs of one.instants) {
          const past = await stored(pastOf(one, nowMs), writes);
          try {
            expect(await everything(whole.memory, nowMs)).toEqual(await everything(past.memory, nowMs));
          } finally {
            await past.close();
          }
        }
      } finally {
        await whole.close();
      }
    }),
    // A smaller library that fails as well would cost as much again, many times.
    { seed, numRuns: 6, endOnFailure: true },
  );
}

describe('what a library says of an instant, is what one says that ends there', () => {
  it('while it is written to', () => holds(3, 7), 240_000);

  it('when its indexes know the words of later episodes', () => holds(12, 11), 240_000);
});
