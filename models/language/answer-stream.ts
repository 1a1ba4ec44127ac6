import { BaseStreamer, type PreTrainedTokenizer, StoppingCriteria } from '@huggingface/transformers';

/** Tokens that are decoded together: a new one with those before it, so that no letter is cut in two. */
const WINDOW = 32;
/** Tokens of the window before that are decoded again: some tokenizers drop a space at the start of what they decode. */
const OVERLAP = 4;
/** What the decoder writes for the beginning of a letter whose rest is in the next token. */
const UNFINISHED = '\uFFFD';

/**
 * Turns tokens into text as they come: whole letters only, without the model's marks, without white space at the ends, and never
 * any of a stop string. What may be the beginning of one is held back until it is clear.
 */
export class AnswerStream extends BaseStreamer {
  /** Tokens generated so far. */
  tokens = 0;
  /** A stop string has come. */
  stopped = false;
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #stops: readonly string[];
  readonly #onText: (piece: string) => void;
  #prompt = true;
  /** Text of tokens that left the window. */
  #done = '';
  #before: bigint[] = [];
  #window: bigint[] = [];
  #emitted = 0;

  /** @param onText is given each piece once */
  constructor(tokenizer: PreTrainedTokenizer, stops: readonly string[], onText: (piece: string) => void) {
    super();
    this.#tokenizer = tokenizer;
    this.#stops = stops.filter((stop) => stop !== '');
    this.#onText = onText;
  }

  override put(value: bigint[][]): void {
    if (this.#prompt) {
      this.#prompt = false;
      return;
    }
    const ids = value[0]!;
    this.tokens += ids.length;
    if (this.stopped) return;
    this.#window.push(...ids);
    const decoded = this.#decode();
    if (this.#window.length >= WINDOW && !decoded.endsWith(UNFINISHED)) {
      this.#done += decoded;
      this.#before = this.#window.slice(-OVERLAP);
      this.#window = [];
      this.#advance(this.#done, false);
    } else this.#advance(this.#done + decoded, false);
  }

  override end(): void {
    if (!this.stopped) this.#advance(this.#done + this.#decode(), true);
  }

  #decode(): string {
    if (this.#window.length === 0) return '';
    const text = (ids: bigint[]) => this.#tokenizer.decode(ids, { skip_special_tokens: true });
    if (this.#before.length === 0) return text(this.#window);
    return text([...this.#before, ...this.#window]).slice(text(this.#before).length);
  }

  /** @param all everything generated, as text */
  #advance(all: string, ended: boolean): void {
    const start = all.length - all.trimStart().length;
    const stop = this.#stops
      .map((text) => all.indexOf(text))
      .filter((at) => at >= 0)
      .reduce((first, at) => Math.min(first, at), Number.POSITIVE_INFINITY);
    this.stopped = stop < Number.POSITIVE_INFINITY;
    const known = this.stopped
      ? all.slice(0, stop)
      : ended
        ? all
        : all.slice(0, all.length - this.#unsure(all));
    const text = known.trimEnd();
    const from = Math.max(start, this.#emitted);
    if (text.length <= from) return;
    this.#emitted = text.length;
    this.#onText(text.slice(from));
  }

  /** Characters at the end that may yet turn out otherwise. */
  #unsure(all: string): number {
    let unsure = 0;
    while (all.endsWith(UNFINISHED, all.length - unsure)) unsure += 1;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, all.length); length > unsure; length -= 1) {
        if (all.endsWith(stop.slice(0, length))) unsure = length;
      }
    }
    return unsure;
  }
}

/** Ends a generation when a stop string has come. */
export class StopStringRule extends StoppingCriteria {
  readonly #stream: AnswerStream;

  constructor(stream: AnswerStream) {
    super();
    this.#stream = stream;
  }

  override _call(sequences: number[][]): boolean[] {
    return sequences.map(() => this.#stream.stopped);
  }
}
