/**
 * Puts what a search found in a better order: by the very words asked for. The search knows which words an episode holds; here it counts
 * whether they stand together in one sentence, in the order asked ("put the plate into the sink" is not "took it out of the sink"), and in
 * conversation an answer stands next to what it answers. Weights were chosen on one half of four question sets; docs/decisions.md.
 */
import { type FoundEpisode, SEARCH_MAX } from '../contract/index.ts';
import { fold, wordsOf } from './words.ts';

/** What each part adds to the score of the search, which is at most 1. */
const WEIGHT = {
  /** Longest run of the words asked for, in order, in one sentence. */
  run: 0.5,
  /** Words asked for in one sentence, wherever they stand. */
  cover: 0.5,
  /** The sentence says just what is asked for; less, the more else it says. */
  exact: 1,
  /** What the pieces before and after it in a conversation lend. */
  exchange: 0.25,
};
/** All of them together: scores stay in (0, 1]. */
const WHOLE = 1 + WEIGHT.run + WEIGHT.cover + WEIGHT.exact;
/** A run of this share is the whole: shares are sums of fractions. */
const ALL = 0.99;
/** Lines of one conversation follow each other within this time. */
const EXCHANGE_MS = 60_000;

/** Words that only ask: left out where a question begins with them. */
const ASKING = new Set(
  `what when where who whom whose which how many much times time often long did do does done i we you was were is are the a an right
  just after before next thing this last first separate for my me it in on of to and have has had be been would will could can`.split(
    /\s+/,
  ),
);
/** "What did I do right after I closed the bin?", "When did I do this: close the bin?" */
const NEXT_TO = /\b(?:after|before)\s+(?:(?:doing\s+)?this:?\s*)?(.+)$/iu;
const NAMED = /:\s*(\S.*)$/u;

const stemsOf = (text: string): string[] => wordsOf(text).map(({ folded, forms }) => forms.at(-1) ?? folded);

/**
 * The words a question asks for, in its order and in dictionary form: what follows a colon or "right after", else all that comes after the
 * words that only ask. Small words stay: they tell acts apart.
 * @param nextTo the question asks what was after or before something
 */
export function askedWords(text: string, nextTo = false): string[] {
  const act = NAMED.exec(text)?.[1] ?? (nextTo ? NEXT_TO.exec(text)?.[1] : undefined);
  const words = wordsOf(act ?? text);
  const begins = words.findIndex(({ folded }) => (act ? folded !== 'i' : !ASKING.has(folded)));
  return words.slice(Math.max(0, begins)).map(({ folded, forms }) => forms.at(-1) ?? folded);
}

/** Sentences of an episode as words: all it tells, said or seen. */
function sentencesOf({ episode }: FoundEpisode): string[][] {
  const { text, record } = episode;
  const told = text.split(/(?<=[.!?…])\s+|\n+/u);
  const known = fold(text);
  const more = [...record.transcript, ...record.visibleText, ...record.claims]
    .map((line) => line.text)
    .filter((line) => !known.includes(fold(line)));
  return [...told, ...more].map(stemsOf).filter((words) => words.length > 0);
}

/** Longest run of `asked` in `sentence`, by summed weight. */
function longestRun(
  asked: readonly string[],
  weights: readonly number[],
  sentence: readonly string[],
): number {
  let best = 0;
  for (let from = 0; from < asked.length; from++) {
    for (let at = 0; at < sentence.length; at++) {
      let sum = 0;
      for (let n = 0; asked[from + n] !== undefined && asked[from + n] === sentence[at + n]; n++)
        sum += weights[from + n]!;
      best = Math.max(best, sum);
    }
  }
  return best;
}

/** How one found episode says what is asked for. Shares are of the weight of all words asked for. */
export interface Wording {
  run: number;
  cover: number;
  exact: number;
  /** Where the sentence stands that covers most: whether nothing is told before it, or after it, in the episode. */
  opens: boolean;
  closes: boolean;
}

function wordingOf(
  sentences: readonly string[][],
  asked: readonly string[],
  weights: readonly number[],
): Wording {
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const weightOf = new Map(asked.map((word, n) => [word, weights[n]!]));
  let [run, cover, exact, best, at] = [0, 0, 0, Number.NEGATIVE_INFINITY, 0];
  for (const [n, sentence] of sentences.entries()) {
    const longest = longestRun(asked, weights, sentence) / whole;
    const held = new Set(sentence);
    let covered = 0;
    for (const [word, weight] of weightOf) if (held.has(word)) covered += weight / whole;
    run = Math.max(run, longest);
    cover = Math.max(cover, covered);
    if (longest >= ALL) exact = Math.max(exact, 1 / (1 + Math.max(0, sentence.length - asked.length)));
    // Of sentences that hold as much, the shorter one is meant.
    const meant = covered - sentence.length / 1000;
    if (meant > best) [best, at] = [meant, n];
  }
  return { run, cover, exact, opens: at === 0, closes: at === sentences.length - 1 };
}

/** A found episode with its new score and its wording. */
export interface Reranked extends FoundEpisode {
  wording: Wording;
}

/** Parts that can be left out, to be measured. */
export interface RerankParts {
  wording: boolean;
  exchange: boolean;
}

/** Both say something aloud, one right after the other. */
function follows(a: FoundEpisode, b: FoundEpisode): boolean {
  const spoken = a.episode.record.transcript.length > 0 && b.episode.record.transcript.length > 0;
  return (
    spoken &&
    a.episode.chapterId === b.episode.chapterId &&
    b.episode.startMs >= a.episode.startMs &&
    b.episode.startMs - a.episode.endMs <= EXCHANGE_MS
  );
}

/**
 * New scores, in (0, 1], for what one search found; the order stays that of time. Words weigh by how rare they are among what was found.
 * @param asked see `askedWords`
 * @param found results of one search, at most SEARCH_MAX are looked at
 */
export function rerank(
  asked: readonly string[],
  found: readonly FoundEpisode[],
  parts: RerankParts = { wording: true, exchange: true },
): Reranked[] {
  const taken = found.slice(0, SEARCH_MAX);
  const sentences = taken.map(sentencesOf);
  const held = sentences.map((list) => new Set(list.flat()));
  const weights = asked.map((word) => {
    const holding = held.filter((words) => words.has(word)).length;
    return Math.log(1 + (taken.length - holding + 0.5) / (holding + 0.5));
  });
  const wordings = sentences.map((list) => wordingOf(list, asked, weights));
  const own = taken.map(({ score }, n) => {
    const { run, cover, exact } = wordings[n]!;
    return parts.wording ? score + WEIGHT.run * run + WEIGHT.cover * cover + WEIGHT.exact * exact : score;
  });
  const whole = parts.wording ? WHOLE : 1;
  return taken.map((one, n) => {
    let lent = 0;
    if (parts.exchange) {
      const [before, after] = [taken[n - 1], taken[n + 1]];
      if (before && follows(before, one)) lent += own[n - 1]!;
      if (after && follows(one, after)) lent += own[n + 1]!;
    }
    const score = (own[n]! + WEIGHT.exchange * lent) / (whole * (1 + 2 * WEIGHT.exchange));
    return { ...one, score, wording: wordings[n]! };
  });
}
