/** Which of two was more often, longer or earlier: the verdict first, then the occasions of each. */
import type { Comparison, Measure } from '../comparison.ts';
import { type Asker, type Cite, cite, type Sentence, when } from '../compose.ts';
import type { ActFound } from '../look-up-act.ts';
import { sayDuration } from '../say-time.ts';
import { times } from './act-answer.ts';

/** Occasions of a side that a verdict cites. */
const CITED = 3;

const MORE: Record<Measure, [most: string, least: string]> = {
  often: ['More often', 'Less often'],
  long: ['Longer', 'Shorter'],
  early: ['Earlier', 'Later'],
};

function measured({ occasions }: ActFound, measure: Measure): number {
  if (measure === 'often') return occasions.length;
  if (measure === 'long') return occasions.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  // The earlier, the more.
  return -occasions[0]!.startMs;
}

function sayValue(found: ActFound, measure: Measure, asker: Asker): string {
  if (measure === 'often') return `${found.complete ? '' : 'at least '}${times(found.occasions.length)}`;
  if (measure === 'long') return `about ${sayDuration(measured(found, measure))}`;
  const { words } = when(found.occasions[0]!.units[0]!, asker, null);
  return words.charAt(0).toLowerCase() + words.slice(1);
}

const citesOf = ({ occasions, question }: ActFound, measure: Measure): Cite[] =>
  occasions.slice(0, measure === 'early' ? 1 : CITED).map(({ units }) => cite(units[0]!, question));

/** @returns nothing when neither was found */
export function compareSentences(
  { measure, least, sides }: Comparison,
  found: readonly [ActFound, ActFound],
  asker: Asker,
): Sentence[] {
  const there = [0, 1].filter((n) => found[n]!.occasions.length > 0);
  if (there.length === 0) return [];
  const told = (n: number) => `${sides[n]!.name} ${sayValue(found[n]!, measure, asker)}`;
  const cites = there.flatMap((n) => citesOf(found[n]!, measure)) as Sentence['cites'];
  if (there.length === 1) {
    const [n] = there;
    return [
      { text: `Only this was found: ${told(n!)}. Nothing was found for ${sides[1 - n!]!.name}.`, cites },
    ];
  }
  const values = found.map((one) => measured(one, measure));
  if (values[0] === values[1]) return [{ text: `The same: ${told(0)}, ${told(1)}.`, cites }];
  const first = values[0]! > values[1]! !== least ? 0 : 1;
  return [{ text: `${MORE[measure][least ? 1 : 0]}: ${told(first)}, against ${told(1 - first)}.`, cites }];
}
