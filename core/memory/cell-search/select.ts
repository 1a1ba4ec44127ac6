import { K_E } from './constants.ts';
import type { RoledCandidate } from './roles.ts';

/** A language model's choice from the pool: ids, best first; null when it could not be read. */
export type Selector = (
  question: string,
  pool: readonly RoledCandidate[],
) => Promise<readonly string[] | null>;

/** Scores so near to the best are one answer's: of these the time the question asks for decides. */
const AS_GOOD = 0.15;
const FIRST = /\b(?:first|earliest|initially|originally|start(?:ed)? to)\b/iu;
const LAST = /\b(?:last|latest|most recent(?:ly)?|recently|currently|now)\b/iu;

/** Which end of time a question asks for; null when it asks for neither, or for both. */
export function endAskedFor(question: string): 'first' | 'last' | null {
  const [first, last] = [FIRST.test(question), LAST.test(question)];
  return first === last ? null : first ? 'first' : 'last';
}

/**
 * Puts candidates in order without a model: by score, but where the question asks for the first or the last time, those about as good
 * as the best come in order of time.
 */
export function inOrderAsked<T extends { ep: number; startMs: number }>(
  candidates: readonly T[],
  question: string,
): T[] {
  const end = endAskedFor(question);
  const best = candidates[0];
  if (!end || !best) return [...candidates];
  const good = candidates.filter(({ ep }) => ep >= best.ep - AS_GOOD);
  const rest = candidates.filter(({ ep }) => ep < best.ep - AS_GOOD);
  good.sort((a, b) => (end === 'first' ? a.startMs - b.startMs : b.startMs - a.startMs));
  return [...good, ...rest];
}

/**
 * At most K_E of the pool: the model's choice, else the best (step 12). A pool of K_E or fewer is taken whole; fewer than K_E chosen are
 * not filled up.
 */
export async function select(
  question: string,
  pool: readonly RoledCandidate[],
  selector: Selector | null,
  most = K_E,
): Promise<RoledCandidate[]> {
  if (!selector || pool.length <= most) return pool.slice(0, most);
  const chosen = await selector(question, pool);
  if (!chosen) return pool.slice(0, most);
  const found = chosen.flatMap((id) => pool.find(({ episodeId }) => episodeId === id) ?? []);
  return found.length > 0 ? [...new Set(found)].slice(0, most) : pool.slice(0, most);
}
