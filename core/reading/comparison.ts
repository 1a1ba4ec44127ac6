/** "More tea or coffee?", "longer in the kitchen or in the garden?", "what came first?": two questions with one measure. Pure. */

export type Measure = 'often' | 'long' | 'early';

export interface Comparison {
  measure: Measure;
  /** True for "less", "shorter", "later", "last": the small end is asked for. */
  least: boolean;
  sides: [Side, Side];
}

export interface Side {
  /** As the question names it. */
  name: string;
  /** The question of this side alone. */
  question: string;
}

const KEYWORD =
  /[\s,]+(more\s+often|less\s+often|more\s+frequently|more\s+times|more|less|fewer|longer|shorter|earlier|later|sooner|first|last)\b[\s,:]*/i;
const START = /^(?:which|what|who|whom|where|when)\s+(?:of\s+(?:them|the\s+two)\s+)?/i;
const THAN =
  /^((?:did|have|had|was|were|am|do|is)\s+(?:i|we)(?:\s+(?:\p{L}+))?)\s+(.+?)\s+(more\s+often|less\s+often|more|less|longer|shorter|earlier|later)\s+than\s+(.+)$/iu;
const LONG = /long|short/i;
const EARLY = /earl|late|soon|first|last/i;
const LEAST = /less|fewer|short|later|last/i;
const ASKING: Record<Measure, string> = { often: 'How often', long: 'How long', early: 'When' };

/** @returns null when the question compares nothing */
export function readComparison(text: string): Comparison | null {
  const bare = text.trim().replace(/[\s?!.]+$/, '');
  const than = THAN.exec(bare);
  if (than) return comparison(than[1]!, than[3]!, than[2]!, than[4]!);
  const key = KEYWORD.exec(bare);
  if (!key) return null;
  const head = bare.slice(0, key.index).replace(START, '');
  const rest = bare.slice(key.index + key[0].length);
  const or = /^(.+?),?\s+or\s+(.+)$/i.exec(rest);
  if (!or || !/\b(?:did|have|had|was|were|am|do|is)\b/i.test(head)) return null;
  return comparison(head, key[1]!, or[1]!, or[2]!);
}

function comparison(head: string, word: string, left: string, right: string): Comparison {
  const measure = LONG.test(word) ? 'long' : EARLY.test(word) ? 'early' : 'often';
  return {
    measure,
    least: LEAST.test(word),
    sides: [sideOf(head, left, measure), sideOf(head, right, measure)],
  };
}

function sideOf(head: string, side: string, measure: Measure): Side {
  // "What did I do first, water the plants or …": the side is the act itself.
  const act = head.replace(/\b(did|do)\s+(i|we)\s+do$/i, '$1 $2').replace(/^do\b/i, 'did');
  const past = act.replace(/^am\b/i, 'was').replace(/^is\b/i, 'was');
  return {
    name: side.trim(),
    question: `${ASKING[measure]} ${past.charAt(0).toLowerCase()}${past.slice(1)} ${side.trim()}?`,
  };
}
