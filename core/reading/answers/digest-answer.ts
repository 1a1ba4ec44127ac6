/** A stretch of time told in order: one sentence and one footnote for each block without a long gap. */
import { type DaySummary, type Episode, FETCH_MAX, type TimeSpan } from '../../contract/index.ts';
import { type Asker, cite, elsewhere, introduce, quoteSentences, type Sentence } from '../compose.ts';
import { type Unit, unitsOf } from '../evidence.ts';
import type { Chosen } from '../gather.ts';
import type { Look } from '../look.ts';
import type { Question } from '../question.ts';
import { sayClock, sayDay } from '../say-time.ts';
import { BLOCK_GAP_MS } from '../spans.ts';

const MOST_BLOCKS = 16;
const QUOTES_A_BLOCK = 4;

/** "at 8:17" is answered from the episodes this close to it. */
const POINT_MS = 15_000;

/** All episodes of a span within the budget; a span with more than the rounds can page is sampled evenly. */
async function pages(
  span: TimeSpan,
  chosen: Chosen,
  look: Look,
): Promise<{ episodes: Episode[]; sampled: boolean }> {
  const episodes = [...chosen.episodes];
  const end = (): number => Math.max(span.startMs, ...episodes.map((episode) => episode.endMs));
  if (chosen.more > FETCH_MAX * look.roundsLeft()) {
    const from = end();
    const parts = look.roundsLeft();
    for (let n = 0; n < parts; n++) {
      const startMs = from + ((span.endMs - from) * n) / parts;
      episodes.push(
        ...(await look.fetch({ startMs, endMs: from + ((span.endMs - from) * (n + 1)) / parts })).episodes,
      );
    }
    return { episodes: unique(episodes), sampled: true };
  }
  let left = chosen.more;
  while (left > 0 && look.roundsLeft() > 0) {
    const next = await look.fetch({ startMs: end(), endMs: span.endMs });
    if (next.episodes.length === 0) break;
    episodes.push(...next.episodes);
    left = next.more;
  }
  return { episodes: unique(episodes), sampled: left > 0 };
}

const unique = (episodes: readonly Episode[]): Episode[] =>
  [...new Map(episodes.map((episode) => [episode.id, episode])).values()].sort(
    (a, b) => a.startMs - b.startMs,
  );

function blocksOf(episodes: readonly Episode[]): Episode[][] {
  let gap = BLOCK_GAP_MS;
  for (;;) {
    const blocks: Episode[][] = [];
    for (const episode of episodes) {
      const open = blocks.at(-1);
      const lastEnd = open ? Math.max(...open.map((one) => one.endMs)) : 0;
      if (open && episode.startMs - lastEnd <= gap) open.push(episode);
      else blocks.push([episode]);
    }
    if (blocks.length <= MOST_BLOCKS) return splitLong(blocks, MOST_BLOCKS - blocks.length);
    gap *= 2;
  }
}

/** One long take would be one sentence: the longest blocks are cut in halves as far as the digest has room. */
function splitLong(blocks: Episode[][], room: number): Episode[][] {
  const split = [...blocks];
  const few = Math.max(0, Math.min(room, 6 - blocks.length));
  for (let n = 0; n < few; n++) {
    const longest = split.reduce((best, block, at) => (block.length > split[best]!.length ? at : best), 0);
    const block = split[longest]!;
    if (block.length < 4) break;
    const middle = Math.ceil(block.length / 2);
    split.splice(longest, 1, block.slice(0, middle), block.slice(middle));
  }
  return split;
}

/** A measurement of light, sound or motion tells little. */
const MEASUREMENT_TELLS = 0.05;

/** How much a unit tells: words of a description or of speech more than a sign, a sign more than a measurement. */
function tells(unit: Unit): number {
  const described = unit.kind === 'sentence' || unit.source === 'vision-model';
  const kind = described
    ? 1.2
    : unit.kind === 'speech'
      ? 1.1
      : unit.kind === 'visible'
        ? 1
        : MEASUREMENT_TELLS;
  return kind * Math.min(12, unit.forms.size) * (0.5 + unit.confidence / 2);
}

function blockUnits(
  block: readonly Episode[],
  count: number,
  fits: (unit: Unit) => boolean = () => true,
): Unit[] {
  const units = block.flatMap((episode) => unitsOf(episode)).filter(fits);
  const texts = new Set<string>();
  return [...units]
    .sort((a, b) => tells(b) - tells(a))
    .filter((unit) => !texts.has(unit.text) && texts.add(unit.text))
    .slice(0, count)
    .sort((a, b) => a.startMs - b.startMs);
}

/**
 * The digest of the chosen span.
 * @param fits which pieces belong in it ("what did we talk about": only speech)
 */
export async function digestSentences(
  question: Question,
  chosen: Chosen,
  look: Look,
  asker: Asker,
  fits: (unit: Unit) => boolean = () => true,
): Promise<Sentence[]> {
  const { reading } = chosen;
  if (!reading) return [];
  if (reading.pointMs !== null)
    return pointSentences(reading.pointMs, chosen.episodes, question, asker, fits);
  const { episodes, sampled } = await pages(reading.span, chosen, look);
  let day: string | null = null;
  return blocksOf(episodes).flatMap((block, n) => {
    const units = blockUnits(block, QUOTES_A_BLOCK, fits);
    const first = units[0];
    if (!first) return [];
    const { zone } = first.episode;
    const startMs = block[0]!.startMs;
    const endMs = Math.max(...block.map((episode) => episode.endMs));
    const named = sayDay(startMs, zone, asker.nowMs);
    const from = sayClock(startMs, zone);
    const until = sayClock(endMs, zone);
    const there = day === null ? elsewhere(first, asker) : '';
    const clocks = `${from === until ? from : `${from}–${until}`}${there}`;
    const lead = named === day ? clocks : `${named}, ${clocks}`;
    day = named;
    const part =
      sampled && n === 0 ? ' (this span holds more than I could go through; these are samples)' : '';
    const cites = pairOf(units, question.kind === 'said').map((unit) =>
      cite(unit, question),
    ) as Sentence['cites'];
    const told = cites.map((one) => introduce(one.unit, one.text)).join('; ');
    return [{ text: `${lead}${part}: ${told}`, cites }];
  });
}

/** What tells most, and something beside it: of another kind, or of a talk the next line that tells much; in time order. */
function pairOf(units: readonly Unit[], talk: boolean): Unit[] {
  const byTelling = [...units].sort((a, b) => tells(b) - tells(a));
  const main = byTelling[0]!;
  const beside = byTelling.find(
    (unit) => unit !== main && (talk || unit.kind !== main.kind) && tells(unit) > 1,
  );
  return (beside ? [main, beside] : [main]).sort((a, b) => a.startMs - b.startMs);
}

/** What was going on at an instant: everything the nearest episode tells. */
function pointSentences(
  pointMs: number,
  episodes: readonly Episode[],
  question: Question,
  asker: Asker,
  fits: (unit: Unit) => boolean,
): Sentence[] {
  const distance = (episode: Episode): number =>
    pointMs < episode.startMs ? episode.startMs - pointMs : Math.max(0, pointMs - episode.endMs + 1);
  const nearest = Math.min(...episodes.map(distance));
  const near = episodes.filter((episode) => distance(episode) <= nearest + POINT_MS);
  const held = near.flatMap((episode) => unitsOf(episode)).filter(fits);
  const units = held
    .filter((unit) => tells(unit) > 1)
    .sort((a, b) => Math.abs(a.startMs - pointMs) - Math.abs(b.startMs - pointMs));
  const chosen = units.length > 0 ? units : held;
  return quoteSentences(chosen.slice(0, QUOTES_A_BLOCK + 1), question, asker);
}

/** The first or last thing of a span. */
export async function endSentences(
  question: Question,
  chosen: Chosen,
  look: Look,
  asker: Asker,
  days: readonly DaySummary[],
): Promise<Sentence[]> {
  const span = chosen.reading?.span;
  let { episodes } = chosen;
  if (question.order === 'last' && span && chosen.more > 0) {
    const ends = days
      .filter((day) => day.startMs < span.endMs && day.endMs > span.startMs)
      .map((day) => day.endMs);
    const end = Math.min(span.endMs, Math.max(span.startMs, ...ends));
    for (let back = BLOCK_GAP_MS; look.roundsLeft() > 0; back *= 4) {
      const tail = await look.fetch({ startMs: Math.max(span.startMs, end - back), endMs: end });
      if (tail.episodes.length > 0 && tail.more === 0) {
        episodes = tail.episodes;
        break;
      }
      if (end - back <= span.startMs) break;
    }
  }
  const units = episodes
    .flatMap((episode) => blockUnits([episode], QUOTES_A_BLOCK))
    .sort((a, b) => a.startMs - b.startMs);
  const telling = units.filter((unit) => tells(unit) > 1);
  const from = telling.length > 0 ? telling : units;
  const unit = question.order === 'last' ? from.at(-1) : from[0];
  return unit ? quoteSentences([unit], question, asker) : [];
}
