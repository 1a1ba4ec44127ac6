import {
  LogitsProcessor,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  type Tensor,
} from '@huggingface/transformers';
import { PIECE, type TokenPieces, tokenPieces } from './token-pieces.ts';

/** The one shape of JSON that is written: an object of lists of short texts, under these keys in this order. */
export interface RecordShape {
  lists: readonly { key: string /** Most texts of the list. */; most: number }[];
  /** Most tokens of one text. */
  textTokens: number;
  /** Tokens after which every list ends at once; what stands around the texts comes on top. */
  tokens: number;
}

/** What a shape needs of the model it is written with. */
export interface ShapeParts {
  pieces: TokenPieces;
  /** Token ids of a literal text, without any mark before or after. */
  encode(text: string): number[];
  /** Tokens with which the model ends its answer. */
  ends: ReadonlySet<number>;
}

/**
 * @returns null when the vocabulary or the model's settings do not give what is needed: such a model writes freely
 */
export function shapeParts(tokenizer: PreTrainedTokenizer, model: PreTrainedModel): ShapeParts | null {
  const pieces = tokenPieces(tokenizer.get_vocab(), tokenizer.all_special_ids);
  const { eos_token_id } = (model.generation_config ?? model.config) as unknown as {
    eos_token_id?: number | number[] | null;
  };
  const ends = new Set([eos_token_id ?? []].flat());
  if (!pieces || ends.size === 0) return null;
  return { pieces, ends, encode: (text) => tokenizer.encode(text, { add_special_tokens: false }) };
}

/** The literals of a shape as tokens. */
interface Literals {
  /** `{"first": [`, then for each further list `], "next": [`, then `]}`. */
  steps: number[][];
  /** `, "` between two texts of a list. */
  next: number[];
}

function literalsOf({ lists }: RecordShape, encode: ShapeParts['encode']): Literals {
  const steps = lists.map(({ key }, n) => encode(`${n === 0 ? '{' : '], '}${JSON.stringify(key)}: [`));
  return { steps: [...steps, encode(']}')], next: encode(', "') };
}

/** Most tokens a record of this shape takes, whatever is in it. */
export function mostRecordTokens(shape: RecordShape, encode: ShapeParts['encode']): number {
  const { steps, next } = literalsOf(shape, encode);
  const literal = steps.reduce((sum, step) => sum + step.length, 0);
  // One text may be begun just before the limit; the end of the answer is a token too.
  return shape.tokens + literal + next.length + shape.textTokens + 2;
}

type Place = 'prose' | 'list-begins' | 'in-text' | 'text-ended' | 'over';

/**
 * Lets a model write prose freely and then, where it would end, makes it go on with a JSON object of a fixed shape: at every token only
 * what the shape allows can be chosen, so the object is valid by construction. What stands in the lists is the model's own choice,
 * and so is when a text or a list ends. For one sequence, decoded greedily.
 */
export class RecordShaper extends LogitsProcessor {
  /** Tokens of prose, once the record has begun; null before. */
  proseTokens: number | null = null;
  /** Whether the prose ended by itself. */
  proseComplete = false;
  readonly #shape: RecordShape;
  readonly #parts: ShapeParts;
  readonly #literals: Literals;
  readonly #promptTokens: number;
  readonly #mostProse: number;
  #place: Place = 'prose';
  /** Tokens that must come next, whatever the model would say. */
  #forced: number[] = [];
  #list = -1;
  /** The text being written, and those before it in its list, as tokens. */
  #text: number[] = [];
  #before: string[] = [];
  #written = 0;

  /** @param mostProse tokens of prose after which the record is begun; 0 for a record alone */
  constructor(shape: RecordShape, parts: ShapeParts, promptTokens: number, mostProse: number) {
    super();
    this.#shape = shape;
    this.#parts = parts;
    this.#literals = literalsOf(shape, parts.encode);
    this.#promptTokens = promptTokens;
    this.#mostProse = mostProse;
  }

  override _call(sequences: bigint[][], logits: Tensor): Tensor {
    // A view of the first row: what is written to it is what is decoded.
    const scores = (logits as unknown as { data: Float32Array }[])[0]!.data;
    if (this.#place === 'prose') this.#prose(sequences[0]!.length - this.#promptTokens, scores);
    if (this.#place !== 'prose') {
      const token = this.#forced.shift() ?? this.#choose(scores);
      scores.fill(Number.NEGATIVE_INFINITY);
      scores[token] = 0;
    }
    return logits;
  }

  #prose(tokens: number, scores: Float32Array): void {
    const { ends, pieces } = this.#parts;
    let best = 0;
    for (let id = 1; id < scores.length; id += 1) if (scores[id]! > scores[best]!) best = id;
    const ended = ends.has(best);
    // A model that was asked for the object begins it by itself.
    const begins = ((pieces.kinds[best] ?? 0) & PIECE.brace) !== 0;
    if (!ended && !begins && tokens < this.#mostProse) return;
    this.proseTokens = tokens;
    this.proseComplete = ended || begins;
    this.#nextList();
  }

  /** Leaves a list, or the prose, for what comes after it. */
  #nextList(): void {
    this.#list += 1;
    this.#before = [];
    this.#forced = [...this.#literals.steps[this.#list]!];
    this.#place = this.#list === this.#shape.lists.length ? 'over' : 'list-begins';
  }

  /** The best token of a kind, and how good it is. */
  #best(scores: Float32Array, kind: number): { id: number; score: number } {
    const { kinds } = this.#parts.pieces;
    let id = -1;
    let score = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < kinds.length; n += 1) {
      if ((kinds[n]! & kind) !== 0 && scores[n]! > score) {
        id = n;
        score = scores[n]!;
      }
    }
    return { id, score };
  }

  #choose(scores: Float32Array): number {
    const { quote } = this.#parts.pieces;
    const { lists, tokens, textTokens } = this.#shape;
    this.#written += 1;
    if (this.#place === 'over') return [...this.#parts.ends][0]!;
    if (this.#place === 'in-text') {
      const word = this.#best(scores, this.#text.length === 0 ? PIECE.word : PIECE.plain);
      const ends = this.#text.length > 0 && this.#best(scores, PIECE.quote).score > word.score;
      if (!ends && word.id >= 0 && this.#text.length < textTokens) {
        this.#text.push(word.id);
        return word.id;
      }
      this.#place = 'text-ended';
      return quote;
    }
    const begins = this.#place === 'list-begins';
    const text = this.#text.join(' ');
    // A model that says the same again says nothing more.
    const over = (!begins && this.#before.includes(text)) || this.#written >= tokens;
    if (!begins) this.#before.push(text);
    const full = over || this.#before.length >= lists[this.#list]!.most;
    const more = this.#best(scores, begins ? PIECE.quote : PIECE.comma).score;
    if (full || this.#best(scores, PIECE.bracket).score > more) {
      this.#nextList();
      return this.#forced.shift()!;
    }
    this.#place = 'in-text';
    this.#text = [];
    if (begins) return quote;
    this.#forced = [...this.#literals.next];
    return this.#forced.shift()!;
  }
}
