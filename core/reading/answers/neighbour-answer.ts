/** What came right after or before something: the event is found first, then what stands next to it in time. */
import { FETCH_MAX } from '../../contract/index.ts';
import { type Asker, cite, introduce, type Sentence, when } from '../compose.ts';
import { type Unit, unitsOf } from '../evidence.ts';
import { type Chosen, gather } from '../gather.ts';
import { judge } from '../judge.ts';
import type { Look } from '../look.ts';
import type { Question } from '../question.ts';
import { FAR_MS, LATER_MS, NEXT_MS } from '../spans.ts';
import { hasContent } from '../terms.ts';
import { fold } from '../words.ts';

/** Kinds that tell events, best first: what was done, then what was said, then what was seen. */
function eventKind(units: readonly Unit[]): Unit['kind'] | null {
  for (const kind of ['claim', 'sentence', 'speech', 'visible'] as const) {
    if (units.some((unit) => unit.kind === kind && isEvent(unit))) return kind;
  }
  return null;
}

/** A measurement of light, sound or motion is no event. */
function isEvent(unit: Unit): boolean {
  return unit.kind !== 'claim' || unit.source === 'vision-model';
}

/** The sentences and how many episodes were judged; none when the event, or anything next to it, is not there. */
export async function neighbourSentences(
  question: Question,
  chosen: Chosen,
  look: Look,
  asker: Asker,
): Promise<Sentence[]> {
  const pool = await gather(question, chosen, look, question.anchor.map((term) => term.text).join(' '));
  const event = judge(question.anchor, pool.candidates(), {
    kind: question.kind,
    wants: new Set(),
    mine: false,
  })[0]?.unit;
  if (!event) return [];
  const after = question.kind === 'after';
  const reaches = hasContent(question.terms) ? [LATER_MS] : [NEXT_MS, FAR_MS];
  let next: Unit | null = null;
  for (const reach of reaches) next ??= await nextTo(event, question, look, reach);
  if (!next) return [];
  const cited = { event: cite(event, question), next: cite(next, question) };
  const at = when(next, asker, null);
  const eventAt = when(event, asker, at.day);
  return [
    {
      text: `${at.words}${next.kind === 'claim' || next.kind === 'sentence' ? ':' : ''} ${introduce(next, cited.next.text)}, ${
        after ? 'after' : 'before'
      } “${cited.event.text}” ${eventAt.words.replace(/^(?:On|At)/, (word) => word.toLowerCase())}`,
      cites: [cited.next, cited.event],
    },
  ];
}

/** What stands next to the event within `reach`, on the side asked about. */
async function nextTo(event: Unit, question: Question, look: Look, reach: number): Promise<Unit | null> {
  const after = question.kind === 'after';
  const { episode } = event;
  const span = after
    ? { startMs: episode.startMs, endMs: episode.endMs + reach }
    : { startMs: episode.startMs - reach, endMs: episode.endMs };
  const { episodes, more } = await look.fetch(span, FETCH_MAX);
  // fetch gives the earliest: before an event the latest are the ones that matter.
  const near =
    more > 0 && !after
      ? (await look.fetch({ startMs: episode.startMs - NEXT_MS / 2, endMs: episode.endMs }, FETCH_MAX))
          .episodes
      : episodes;
  const units = near.flatMap((one) => unitsOf(one)).sort((a, b) => a.startMs - b.startMs);
  const side = units.filter((unit) =>
    after
      ? unit.startMs > event.startMs || (unit.startMs === event.startMs && isLater(unit, event))
      : unit.startMs < event.startMs,
  );
  return hasContent(question.terms) ? bestOf(question, side) : nearest(side, event, after);
}

const isLater = (unit: Unit, event: Unit): boolean => unit.episode.startMs > event.episode.startMs;

function nearest(side: readonly Unit[], event: Unit, after: boolean): Unit | null {
  const kind = eventKind(side.filter((unit) => unit.kind === event.kind)) ?? eventKind(side);
  const fitting = side.filter(
    (unit) => unit.kind === kind && isEvent(unit) && fold(unit.text) !== fold(event.text),
  );
  return (after ? fitting[0] : fitting.at(-1)) ?? null;
}

function bestOf(question: Question, side: readonly Unit[]): Unit | null {
  const candidates = [...new Set(side.map((unit) => unit.episode))].map((episode) => {
    const units = side.filter((unit) => unit.episode === episode);
    return { episode, units, forms: new Set(units.flatMap((unit) => [...unit.forms])), found: 0 };
  });
  return (
    judge(question.terms, candidates, { kind: 'what', wants: question.wants, mine: question.mine })[0]
      ?.unit ?? null
  );
}
