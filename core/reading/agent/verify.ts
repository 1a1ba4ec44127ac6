/** Keeps of a model's answer what its evidence bears out: every sentence cites, and its names and numbers are in what it cites. */
import type { Episode } from '../../contract/index.ts';
import { type Cite, cite, type Sentence } from '../compose.ts';
import { episodeForms, type Unit, unitsOf } from '../evidence.ts';
import type { Question } from '../question.ts';
import { type Term, termsOf } from '../terms.ts';
import { fold, formSet } from '../words.ts';
import type { EvidenceList } from './evidence-list.ts';

/** Probability that a premise entails a sentence, 0..1; from an entailment model where there is one. */
export type Entails = (pairs: readonly { premise: string; hypothesis: string }[]) => Promise<number[]>;

/** Share of a sentence's content words that its evidence must hold where no model judges. */
const ENOUGH_WORDS = 0.5;
/** From here on a judge's word counts as yes. */
const ENOUGH_ENTAILED = 0.5;

const MARK = /\[\s*E?\s*(\d+)\s*\]/gi;
/** A sentence ends before its marks or after them. */
const SENTENCE = /[^.!?…\n]+(?:[.!?…](?=\d)[^.!?…\n]+)*[.!?…]*(?:["”’)])*(?:\s*\[\s*E?\s*\d+\s*\])*/gi;

interface Claimed {
  text: string;
  episodes: Episode[];
}

/** Sentences of an answer with the episodes each cites; marks of episodes that were never shown are dropped. */
export function claimedSentences(answer: string, list: EvidenceList): Claimed[] {
  return (answer.match(SENTENCE) ?? []).flatMap((piece) => {
    const numbers = [...piece.matchAll(MARK)].map((mark) => Number(mark[1]));
    const text = piece
      .replace(MARK, '')
      .replace(/\s+([.!?…,])/g, '$1')
      .replace(/\s+/g, ' ')
      .trim();
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    const episodes = [...new Set(numbers)].flatMap((number) => list.episode(number) ?? []);
    return [{ text, episodes }];
  });
}

/** Words that open a sentence without naming anyone. */
const OPENERS = new Set(
  `yesterday today tonight later then next finally afterwards afterward earlier first second third last lastly also
  meanwhile shortly soon eventually nobody nothing people altogether overall twice once thrice`.split(/\s+/),
);

/** The words a sentence is judged by. A capital at its start may be a name: it is one unless it is a common opening. */
function termsOfStatement(text: string): Term[] {
  const first = /^["“(]?(\p{Lu}[\p{L}'’-]*)/u.exec(text)?.[1] ?? '';
  const lead = first !== '' && !OPENERS.has(fold(first)) ? 'that ' : '';
  return termsOf(`${lead}${text}`, false);
}

/** How well a piece of evidence matches a sentence: the weight of the sentence's words it holds. */
function overlap(text: string, forms: ReadonlySet<string>): { share: number; missing: boolean } {
  const terms = termsOfStatement(text).filter(({ kind }) => kind !== 'particle');
  let whole = 0;
  let held = 0;
  let missing = false;
  for (const term of terms) {
    const there = [...term.matches].some((form) => forms.has(form));
    whole += term.weight;
    if (there) held += term.weight;
    else if (term.kind === 'name' || term.kind === 'number') missing = true;
  }
  return { share: whole === 0 ? 1 : held / whole, missing };
}

/** Numbers and dates that the times of the cited episodes account for, and how many they are. */
function accountedFor(episodes: readonly Episode[]): Set<string> {
  const forms = formSet(String(episodes.length));
  for (const { startMs, endMs, zone } of episodes) {
    for (const ms of [startMs, endMs]) {
      const words = new Date(ms).toLocaleString('en-GB', {
        timeZone: zone,
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
      });
      for (const form of formSet(words)) forms.add(form);
    }
  }
  return forms;
}

function bestUnit(text: string, units: readonly Unit[]): Unit | null {
  let best: { unit: Unit; share: number } | null = null;
  for (const unit of units) {
    const { share } = overlap(text, unit.forms);
    if (!best || share > best.share) best = { unit, share };
  }
  return best?.unit ?? null;
}

/**
 * The sentences that may be shown, each with its citations.
 * @param entails judges where given; otherwise the words decide
 */
export async function supported(
  claimed: readonly Claimed[],
  question: Question,
  entails: Entails | null,
): Promise<Sentence[]> {
  const kept: Sentence[] = [];
  for (const { text, episodes } of claimed) {
    if (episodes.length === 0) continue;
    const evidence = episodes.map((episode) => ({ episode, units: unitsOf(episode) }));
    const forms = accountedFor(episodes);
    for (const { episode, units } of evidence)
      for (const form of episodeForms(episode, units)) forms.add(form);
    // What the question itself names need not be repeated by the evidence word for word; names and numbers must.
    const { share, missing } = overlap(text, forms);
    if (missing) continue;
    if (entails) {
      const premise = episodes.map((episode) => episode.text).join(' ');
      const [probability = 0] = await entails([{ premise, hypothesis: text }]);
      if (probability < ENOUGH_ENTAILED) continue;
    } else if (share < ENOUGH_WORDS) continue;
    const cites = evidence.flatMap(({ units }): Cite[] => {
      const unit = bestUnit(text, units);
      return unit ? [cite(unit, question)] : [];
    });
    if (cites.length > 0) kept.push({ text, cites: cites as [Cite, ...Cite[]] });
  }
  return kept;
}
