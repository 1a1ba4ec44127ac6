/** Where no words answer, a picture may: it looks like what is asked for. That is all that is ever claimed, and the picture is shown. */
import type { FoundEpisode } from '../../contract/index.ts';
import { type Asker, type Sentence, when } from '../compose.ts';
import type { Unit } from '../evidence.ts';
import type { Question, QuestionKind, Want } from '../question.ts';

/** Questions that a picture can answer: not what was said, read, paid or counted, and not who somebody is. */
const KINDS: ReadonlySet<QuestionKind> = new Set(['what', 'where', 'when', 'ever']);
const WANTS: ReadonlySet<Want> = new Set(['place', 'colour']);
/**
 * Strength from which a picture is shown (FoundEpisode's `pictureScore`). Set on drawn scenes (core/evaluation/pictures.ts):
 * of questions about things in them 97 % reach it, of those about things that are nowhere to be seen 4 %. On other scenes 94 and 9 %.
 */
const CLEAR = 1.5;
/** Others are shown beside the clearest when they come this near it. */
const NEAR = 0.5;
const MOST_PICTURES = 3;

/** Whether a picture may stand for an answer. Names and numbers are not to be seen in one. */
function canBeSeen({ kind, terms, wants }: Question): boolean {
  return (
    KINDS.has(kind) &&
    terms.some((term) => term.kind === 'thing') &&
    terms.every((term) => term.kind !== 'name' && term.kind !== 'number') &&
    [...wants].every((want) => WANTS.has(want))
  );
}

/** "red bicycle", in the question's own words. */
function subject({ terms }: Question): string {
  return terms
    .filter(({ kind }) => kind === 'thing' || kind === 'type')
    .map(({ text }) => text)
    .join(' ');
}

/**
 * @param found what the search for the whole question brought
 * @returns nothing when the question is of another kind, or no picture is clear enough
 */
export function pictureSentences(
  question: Question,
  found: readonly FoundEpisode[],
  asker: Asker,
): Sentence[] {
  if (!canBeSeen(question)) return [];
  const clear = found
    .flatMap(({ episode, pictureScore, pictureAtMs }) =>
      typeof pictureScore === 'number' && typeof pictureAtMs === 'number' && pictureScore >= CLEAR
        ? [{ episode, strength: pictureScore, atMs: pictureAtMs }]
        : [],
    )
    .sort((a, b) => b.strength - a.strength || a.atMs - b.atMs);
  const near = clear.filter(({ strength }) => strength >= clear[0]!.strength - NEAR);
  const inTime = near.sort((a, b) => a.atMs - b.atMs);
  const shown =
    question.order === 'first'
      ? inTime.slice(0, 1)
      : question.order
        ? inTime.slice(-1)
        : near
            .sort((a, b) => b.strength - a.strength)
            .slice(0, MOST_PICTURES)
            .sort((a, b) => a.atMs - b.atMs);
  let day: string | null = null;
  return shown.map(({ episode, atMs }) => {
    const text = `A picture that looks like “${subject(question)}”; no words say so.`;
    const unit: Unit = {
      episode,
      kind: 'claim',
      lines: [text],
      text,
      speaker: null,
      startMs: atMs,
      endMs: atMs,
      forms: new Set(),
      source: null,
      confidence: 0,
    };
    const at = when(unit, asker, day);
    day = at.day;
    return {
      text: `${at.words} there is a picture that looks like “${subject(question)}”, though no words say so`,
      cites: [{ unit, text }],
    };
  });
}
